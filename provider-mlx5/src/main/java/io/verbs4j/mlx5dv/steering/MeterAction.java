/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv.steering;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.rdmacore.VendorContext;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.quirk.Libmlx5;

/**
 * An action that meters packets, created by {@link Steering#createMeter}. Thread-safe. Source:
 * mlx5dv_dr_action_create_flow_meter, in mlx5dv_dr_flow(3).
 */
public final class MeterAction extends SteeringAction {
    private static final String CREATE = "mlx5dv_dr_action_create_flow_meter";
    private static final String MODIFY = "mlx5dv_dr_action_modify_flow_meter";

    private MeterAction(VendorContext base, long address, Referents referents) {
        super(base, address, referents);
    }

    static MeterAction create(VendorContext base, FlowMeterAttr attr) {
        requireAttr(CREATE, attr);
        HandleMaker<MeterAction> maker = new HandleMaker<>(base, CREATE, 28, KIND, MeterAction::new);
        long table = maker.referents.add("nextTable", attr.nextTable());
        return maker.make(attr.size(), (function, c) -> {
            attr.write(c, table);
            return function.call(c);
        });
    }

    private static void requireAttr(String verb, FlowMeterAttr attr) {
        if (attr == null) {
            throw new VerbsException(Errno.EINVAL, verb, "attr is null; pass a meter");
        }
        Answers.narrow(verb, "register", attr.register(), 0xff);
    }

    /**
     * Modifies the meter; its next table remains the same. Since rdma-core 28. Source:
     * mlx5dv_dr_action_modify_flow_meter, in mlx5dv_dr_flow(3).
     *
     * @param attr the new attributes
     * @param fields the fields to change, as bits in the device's form: {@code modify_field_select}
     */
    public void modify(FlowMeterAttr attr, long fields) {
        requireAttr(MODIFY, attr);
        run(MODIFY, () -> {
            try (Scratch c = new Scratch(attr.size())) {
                attr.write(c.address(), 0);
                Answers.check(
                        MODIFY,
                        Libmlx5.function(MODIFY, 28).call(address(), c.address(), NativeMemory.fromNetwork(fields)));
            }
        });
    }
}
