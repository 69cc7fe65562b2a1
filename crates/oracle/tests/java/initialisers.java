package initialisers;

/** Class initialisation: by new, static calls and fields; superclasses, and interfaces with defaults, first. */
class Main {
    static Object trace;

    static Object note(Object o) {
        trace = o;
        return o;
    }

    interface Plain {
        Object UNSEEN = note(new Object());
    }

    interface WithDefault {
        Object SEEN = note(new StringBuilder());

        default Object get() {
            return SEEN;
        }
    }

    interface Between extends WithDefault, Plain {}

    interface AlsoDefault extends Between {
        Object ALSO = note("also");

        default Object also() {
            return ALSO;
        }
    }

    static class Parent implements Between {
        static final Object PARENT = note(new int[0]);
    }

    static class Child extends Parent implements AlsoDefault {
        static Object child = note(PARENT);

        static Object make() {
            return child;
        }
    }

    static class Never {
        static final String CONSTANT = "compiled in";
        static Object never = note(new Object[0]);
    }

    enum Colour {
        RED, GREEN {
            @Override
            Object paint() {
                return note(this);
            }
        };

        Object paint() {
            return name();
        }
    }

    static class Holder {
        static final Holder INSTANCE = new Holder();
        Object held = note(this);
    }

    static class Circular {
        static Circular other = Other.back;
    }

    static class Other {
        static Circular back = new Circular();
    }

    public static void main(String[] args) {
        Object constant = Never.CONSTANT;
        Object made = Child.make();
        Object seen = new Child().also();
        Object painted = Colour.valueOf("GREEN").paint();
        Object all = Colour.values()[0].paint();
        Object held = Holder.INSTANCE.held;
        Circular circular = Circular.other;
        Plain plain = new Plain() {};
        switch (Colour.RED) {
            case RED:
                trace = plain;
                break;
            default:
                trace = circular;
        }
    }
}
