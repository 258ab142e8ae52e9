/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.api;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldNode;

/**
 * Compile-time constants must keep their values, because javac copied them into existing programs and providers. The
 * only exceptions are constants that tell which level their reader was compiled with: these must grow.
 */
final class Constants {
    private static final Set<String> GROWING = Set.of(
            "io.verbs4j.ContextSlot.COUNT",
            "io.verbs4j.GidEntry.WORDS",
            "io.verbs4j.VerbsLevel.CURRENT",
            "io.verbs4j.WorkCompletion.SIZE");

    private Constants() {}

    static List<String> violations(String artifact, ApiSurface old, ApiSurface now) {
        Map<String, Object> before = values(old);
        Map<String, Object> after = values(now);
        List<String> found = new ArrayList<>();
        before.forEach((name, value) -> {
            Object other = after.get(name);
            if (other == null) {
                found.add(artifact + ": the constant " + name + " = " + value
                        + " is gone, or is no longer a compile-time constant");
            } else if (!Objects.equals(value, other) && !(GROWING.contains(name) && isHigher(other, value))) {
                found.add(artifact + ": the constant " + name + " was " + value + " and is now " + other
                        + "; compiled programs contain the old value");
            }
        });
        return found;
    }

    private static boolean isHigher(Object now, Object old) {
        return now instanceof Integer higher && old instanceof Integer lower && higher > lower;
    }

    private static Map<String, Object> values(ApiSurface surface) {
        Map<String, Object> values = new TreeMap<>();
        for (Map.Entry<String, ClassNode> type : surface.types().entrySet()) {
            for (FieldNode field : type.getValue().fields) {
                if (ApiSurface.isVisible(field) && field.value != null) {
                    values.put(type.getKey() + "." + field.name, field.value);
                }
            }
        }
        return values;
    }
}
