/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import io.verbs4j.Device;
import io.verbs4j.MwType;
import io.verbs4j.QpType;
import io.verbs4j.SrqAttr;
import io.verbs4j.SrqInitAttr;
import io.verbs4j.VerbsException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The provider's classes and their methods with reserved names. See {@link NameRules}. */
final class NameRig extends XrcRig {
    final Set<Class<?>> met = new LinkedHashSet<>();

    NameRig(ProviderKit kit) {
        super(kit);
    }

    static List<Method> reserved(Class<?> type) {
        List<Method> reserved = new ArrayList<>(List.of(type.getDeclaredMethods()));
        reserved.removeIf(method -> !isReserved(method));
        for (Class<?> brought : type.getInterfaces()) {
            if (!brought.isAssignableFrom(type.getSuperclass())) {
                Arrays.stream(brought.getMethods())
                        .filter(method -> !Modifier.isStatic(method.getModifiers()))
                        .forEach(reserved::add);
            }
        }
        return reserved;
    }

    static String words(Method method) {
        return method.getDeclaringClass().getName() + "." + method.getName()
                + Arrays.stream(method.getParameterTypes())
                        .map(Class::getSimpleName)
                        .collect(Collectors.joining(", ", "(", ")"));
    }

    /**
     * Whether the name of a method is reserved. Bridges and the like belong to the compiler; a method overrides what
     * its bridge overrides.
     */
    private static boolean isReserved(Method method) {
        if (method.isSynthetic() || Modifier.isPrivate(method.getModifiers())) {
            return false;
        }
        return Modifier.isStatic(method.getModifiers())
                || Arrays.stream(method.getDeclaringClass().getDeclaredMethods())
                        .filter(m -> m.equals(method) || m.isBridge() && leadsTo(m, method))
                        .noneMatch(NameRig::overridesHeader);
    }

    private static boolean leadsTo(Method bridge, Method method) {
        return bridge.getName().equals(method.getName()) && bridge.getParameterCount() == method.getParameterCount();
    }

    private static boolean overridesHeader(Method method) {
        for (Class<?> c = method.getDeclaringClass().getSuperclass(); c != null; c = c.getSuperclass()) {
            if (Authors.isHeader(c)
                    && Arrays.stream(c.getDeclaredMethods())
                            .filter(m -> (m.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) != 0)
                            .anyMatch(m -> m.getName().equals(method.getName())
                                    && Arrays.equals(m.getParameterTypes(), method.getParameterTypes()))) {
                return true;
            }
        }
        return false;
    }

    /** Creates one of each kind of object that the device has. */
    void meetAll() {
        met.addAll(kit.ownTypes());
        for (Device device : kit.provider().devices()) {
            meet(device);
        }
        make(s -> s.withChannel = has(Capability.COMPLETION_EVENTS));
        meet(a.pd, a.mr, a.cq, a.channel, a.qp);
        for (int type : new int[] {QpType.UC, QpType.UD}) {
            if (type == QpType.UC ? has(Capability.UC) : has(Capability.UD)) {
                a.qpType = type;
                meet(a.anotherQp());
            }
        }
        if (has(Capability.UD)) {
            meet(opened(a.pd.createAh(a.path())));
        }
        if (has(Capability.SRQ)) {
            meet(opened(
                    a.pd.createSrq(new SrqInitAttr().attr(new SrqAttr().maxWr(1).maxSge(1)))));
        }
        if (has(Capability.MEMORY_WINDOWS)) {
            meet(opened(a.pd.allocMw(MwType.TYPE_1)));
        }
        if (has(Capability.TYPE_2_WINDOWS)) {
            meet(opened(a.pd.allocMw(MwType.TYPE_2)));
        }
        if (has(Capability.XRC)) {
            meet(xrcObjects());
        }
        try {
            open().queryPort(255);
        } catch (VerbsException e) {
            meet(e);
        }
    }

    private void meet(Object... objects) {
        for (Object object : objects) {
            if (object != null) {
                met.add(object.getClass());
            }
        }
    }
}
