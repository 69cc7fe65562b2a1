package demo;

import demo.spi.Audit;
import java.util.Arrays;
import java.util.function.Consumer;

public class Main {
    public static void main(String[] args) {
        Consumer<String> say = language -> Audit.record(load(language).greet("world"));
        Arrays.asList(args).forEach(say);
    }

    /** Which classes this reaches, no call in the program tells: their name is put together here. */
    static Greeter load(String language) {
        try {
            Class<?> type = Class.forName("demo." + language + "Greeter");
            return (Greeter) type.getDeclaredConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            return new EnglishGreeter();
        }
    }
}
