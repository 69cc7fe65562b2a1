package references;

import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import java.util.function.UnaryOperator;

/** Method references of every kind, and what they convert. */
class Main {
    static class Animal {
        Object food;

        Animal() {}

        Animal(Object food) {
            this.food = food;
        }

        Animal self() {
            return this;
        }

        Object eat(Object more) {
            Object before = food;
            food = more;
            return before;
        }
    }

    static class Cat extends Animal {
        @Override
        Animal self() {
            return new Cat();
        }

        Supplier<Animal> parent() {
            return super::self;
        }

        private Object secret(Object o) {
            return o;
        }

        UnaryOperator<Object> whisper() {
            return this::secret;
        }
    }

    static Animal feed(Animal animal, Object food) {
        animal.food = food;
        return animal;
    }

    static Object boxed(Integer number) {
        return number;
    }

    static Object varied(Object... all) {
        return all[0];
    }

    public static void main(String[] args) {
        Supplier<Animal> make = Cat::new;
        Function<Object, Animal> makeWith = Animal::new;
        Function<Animal, Animal> self = Animal::self;
        Animal cat = self.apply(make.get());
        Animal other = self.apply(makeWith.apply(new Object()));
        BiFunction<Animal, Object, Animal> feed = Main::feed;
        BiFunction<Animal, Object, Object> eat = Animal::eat;
        Object eaten = eat.apply(feed.apply(cat, "milk"), new Object());
        Supplier<Animal> bound = other::self;
        Animal still = bound.get();
        Animal parent = new Cat().parent().get();
        Object whispered = new Cat().whisper().apply(still);
        IntFunction<Object[]> arrays = Object[]::new;
        Object[] array = arrays.apply(3);
        array[0] = parent;
        Function<Object[], Object> copy = Object[]::clone;
        Object element = ((Object[]) copy.apply(array))[0];
        IntFunction<Object> box = Main::boxed;
        Object number = box.apply(7);
        ToIntFunction<Integer> unbox = Integer::intValue;
        int value = unbox.applyAsInt(8);
        Function<Object, Object> varied = Main::varied;
        Object first = varied.apply(element);
        feed(other, first);
    }
}
