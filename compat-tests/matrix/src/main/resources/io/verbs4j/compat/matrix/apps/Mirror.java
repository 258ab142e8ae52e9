/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package app;

import io.verbs4j.VerbsObject;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What attributes there are, and their values, whatever level they came with. The program and the witness have this
 * class each: what one has set or filled in the other must find.
 */
final class Mirror {
    private Mirror() {}

    /** Every attribute by name, those of attributes within it too. */
    static Map<String, String> of(Object attr) {
        Map<String, String> values = new TreeMap<>();
        collect("", attr, values);
        return values;
    }

    private static void collect(String prefix, Object attr, Map<String, String> values) {
        for (Method method : methods(attr)) {
            boolean getter = method.getParameterCount() == 0 && method.getReturnType() != attr.getClass();
            boolean other = method.getReturnType() == void.class
                    || method.getName().matches("toString|hashCode|toBase");
            if (getter && !other) {
                Object value = call(method, attr);
                if (value instanceof byte[]) { // each caller has a copy
                    value = Arrays.toString((byte[]) value);
                }
                String name = prefix + method.getName();
                if (value == null
                        || value instanceof VerbsObject
                        || !value.getClass().getName().startsWith("io.verbs4j.")) {
                    // The handles are the same objects on both sides.
                    values.put(name, value instanceof VerbsObject ? "@" + System.identityHashCode(value) : "" + value);
                } else if (value.getClass().getSimpleName().equals("Gid")) {
                    values.put(name, value.toString());
                } else {
                    collect(name + ".", value, values);
                }
            }
        }
    }

    /** Gives every attribute that is a number or a truth value one of its own; which, the seed tells. */
    static <T> T fill(T attr, int seed) {
        int number = seed;
        for (Method method : methods(attr)) {
            if (method.getParameterCount() == 1 && method.getReturnType() == attr.getClass()) {
                Class<?> type = method.getParameterTypes()[0];
                number++;
                if (type == int.class) {
                    call(method, attr, number);
                } else if (type == long.class) {
                    call(method, attr, ((long) number << 32) + number);
                } else if (type == boolean.class) {
                    call(method, attr, true);
                }
            }
        }
        return attr;
    }

    /** What of the first is not so in the second. */
    static List<String> differences(Map<String, String> expected, Map<String, String> found) {
        List<String> differences = new ArrayList<>();
        expected.forEach((name, value) -> {
            if (!value.equals(found.get(name))) {
                differences.add(name + " is " + found.get(name) + ", not " + value);
            }
        });
        return differences;
    }

    private static List<Method> methods(Object attr) {
        List<Method> methods = new ArrayList<>();
        for (Method method : attr.getClass().getMethods()) {
            boolean object = method.getDeclaringClass() == Object.class;
            if (!object && !Modifier.isStatic(method.getModifiers()) && !method.isBridge()) {
                methods.add(method);
            }
        }
        methods.sort(Comparator.comparing(Method::getName).thenComparing(m -> m.toString()));
        return methods;
    }

    private static Object call(Method method, Object attr, Object... arguments) {
        try {
            return method.invoke(attr, arguments);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("" + method, e);
        }
    }
}
