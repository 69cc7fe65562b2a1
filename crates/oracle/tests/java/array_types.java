package array_types;

import java.lang.reflect.Array;

/** Arrays that reflection makes of array classes: what they are must not depend on what was reached first. */
class Main {
    static class X {}

    static Runnable a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t;

    static class Late implements Runnable {
        @Override
        public void run() {
            Later.run();
        }
    }

    /** Names {@code X[][]}, and is reached after its class object has arrived at {@code newInstance}. */
    static class Later {
        static void run() {
            Object later = new X[1][1];
        }
    }

    public static void main(String[] args) {
        Object made = Array.newInstance(X[].class, 1);
        Object deeper = Array.newInstance(made.getClass(), 1);
        Class<?> type = deeper.getClass();
        a = new Late();
        b = a;
        c = b;
        d = c;
        e = d;
        f = e;
        g = f;
        h = g;
        i = h;
        j = i;
        k = j;
        l = k;
        m = l;
        n = m;
        o = n;
        p = o;
        q = p;
        r = q;
        s = r;
        t = s;
        t.run();
    }
}
