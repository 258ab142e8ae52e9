/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.boundaries;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.List;

/** Allows a class to depend only on its own package and on later ones of its module, so that packages form no cycle. */
final class PackageOrder extends ArchCondition<JavaClass> {
    private final List<String> order;

    /**
     * Orders the packages of a module.
     *
     * @param order all packages, dependent ones first
     */
    PackageOrder(String... order) {
        super("depend on later packages only");
        this.order = List.of(order);
    }

    @Override
    public void check(JavaClass type, ConditionEvents events) {
        int own = order.indexOf(type.getPackageName());
        if (own < 0) {
            events.add(SimpleConditionEvent.violated(type, type.getName() + " is in a package that the order lacks"));
            return;
        }
        for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
            int other = order.indexOf(
                    dependency.getTargetClass().getBaseComponentType().getPackageName());
            if (other >= 0 && other < own) {
                events.add(SimpleConditionEvent.violated(dependency, dependency.getDescription()));
            }
        }
    }
}
