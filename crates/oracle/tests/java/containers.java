package containers;

import java.util.Iterator;

/** Generic containers: where contexts of receivers keep contents apart. */
class Main {
    static class List<T> implements Iterable<T> {
        private Node<T> head;

        void add(T item) {
            head = new Node<>(item, head);
        }

        T first() {
            return head.item;
        }

        @Override
        public Iterator<T> iterator() {
            return new Cursor();
        }

        class Cursor implements Iterator<T> {
            Node<T> at = head;

            @Override
            public boolean hasNext() {
                return at != null;
            }

            @Override
            public T next() {
                T item = at.item;
                at = at.next;
                return item;
            }
        }
    }

    record Node<T>(T item, Node<T> next) {}

    record Pair<A, B>(A first, B second) {
        Pair<B, A> swapped() {
            return new Pair<>(second, first);
        }
    }

    static <T> List<T> listOf(T item) {
        List<T> list = new List<>();
        list.add(item);
        return list;
    }

    static class Stack<T> {
        private Object[] items = new Object[4];
        private int size;

        void push(T item) {
            if (size == items.length) {
                Object[] more = new Object[size * 2];
                System.arraycopy(items, 0, more, 0, size);
                items = more;
            }
            items[size++] = item;
        }

        @SuppressWarnings("unchecked")
        T pop() {
            return (T) items[--size];
        }
    }

    public static void main(String[] args) {
        List<Object> objects = new List<>();
        objects.add(new Object());
        List<String> strings = new List<>();
        strings.add("a");
        Object object = objects.first();
        String string = strings.first();
        for (String each : strings) {
            objects.add(each);
        }
        Pair<Object, String> pair = new Pair<>(object, string);
        Object swapped = pair.swapped().first();
        boolean same = pair.equals(pair.swapped());
        int hash = pair.hashCode();
        String text = pair.toString();
        List<Integer> one = listOf(1);
        List<Object[]> two = listOf(new Object[] {one});
        Integer number = one.first();
        Object[] array = two.first();
        Stack<Object> stack = new Stack<>();
        stack.push(array);
        stack.push(number);
        Stack<Pair<Object, String>> pairs = new Stack<>();
        pairs.push(pair);
        Object popped = stack.pop();
        String second = pairs.pop().second();
        Iterator<Object> iterator = objects.iterator();
        while (iterator.hasNext()) {
            Object next = iterator.next();
        }
    }
}
