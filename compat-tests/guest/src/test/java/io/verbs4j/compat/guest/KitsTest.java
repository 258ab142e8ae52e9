/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.guest;

import io.verbs4j.compat.kit.KitClasses;
import org.junit.jupiter.api.Test;

/** The kits of devices in the guest, and of simulated ones. */
class KitsTest {
    @Test
    void noKitOverridesRule() throws Exception {
        KitClasses.requireNoRuleOverridden(
                KitsTest.class, "EfaKit", "GaudiKit", "Mlx5Kit", "KernelRxeKit", "KernelSiwKit");
    }
}
