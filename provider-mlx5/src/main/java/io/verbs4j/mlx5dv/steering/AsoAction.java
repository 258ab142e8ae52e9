/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv.steering;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.rdmacore.VendorContext;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.quirk.Libmlx5;

/**
 * An action that reads and changes a device object with each packet (advanced steering operation), created by
 * {@link SteeringDomain#createAso}. Thread-safe. Source: mlx5dv_dr_action_create_aso, in mlx5dv_dr_flow(3).
 */
public final class AsoAction extends SteeringAction {
    private static final String MODIFY = "mlx5dv_dr_action_modify_aso";

    AsoAction(VendorContext base, long address, Referents referents) {
        super(base, address, referents);
    }

    /**
     * Modifies the action for rules created from now on. Since rdma-core 33. Source: mlx5dv_dr_action_modify_aso, in
     * mlx5dv_dr_flow(3).
     *
     * @param offset index of the object among those created together, from 0
     * @param flags {@link AsoFlags} bits of the object's kind
     * @param returnRegister number of the register C that receives the object's value
     * @throws VerbsException {@link Errno#EINVAL} for numbers out of range
     */
    public void modify(int offset, int flags, int returnRegister) {
        int register = Answers.narrow(MODIFY, "returnRegister", returnRegister, 0xff);
        run(
                MODIFY,
                () -> Answers.check(
                        MODIFY,
                        Libmlx5.function(MODIFY, 33)
                                .call(address(), offset & 0xffff_ffffL, flags & 0xffff_ffffL, register)));
    }
}
