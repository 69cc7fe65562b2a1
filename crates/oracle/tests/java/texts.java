package texts;

/** String concatenation calls {@code toString}; constants, builders and formatting of many kinds. */
class Main {
    static class Name {
        private final String name;
        private final Object parent;

        Name(String name, Object parent) {
            this.name = name;
            this.parent = parent;
        }

        @Override
        public String toString() {
            return name + " of " + parent;
        }
    }

    static class Loud extends Name {
        Loud(String name) {
            super(name, null);
        }

        @Override
        public String toString() {
            return super.toString().toUpperCase() + '!' + 1L + 2.0 + true;
        }
    }

    static String join(Object... parts) {
        StringBuilder builder = new StringBuilder();
        for (Object part : parts) {
            builder.append(part).append(", ");
        }
        return builder.toString();
    }

    public static void main(String[] args) {
        Object name = new Name("child", new Loud("parent"));
        String text = "It is " + name + args.length;
        text += new Object() {
            @Override
            public String toString() {
                return "anonymous " + name;
            }
        };
        char[] chars = text.toCharArray();
        String again = new String(chars).intern();
        String joined = join(name, again, 1, 'c');
        Object builder = new StringBuilder(joined).append(name);
        CharSequence part = ((CharSequence) builder).subSequence(0, 1);
        String switched = switch (again) {
            case "a" -> "b";
            case "c" -> joined;
            default -> part.toString();
        };
        Class<?> type = switched.getClass();
        String typeName = type.getName() + type;
    }
}
