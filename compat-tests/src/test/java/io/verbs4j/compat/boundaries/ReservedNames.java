/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.boundaries;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;

/**
 * Requires each method of a class, including those inherited from interfaces, to be private or to override one of the
 * header.
 */
final class ReservedNames extends ArchCondition<JavaClass> {
    private final DescribedPredicate<JavaClass> inHeader;

    ReservedNames(DescribedPredicate<JavaClass> inHeader) {
        super("have no methods of their own");
        this.inHeader = inHeader;
    }

    @Override
    public void check(JavaClass type, ConditionEvents events) {
        for (JavaMethod method : type.getMethods()) {
            if (!method.getModifiers().contains(JavaModifier.PRIVATE) && !overrides(type, method)) {
                violated(type, method, events);
            }
        }
        for (JavaClass implemented : type.getAllRawInterfaces()) {
            if (!isOfHeader(type, implemented)) {
                implemented.getMethods().stream()
                        .filter(method -> !method.getModifiers().contains(JavaModifier.PRIVATE)
                                && !method.getModifiers().contains(JavaModifier.STATIC))
                        .forEach(method -> violated(type, method, events));
            }
        }
    }

    /** Whether the header's class, rather than the subclass, implements the interface. */
    private boolean isOfHeader(JavaClass type, JavaClass implemented) {
        return type.getAllRawSuperclasses().stream()
                .filter(inHeader)
                .anyMatch(header -> header.getAllRawInterfaces().contains(implemented));
    }

    private boolean overrides(JavaClass type, JavaMethod method) {
        if (method.getModifiers().contains(JavaModifier.STATIC)) {
            return false;
        }
        return type.getAllRawSuperclasses().stream()
                .filter(inHeader)
                .flatMap(header -> header.getMethods().stream())
                .anyMatch(its -> its.getName().equals(method.getName())
                        && its.getRawParameterTypes().equals(method.getRawParameterTypes())
                        && !its.getModifiers().contains(JavaModifier.PRIVATE)
                        && !its.getModifiers().contains(JavaModifier.STATIC));
    }

    private static void violated(JavaClass type, JavaMethod method, ConditionEvents events) {
        events.add(SimpleConditionEvent.violated(
                method, type.getName() + " has the method " + method.getFullName() + " of its own"));
    }
}
