/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.sim;

import io.verbs4j.compat.kit.ProviderKit;
import io.verbs4j.compat.kit.Rule;
import java.util.Arrays;

/** Counts the rules of the conformance kit, so that a run that skips one is noticed. */
final class KitRules {
    private KitRules() {}

    /** {@return the number of rules that {@code kit} declares or inherits} */
    static int count(Class<? extends ProviderKit> kit) {
        return (int) Arrays.stream(kit.getMethods())
                .filter(method -> method.isAnnotationPresent(Rule.class))
                .count();
    }
}
