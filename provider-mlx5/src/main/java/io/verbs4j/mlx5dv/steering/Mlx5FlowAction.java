/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv.steering;

import io.verbs4j.Errno;
import io.verbs4j.FlowActionEspAttr;
import io.verbs4j.FlowActionEspMask;
import io.verbs4j.VerbsException;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.mlx5.layout.DvFlowActionEspLayout;
import io.verbs4j.rdmacore.VendorContext;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.layout.ExtendedContextLayout;
import io.verbs4j.rdmacore.marshal.EspArea;

/**
 * An action that changes packets of a {@link FlowRule}, created by {@link Steering#createModifyHeader},
 * {@link Steering#createPacketReformat} and {@link Steering#createEsp}. Several rules can share it. Thread-safe.
 * Source: {@code struct ibv_flow_action}, mlx5dv_create_flow_action_modify_header(3).
 */
public final class Mlx5FlowAction extends SteeringHandle {
    private static final String KIND = "flow action";
    private static final long NEEDED = FlowActionEspMask.ATTR | FlowActionEspMask.KEY;

    /** Offset of the mlx5-specific attributes, after those of the verbs; the struct has members of 8 bytes. */
    private static final int DV = (EspArea.SIZE + Long.BYTES - 1) & -Long.BYTES;

    private Mlx5FlowAction(VendorContext base, long address, Referents referents) {
        super(base, KIND, address, referents);
    }

    static Mlx5FlowAction modifyHeader(VendorContext base, HeaderChanges changes, int tableType) {
        String verb = "mlx5dv_create_flow_action_modify_header";
        byte[] bytes = bytes(verb, changes);
        return maker(base, verb, 21).make(bytes.length, (function, c) -> {
            NativeMemory.putBytes(c, bytes);
            return function.call(base.address(), bytes.length, c, tableType);
        });
    }

    static Mlx5FlowAction reformat(VendorContext base, int type, byte[] data, int tableType) {
        String verb = "mlx5dv_create_flow_action_packet_reformat";
        byte[] bytes = data == null ? new byte[0] : data;
        return maker(base, verb, 21).make(bytes.length, (function, c) -> {
            NativeMemory.putBytes(c, bytes);
            return function.call(base.address(), bytes.length, bytes.length == 0 ? 0 : c, type, tableType);
        });
    }

    static Mlx5FlowAction esp(VendorContext base, FlowActionEspAttr attr, int actionFlags) {
        String verb = "mlx5dv_create_flow_action_esp";
        if (attr == null || (attr.compMask() & NEEDED) != NEEDED) {
            throw new VerbsException(
                    Errno.EINVAL,
                    verb,
                    attr == null
                            ? "attr is null; pass a security association"
                            : "the mask lacks " + FlowActionEspMask.toString(NEEDED & ~attr.compMask())
                                    + "; set these attributes");
        }
        if (!attr.hasOnly(EspArea.KNOWN, 0)) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    verb,
                    "the mask has bits that are not supported: " + FlowActionEspMask.toString(attr.compMask()));
        }
        return maker(base, verb, 18).make(DV + DvFlowActionEspLayout.SIZEOF, (function, c) -> {
            EspArea.write(c, attr);
            NativeMemory.putLong(c + DV + DvFlowActionEspLayout.COMP_MASK, actionFlags == 0 ? 0 : 1);
            NativeMemory.putInt(c + DV + DvFlowActionEspLayout.ACTION_FLAGS, actionFlags);
            return function.call(base.address(), c, c + DV);
        });
    }

    static byte[] bytes(String verb, HeaderChanges changes) {
        if (changes == null || changes.length() == 0) {
            throw new VerbsException(Errno.EINVAL, verb, "changes is null or empty; pass at least one");
        }
        return changes.toBytes();
    }

    private static HandleMaker<Mlx5FlowAction> maker(VendorContext base, String verb, int since) {
        return new HandleMaker<>(base, verb, since, KIND, Mlx5FlowAction::new);
    }

    @Override
    void destroy() {
        Answers.check(
                "ibv_destroy_flow_action",
                base().functions()
                        .extended(ExtendedContextLayout.DESTROY_FLOW_ACTION)
                        .call(address()));
    }
}
