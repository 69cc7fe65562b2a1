package exceptions;

/** Thrown objects reach handlers by type and order, else the caller, along each call by itself. */
class Main {
    static class Low extends RuntimeException {
        final transient Object payload;

        Low(Object payload) {
            this.payload = payload;
        }
    }

    static class Lower extends Low {
        Lower(Object payload) {
            super(payload);
        }
    }

    static class High extends Exception {
        High(Throwable cause) {
            super(cause);
        }
    }

    static class Resource implements AutoCloseable {
        @Override
        public void close() throws High {
            throw new High(null);
        }
    }

    static Object fail(int how) throws High {
        if (how == 0) throw new Low(new Object());
        if (how == 1) throw new Lower("text");
        if (how == 2) throw new High(new Low(how));
        return how;
    }

    static Object caught(int how) throws High {
        try {
            return fail(how);
        } catch (Lower lower) {
            return lower.payload;
        } catch (Low low) {
            Object kept = low.payload;
            throw new Lower(kept);
        } finally {
            fail(3);
        }
    }

    static Throwable both(int how) {
        try {
            return (Throwable) caught(how);
        } catch (Low | High either) {
            return either;
        }
    }

    static <E extends Throwable> void sneak(Throwable thrown) throws E {
        @SuppressWarnings("unchecked")
        E as = (E) thrown;
        throw as;
    }

    public static void main(String[] args) throws Exception {
        Throwable one = both(args.length);
        try (Resource resource = new Resource()) {
            Main.<RuntimeException>sneak(one);
        } catch (High high) {
            Throwable cause = high.getCause();
            Throwable[] hidden = high.getSuppressed();
            sneak(hidden.length == 0 ? cause : hidden[0]);
        }
        Runnable rethrows = () -> {
            throw new Low(one);
        };
        try {
            rethrows.run();
        } catch (Throwable all) {
            Object self = all;
            throw new Exception(all);
        }
    }
}
