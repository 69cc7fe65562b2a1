package demo.spi;

/** Compiled, but left out of the jar: the sample's missing class. */
public class Audit {
    public static void record(String event) {
        System.err.println(event);
    }
}
