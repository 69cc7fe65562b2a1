package services;

import java.util.ServiceLoader;

/** Providers of services: by constructor, by provider method, and one whose service nobody asks for. */
class Main {
    public interface Codec {
        Object encode(Object o);
    }

    public interface Unused {}

    public static class Plain implements Codec {
        private static final Object CODE = new Object();
        private final Object key = CODE;

        @Override
        public Object encode(Object o) {
            return new Object[] {key, o};
        }
    }

    public static class Provided implements Codec {
        private final Object made;

        private Provided(Object made) {
            this.made = made;
        }

        public static Codec provider() {
            return new Provided("made");
        }

        @Override
        public Object encode(Object o) {
            return made;
        }
    }

    public static class Never implements Unused {
        static Object trace = new Never();
    }

    public static void main(String[] args) {
        Object last = args;
        for (Codec codec : ServiceLoader.load(Codec.class)) {
            last = codec.encode(last);
        }
    }
}
