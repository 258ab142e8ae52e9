/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv.steering;

import io.verbs4j.rdmacore.VendorContext;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.quirk.Libmlx5;

/**
 * An action of a {@link SteeringRule} on packets. Several rules can share it; it cannot be closed before they are.
 * Created by {@link Steering}, {@link SteeringDomain} and {@link SteeringTable}. Thread-safe. Source:
 * {@code struct mlx5dv_dr_action}, mlx5dv_dr_flow(3).
 */
public class SteeringAction extends SteeringHandle {
    static final String KIND = "steering action";

    private static final String DESTROY = "mlx5dv_dr_action_destroy";

    SteeringAction(VendorContext base, long address, Referents referents) {
        super(base, KIND, address, referents);
    }

    static HandleMaker<SteeringAction> maker(VendorContext base, String verb, int since) {
        return new HandleMaker<>(base, verb, since, KIND, SteeringAction::new);
    }

    @Override
    final void destroy() {
        Answers.check(DESTROY, Libmlx5.function(DESTROY, 24).call(address()));
    }
}
