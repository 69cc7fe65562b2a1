/** The smallest program: what its analysis costs is what the JDK costs. */
public class Hello {
    public static void main(String[] arguments) {
        System.out.println("Hello World");
    }
}
