/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.api;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * The attributes of the data path have no mask, so a provider cannot see, and cannot refuse, an attribute that it does
 * not know. They may therefore grow only by new opcodes and flags, which providers refuse.
 */
final class DataPathGate {
    /** The attributes of one operation or of every receive. Any addition would become part of something frozen. */
    static final List<String> CLOSED = List.of(
            "io.verbs4j.FastRegister",
            "io.verbs4j.MwBind",
            "io.verbs4j.RecvWorkRequest",
            "io.verbs4j.ScatterGatherElement");

    private static final String REQUEST = "io.verbs4j.SendWorkRequest";
    private static final List<String> REFUSABLE = List.of("io.verbs4j.WrOpcode", "io.verbs4j.SendFlags");
    private static final String RULE = "verbs-spi: the data path grows only by new opcodes and flags: ";

    private DataPathGate() {}

    static List<String> violations(ApiSurface old, ApiSurface now) {
        List<String> found = new ArrayList<>();
        for (String type : CLOSED) {
            for (String setter : addedSetters(old, now, type)) {
                found.add(RULE + type + "." + setter + " would be silently ignored by existing providers");
            }
            if (isThere(old, now, type)
                    && !now.types().get(type).superName.equals(old.types().get(type).superName)) {
                found.add(RULE + type + " extends another class, but existing providers check no mask");
            }
        }
        Set<String> setters = addedSetters(old, now, REQUEST);
        if (!setters.isEmpty()
                && REFUSABLE.stream()
                        .allMatch(type -> addedConstants(old, now, type).isEmpty())) {
            found.add(RULE + REQUEST + " has " + String.join(", ", setters)
                    + " more, but neither WrOpcode nor SendFlags has a constant that it could belong to");
        }
        return found;
    }

    private static boolean isThere(ApiSurface old, ApiSurface now, String type) {
        return old.types().containsKey(type) && now.types().containsKey(type);
    }

    private static Set<String> addedSetters(ApiSurface old, ApiSurface now, String type) {
        return isThere(old, now, type)
                ? without(setters(now.types().get(type)), setters(old.types().get(type)))
                : Set.of();
    }

    private static Set<String> addedConstants(ApiSurface old, ApiSurface now, String type) {
        return isThere(old, now, type)
                ? without(
                        constants(now.types().get(type)), constants(old.types().get(type)))
                : Set.of();
    }

    private static Set<String> without(Set<String> more, Set<String> less) {
        Set<String> rest = new TreeSet<>(more);
        rest.removeAll(less);
        return rest;
    }

    /** {@return the instance methods with parameters, and the writable fields} */
    private static Set<String> setters(ClassNode type) {
        Set<String> setters = new TreeSet<>();
        for (MethodNode method : type.methods) {
            if (isOfInstances(method.access) && !method.name.startsWith("<") && !method.desc.startsWith("()")) {
                setters.add(method.name + method.desc.substring(0, method.desc.indexOf(')') + 1));
            }
        }
        for (FieldNode field : type.fields) {
            if (isOfInstances(field.access)) {
                setters.add(field.name);
            }
        }
        return setters;
    }

    private static boolean isOfInstances(int access) {
        return (access & (Opcodes.ACC_PUBLIC | Opcodes.ACC_PROTECTED)) != 0
                && (access & (Opcodes.ACC_STATIC | Opcodes.ACC_SYNTHETIC)) == 0;
    }

    private static Set<String> constants(ClassNode type) {
        return type.fields.stream()
                .filter(ApiSurface::isVisible)
                .map(field -> field.name)
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
