/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import java.lang.reflect.Method;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGenerator;

/** Names tests after their rules. */
final class RuleNames extends DisplayNameGenerator.Standard {
    @Override
    public String generateDisplayNameForMethod(
            List<Class<?>> enclosingInstanceTypes, Class<?> testClass, Method testMethod) {
        Rule rule = testMethod.getAnnotation(Rule.class);
        return rule == null
                ? super.generateDisplayNameForMethod(enclosingInstanceTypes, testClass, testMethod)
                : rule.id() + " " + rule.says();
    }
}
