package bootstrap;

import java.lang.invoke.CallSite;
import java.lang.invoke.ConstantCallSite;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A bootstrap method that nobody knows: the test puts {@code StandInLambdaMetafactory}, whose name is as long, in the place
 * of {@code java.lang.invoke.LambdaMetafactory}. Its call sites run the method handle that a lambda would.
 */
class Main {
    static class Thing {
        Object part;

        Thing(Object part) {
            this.part = part;
        }

        Thing self() {
            return this;
        }
    }

    static class Other extends Thing {
        Other() {
            super("other");
        }

        @Override
        Thing self() {
            return new Thing(this);
        }

        Object above() {
            return (Supplier<Object>) super::self;
        }
    }

    static Object given(Object o) {
        return new Object[] {o};
    }

    static Object noOne() {
        return new Other();
    }

    static Object failing() {
        throw new IllegalStateException();
    }

    public static void main(String[] args) {
        Object made = (Supplier<Object>) Main::noOne;
        Thing thing = (Thing) made;
        Object own = (Supplier<Object>) thing::self;
        Object constructed = (Supplier<Object>) Other::new;
        Object above = ((Other) constructed).above();
        Object captured = (Supplier<Object>) () -> given(own);
        Object element = ((Object[]) captured)[0];
        try {
            Object failed = (Supplier<Object>) Main::failing;
        } catch (IllegalStateException e) {
            Object kept = e;
        }
    }
}

class StandInLambdaMetafactory {
    static Object last;

    public static CallSite metafactory(
            MethodHandles.Lookup caller, String name, MethodType factory, MethodType erased, MethodHandle target, MethodType type) {
        last = caller;
        last = name;
        last = factory;
        return new ConstantCallSite(target);
    }
}
