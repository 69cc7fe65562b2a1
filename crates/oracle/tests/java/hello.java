package hello;

/** The smallest program, which starts much of the library. */
class Main {
    public static void main(String[] args) {
        System.out.println("hello");
    }
}
