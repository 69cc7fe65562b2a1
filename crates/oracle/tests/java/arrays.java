package arrays;

import java.util.Arrays;

/** Arrays: elements, store checks, clones, copies, several dimensions. */
class Main {
    static class A {
        Object field;
    }

    static class B extends A {}

    static void put(Object[] array, Object value) {
        array[0] = value;
    }

    static Object get(Object[] array) {
        return array[0];
    }

    @SafeVarargs
    static <T> T[] listed(T... all) {
        return all;
    }

    public static void main(String[] args) {
        Object[] objects = new Object[2];
        A[] as = new A[2];
        B[] bs = {new B(), new B()};
        put(objects, args);
        put(objects, new B());
        put(as, new A());
        put(as, "refused");
        A[] covariant = bs;
        covariant[1] = new A();
        Object first = get(objects);
        Object second = get(covariant);
        Object[] cloned = as.clone();
        ((A) cloned[0]).field = cloned;
        System.arraycopy(bs, 0, as, 0, 1);
        System.arraycopy(objects, 0, bs, 0, 1);
        A[][] matrix = new A[2][3];
        matrix[0][1] = as[0];
        matrix[1] = bs;
        Object[] rows = matrix;
        Object row = rows[0];
        Object[][][] deep = new Object[1][2][];
        deep[0][0] = matrix;
        deep[0][1] = cloned;
        Object out = deep[0][1][0];
        Object longer = Arrays.copyOf(as, 7)[0];
        B[] typed = Arrays.copyOf(as, 7, B[].class);
        A[] empty = new A[0];
        put(empty, new B());
        Object never = get(empty);
        A[] resized = Arrays.copyOf(empty, 3);
        resized[0] = as[1];
        Object kept = Arrays.copyOfRange(resized, 0, 9)[0];
        String name = listed("a", "b")[1];
        Object nothing = listed()[0];
        int[][] numbers = {{1}, {2}};
        Object numberRow = numbers[0].clone();
        for (Object each : rows) {
            put(objects, each);
        }
    }
}
