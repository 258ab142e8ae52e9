/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.boundaries;

import com.tngtech.archunit.lang.ArchRule;
import java.lang.reflect.Field;
import java.util.Map;
import java.util.TreeMap;

/** The rules of {@link Boundaries} by field name, so that none is forgotten. */
final class Rules {
    private Rules() {}

    static Map<String, ArchRule> all() {
        Map<String, ArchRule> rules = new TreeMap<>();
        for (Field field : Boundaries.class.getDeclaredFields()) {
            if (field.getType() == ArchRule.class) {
                try {
                    rules.put(field.getName(), (ArchRule) field.get(null));
                } catch (IllegalAccessException e) {
                    throw new IllegalStateException(field + " must not be private", e);
                }
            }
        }
        if (rules.isEmpty()) {
            throw new IllegalStateException("no rule in " + Boundaries.class);
        }
        return rules;
    }
}
