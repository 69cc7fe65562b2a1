/** Greets. */
public class Greeting {
    public static void main(String[] arguments) {
        System.out.println("hello " + arguments[0]);
    }
}
