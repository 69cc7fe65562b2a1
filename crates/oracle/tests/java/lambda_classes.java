package lambda_classes;

import java.util.Comparator;

/** The class of a lambda's object: what it has of its own, and what it inherits. */
class Main {
    interface Step<A> {
        Object go(A from);

        default Object twice(A from) {
            return go(from);
        }
    }

    /** Has a bridge {@code go(Object)}, which is a default method: the lambda's class inherits it. */
    interface TextStep extends Step<String> {
        @Override
        Object go(String from);
    }

    interface Polite {
        default Object greet() {
            return "hello";
        }
    }

    /** The lambda's class implements what is abstract again here, whoever calls it by which name. */
    interface Rude extends Polite {
        @Override
        Object greet();
    }

    static Object viaStep(Step<String> step) {
        return step.go("a");
    }

    public static void main(String[] args) {
        TextStep text = s -> new Object[] {s};
        Object bridged = viaStep(text);
        Object twice = text.twice("b");

        Rude rude = () -> new Object();
        Polite polite = rude;
        Object greeting = polite.greet();

        // `Comparator` declares `equals`, and `Object` implements it.
        Comparator<Object> order = (a, b) -> 0;
        boolean equal = order.equals(greeting);
        boolean also = ((Object) order).equals(bridged);
    }
}
