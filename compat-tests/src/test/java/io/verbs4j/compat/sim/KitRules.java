/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.sim;

import io.verbs4j.compat.kit.ProviderKit;
import io.verbs4j.compat.kit.Rule;

/** Counts the rules of the conformance kit, so that a run that leaves one out is noticed. */
final class KitRules {
    private KitRules() {}

    /** Returns how many rules {@code kit} declares or inherits. */
    static int count(Class<? extends ProviderKit> kit) {
        int rules = 0;
        for (Class<?> chapter = kit; chapter != Object.class; chapter = chapter.getSuperclass()) {
            for (var method : chapter.getDeclaredMethods()) {
                rules += method.isAnnotationPresent(Rule.class) ? 1 : 0;
            }
        }
        return rules;
    }
}
