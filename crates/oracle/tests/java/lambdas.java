package lambdas;

import java.util.Comparator;
import java.util.function.Function;
import java.util.function.Supplier;

/** Lambda expressions: captured values, values that pass through, nested ones, defaults of the interface. */
class Main {
    interface Step<A, B> {
        B go(A from);

        default <C> Step<A, C> then(Step<? super B, ? extends C> next) {
            return from -> next.go(go(from));
        }

        static <A> Step<A, A> nothing() {
            return from -> from;
        }
    }

    interface TextStep extends Step<String, Object> {
        @Override
        Object go(String from);
    }

    static class Box {
        Object content;

        Box(Object content) {
            this.content = content;
        }
    }

    private Object own = new Object();

    Supplier<Object> reads() {
        return () -> own;
    }

    static Object run(Supplier<?> supplier) {
        return supplier.get();
    }

    public static void main(String[] args) {
        Object captured = new Object();
        Function<Object, Box> wrap = x -> new Box(captured);
        Box box = wrap.apply("text");
        Function<Object, Object> unwrap = wrap.andThen(b -> b.content);
        Object inner = unwrap.apply(box);

        Step<Object, Box> boxed = Box::new;
        Object twice = boxed.then(b -> b.content).then(c -> new Box(c)).go(inner);
        Step<Object, Object> same = Step.nothing();
        Object again = same.go(twice);

        TextStep text = s -> new Box(s);
        Object fromText = text.go("a");

        Object own = run(new Main().reads());
        Object number = run(() -> 42);
        Runnable serial = (Runnable & java.io.Serializable) () -> run(() -> captured);
        serial.run();

        Comparator<Object> order = (a, b) -> a.hashCode() - b.hashCode();
        int hash = order.hashCode() + order.compare(again, own) + order.reversed().compare(number, fromText);
        Object described = order.toString();
    }
}
