/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore;

import io.verbs4j.ContextSlot;
import io.verbs4j.ContextTable;
import io.verbs4j.DeviceAttrEx;
import io.verbs4j.DeviceCap;
import io.verbs4j.FlowAction;
import io.verbs4j.FlowActionEspAttr;
import io.verbs4j.natives.call.NativeFunction;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.layout.ExtendedContextLayout;
import io.verbs4j.rdmacore.marshal.EspArea;
import io.verbs4j.rdmacore.object.IbvObject;
import io.verbs4j.rdmacore.object.NativeFlowAction;
import io.verbs4j.slot.CreateFlowActionEsp;
import io.verbs4j.slot.DestroyFlowAction;
import io.verbs4j.slot.ModifyFlowActionEsp;

/** Implements flow actions, which flows share. */
final class FlowActionVerbs {
    private final NativeContext base;
    private final NativeFunction create;
    private final NativeFunction modify;
    private final NativeFunction destroy;

    FlowActionVerbs(NativeContext base) {
        this.base = base;
        create = base.functions().extended(ExtendedContextLayout.CREATE_FLOW_ACTION_ESP);
        modify = base.functions().extended(ExtendedContextLayout.MODIFY_FLOW_ACTION_ESP);
        destroy = base.functions().extended(ExtendedContextLayout.DESTROY_FLOW_ACTION);
    }

    /**
     * Fills the slots for devices that support flows. No capability reports flow actions; kernels from 5.18 on have
     * none.
     */
    void fill(ContextTable table, DeviceAttrEx told) {
        boolean flows = (told.deviceCapFlagsEx() & DeviceCap.MANAGED_FLOW_STEERING) != 0;
        if (flows && create != null && modify != null && destroy != null) {
            table.fillProvider(ContextSlot.CREATE_FLOW_ACTION_ESP, (CreateFlowActionEsp) this::create);
            table.fillProvider(ContextSlot.MODIFY_FLOW_ACTION_ESP, (ModifyFlowActionEsp) this::modify);
            table.fillProvider(ContextSlot.DESTROY_FLOW_ACTION, (DestroyFlowAction) this::destroy);
        }
    }

    private FlowAction create(FlowActionEspAttr attr) {
        String verb = "create_flow_action_esp";
        Answers.refuseUnknown(verb, attr, EspArea.KNOWN);
        try (Scratch c = new Scratch(EspArea.SIZE)) {
            EspArea.write(c.address(), attr);
            long action = Answers.checkPointer(verb, create.call(base.address(), c.address()));
            return new NativeFlowAction(base.context(), action);
        }
    }

    private void modify(FlowAction action, FlowActionEspAttr attr) {
        String verb = "modify_flow_action_esp";
        Answers.refuseUnknown(verb, attr, EspArea.KNOWN);
        try (Scratch c = new Scratch(EspArea.SIZE)) {
            EspArea.write(c.address(), attr);
            Answers.check(verb, modify.call(((NativeFlowAction) action).ibv.address(), c.address()));
        }
    }

    private void destroy(FlowAction action) {
        IbvObject ibv = ((NativeFlowAction) action).ibv;
        ibv.pin().closeFor(() -> Answers.check("destroy_flow_action", destroy.call(ibv.address())));
    }
}
