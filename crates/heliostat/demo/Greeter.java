package demo;

/** Says hello in some language. */
interface Greeter {
    String greet(String name);
}
