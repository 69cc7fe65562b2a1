package inner;

/** Inner, local and anonymous classes: the outer object and captured variables are fields. */
class Main {
    Object state = new Object();

    class Inner {
        Object own = state;

        class Innermost {
            Object both() {
                return own == null ? state : Main.this.state;
            }
        }

        Innermost deeper() {
            return new Innermost();
        }
    }

    interface Visitor {
        Object visit(Main main);
    }

    Object accept(Visitor visitor) {
        return visitor.visit(this);
    }

    static Visitor constant(Object value) {
        class Constant implements Visitor {
            @Override
            public Object visit(Main main) {
                main.state = value;
                return value;
            }
        }
        return new Constant();
    }

    Visitor swapping() {
        return new Visitor() {
            private Object last = state;

            @Override
            public Object visit(Main main) {
                Object before = last;
                last = main.state;
                Main.this.state = before;
                return new Main() {
                    {
                        state = before;
                    }
                }.state;
            }
        };
    }

    static class Nested extends Main {
        Inner made = new Inner();

        Main.Inner other(Main of) {
            return of.new Inner();
        }
    }

    public static void main(String[] args) {
        Main one = new Main();
        Main two = new Nested();
        Object a = one.accept(constant(args));
        Object b = two.accept(one.swapping());
        Object c = one.new Inner().deeper().both();
        Object d = ((Nested) two).other(one).own;
        Object e = ((Nested) two).made.deeper().both();
        Runnable runs = () -> one.accept(main -> main.accept(constant(two)));
        runs.run();
    }
}
