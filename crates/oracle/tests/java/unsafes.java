package unsafes;

import java.lang.invoke.MethodHandles;
import sun.misc.Unsafe;

/** What {@code Unsafe} makes of class objects, and the fields that an offset may mean. */
class Main {
    static Object trace;
    static final String NAMED = "named";

    Object named;
    String unnamed;

    static class Concrete {
        static {
            trace = new Object();
        }

        Object own = this;
    }

    abstract static class Abstract {
        static {
            trace = new StringBuilder();
        }
    }

    interface Interface {
        Object VALUE = trace = new Object[0];
    }

    enum Initialised {
        ONE;

        static {
            trace = ONE;
        }
    }

    public static void main(String[] args) throws Exception {
        Unsafe unsafe = Unsafe.getUnsafe();
        Object made = null;
        for (Class<?> each : new Class<?>[] {Concrete.class, Abstract.class, Interface.class, int.class, Main[].class}) {
            made = unsafe.allocateInstance(each);
        }
        MethodHandles.lookup().ensureInitialized(Initialised.class);

        Main main = new Main();
        unsafe.putObject(main, 8, made);
        unsafe.putObject(main, 16, "text");
        Object got = unsafe.getObject(main, 8);
        String[] array = new String[1];
        unsafe.putObjectVolatile(array, 8, made);
        unsafe.putObjectVolatile(array, 8, NAMED);
        Object element = unsafe.getObjectVolatile(array, 8);
        Object[] empty = new Object[0];
        unsafe.putObject(empty, 8, made);
        Object nothing = unsafe.getObject(empty, 8);
        boolean swapped = unsafe.compareAndSwapObject(main, 8, got, element);
        main.unnamed = main.named == got ? "a" : "b";
    }
}
