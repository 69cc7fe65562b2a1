package interfaces;

/** Dispatch: interfaces, abstract classes, defaults, bridges, super calls, private and static methods. */
class Main {
    interface Shape {
        Object area();

        default Object twice() {
            return helper(area());
        }

        private Object helper(Object area) {
            return area;
        }

        static Shape of(Object size) {
            return size == null ? new Square("none") : new Circle(size);
        }
    }

    interface Named {
        default Object name() {
            return "named";
        }
    }

    interface Titled extends Named {
        @Override
        default Object name() {
            return new StringBuilder("titled");
        }
    }

    static abstract class Base<T> implements Shape, Named {
        T size;

        Base(T size) {
            this.size = size;
        }

        abstract T copy(T of);

        @Override
        public Object area() {
            return copy(size);
        }
    }

    static class Circle extends Base<Object> implements Titled {
        Circle(Object size) {
            super(size);
        }

        @Override
        Object copy(Object of) {
            return of;
        }

        @Override
        public Object name() {
            return Titled.super.name();
        }
    }

    static class Square extends Base<String> implements Titled {
        Square(String size) {
            super(size);
        }

        @Override
        String copy(String of) {
            return of;
        }

        @Override
        public Object area() {
            return new Object[] {super.area()};
        }

        @Override
        public Object twice() {
            return Titled.super.name();
        }
    }

    static final class Cube extends Square {
        Cube() {
            super("cube");
        }

        @Override
        public String toString() {
            return size;
        }
    }

    static Object use(Shape shape) {
        Object area = shape.area();
        Object twice = shape.twice();
        return area == twice ? area : ((Named) shape).name();
    }

    public static void main(String[] args) {
        Shape[] shapes = {Shape.of(args), Shape.of(null), new Cube()};
        Object last = null;
        for (Shape shape : shapes) {
            last = use(shape);
            Object text = shape.toString();
            boolean same = shape.equals(last);
        }
        Base<?> base = (Base<?>) shapes[0];
        Object size = base.size;
        Object direct = new Cube().copy("x");
    }
}
