package statics;

/** Static fields, singletons, and recursion through them. */
class Main {
    static Object shared;
    static Main instance = new Main();
    Object value;
    Main next;

    static Main get() {
        if (instance == null) instance = new Main();
        return instance;
    }

    static Object even(Object o, int n) {
        return n == 0 ? o : odd(new Object[] {o}, n - 1);
    }

    static Object odd(Object o, int n) {
        shared = o;
        return n == 0 ? null : even(o, n - 1);
    }

    Main append(Main other) {
        if (next == null) {
            next = other;
            return this;
        }
        return next.append(other);
    }

    Object last() {
        return next == null ? value : next.last();
    }

    static Main chain(int length) {
        Main first = new Main();
        first.value = length;
        return length == 0 ? first : chain(length - 1).append(first);
    }

    static class Sub extends Main {
        static {
            shared = new Sub();
        }

        Object inherited() {
            return shared;
        }
    }

    public static void main(String[] args) {
        get().value = even(args, 4);
        Object back = get().value;
        Main chain = chain(3).append(get());
        Object last = chain.last();
        Object sub = Sub.get().append(new Sub()).last();
        Object seen = new Sub().inherited();
        shared = last == back ? sub : seen;
    }
}
