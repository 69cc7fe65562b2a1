package natives;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Array;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

/** What native code and handles move: variable handles, atomics, threads, clones, reflection on arrays and classes. */
class Main implements Cloneable {
    volatile Object slot;
    volatile Main next;
    Object closed;
    static final VarHandle SLOT;
    static final VarHandle ELEMENTS = MethodHandles.arrayElementVarHandle(Object[].class);
    static final AtomicReferenceFieldUpdater<Main, Main> NEXT =
        AtomicReferenceFieldUpdater.newUpdater(Main.class, Main.class, "next");

    static {
        try {
            SLOT = MethodHandles.lookup().findVarHandle(Main.class, "slot", Object.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @Override
    protected Main clone() throws CloneNotSupportedException {
        return (Main) super.clone();
    }

    static class Worker extends Thread {
        final Main main;

        Worker(Main main) {
            this.main = main;
        }

        @Override
        public void run() {
            main.closed = Thread.currentThread();
        }
    }

    static Object told(Object o) {
        return o;
    }

    public static void main(String[] args) throws Throwable {
        Main main = new Main();
        SLOT.set(main, args);
        Object got = SLOT.getAcquire(main);
        boolean swapped = SLOT.compareAndSet(main, got, new Object());
        Object old = SLOT.getAndSet(main, "text");
        Object[] array = new Object[2];
        ELEMENTS.setRelease(array, 0, main);
        Object element = (Object) ELEMENTS.get(array, 0);
        NEXT.set(main, new Main());
        Main updated = NEXT.getAndSet(main, main);

        AtomicReference<Object> reference = new AtomicReference<>(old);
        reference.compareAndSet(old, element);
        Object updatedTo = reference.updateAndGet(o -> new Object[] {o});
        AtomicReferenceArray<Object> references = new AtomicReferenceArray<>(3);
        references.set(0, reference.get());
        Object stored = references.get(0);

        Main copy = main.clone();
        Object copied = copy.slot;
        Thread worker = new Worker(copy);
        worker.start();
        new Thread(() -> copy.closed = stored).start();
        Object closed = copy.closed;

        Object[] made = (Object[]) Array.newInstance(Main.class, 2);
        made[0] = main;
        made[1] = "refused";
        Class<?> component = made.getClass().getComponentType();
        Object first = Array.get(made, 0);
        Object instance = component.getDeclaredConstructor().newInstance();

        MethodHandle handle =
            MethodHandles.lookup().findStatic(Main.class, "told", MethodType.methodType(Object.class, Object.class));
        Object told = handle.invoke(first);
        Object exact = (Object) handle.invokeExact((Object) closed);
        Runtime.getRuntime().addShutdownHook(new Worker(updated));
    }
}
