/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The author's classes, by the header's types that they implement. */
final class Authors {
    private static final String HEADER = "io.verbs4j.";

    private final Map<String, Class<?>> types = new ConcurrentHashMap<>();

    /** Records the author's class for a type of the header. */
    <T> T saw(Class<? super T> header, T object) {
        if (object != null) {
            types.put(header.getSimpleName(), object.getClass());
        }
        return object;
    }

    /** {@return the author's method for one of the header, in words} */
    String find(String headerMethod) {
        int dot = headerMethod.indexOf('.');
        Class<?> type = dot < 0 ? null : types.get(headerMethod.substring(0, dot));
        if (type == null) {
            return headerMethod.matches("[A-Z]\\w+\\.\\w+") ? "your " + headerMethod : headerMethod;
        }
        String name = headerMethod.substring(dot + 1);
        for (Class<?> c = type; c != null && !isHeader(c); c = c.getSuperclass()) {
            for (Method method : c.getDeclaredMethods()) {
                if (method.getName().equals(name)) {
                    return c.getName() + "." + name + ", your " + headerMethod;
                }
            }
        }
        return type.getName() + ", which does not override " + headerMethod
                + "; the default fails with EOPNOTSUPP or does nothing";
    }

    static boolean isHeader(Class<?> type) {
        String name = type.getName();
        return name.startsWith(HEADER) && Character.isUpperCase(name.charAt(HEADER.length()));
    }
}
