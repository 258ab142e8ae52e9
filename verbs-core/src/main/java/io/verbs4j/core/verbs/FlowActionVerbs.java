/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.verbs;

import io.verbs4j.ContextSlot;
import io.verbs4j.FlowAction;
import io.verbs4j.FlowActionEspAttr;
import io.verbs4j.FlowActionEspFlags;
import io.verbs4j.FlowActionEspMask;
import io.verbs4j.core.base.Arguments;
import io.verbs4j.slot.CreateFlowActionEsp;
import io.verbs4j.slot.DestroyFlowAction;
import io.verbs4j.slot.ModifyFlowActionEsp;
import java.util.List;

/** The library's part of the verbs about actions that flows share. */
final class FlowActionVerbs implements CreateFlowActionEsp, ModifyFlowActionEsp, DestroyFlowAction {
    private static final int SHORTEST_KEY = 16;
    private static final int LONGEST_KEY = 32;
    private static final int SHORTEST_CHECK = 8;

    private final ObjectState context;
    private final ProviderSide side;
    private final Handles handles;

    FlowActionVerbs(ObjectState context, ProviderSide side, Handles handles) {
        this.context = context;
        this.side = side;
        this.handles = handles;
    }

    @Override
    public FlowAction createFlowActionEsp(FlowActionEspAttr attr) {
        String verb = "create_flow_action_esp";
        check(verb, attr);
        Masks.need(verb, attr, FlowActionEspMask.ATTR | FlowActionEspMask.KEY, FlowActionEspMask::toString);
        CreateFlowActionEsp provider = side.slot(verb, ContextSlot.CREATE_FLOW_ACTION_ESP, CreateFlowActionEsp.class);
        Creation creation = handles.begin(verb, new ObjectState(context.owner(), Kind.FLOW_ACTION, List.of(context)));
        try (creation) {
            return creation.done(creation.made(provider.createFlowActionEsp(attr)));
        } catch (Throwable t) {
            throw side.failed(verb, t);
        }
    }

    private static void check(String verb, FlowActionEspAttr attr) {
        Arguments.notNull(verb, "attr", attr);
        Masks.check(verb, attr, 0, 0, FlowActionEspMask::toString);
        if (attr.key() != null) {
            int length = attr.key().aesKey().length;
            if (length < SHORTEST_KEY || length > LONGEST_KEY || length % Long.BYTES != 0) {
                throw Arguments.invalid(verb, "the key has " + length + " bytes; an AES key has 16, 24 or 32");
            }
            int check = attr.key().icvLen();
            if (check < SHORTEST_CHECK || check > SHORTEST_KEY || check % Integer.BYTES != 0) {
                throw Arguments.invalid(verb, "icvLen is " + check + "; it must be 8, 12 or 16");
            }
        }
        boolean protects = (attr.compMask() & FlowActionEspMask.REPLAY) != 0;
        if (protects) {
            Arguments.atLeast(verb, "replayWindow", attr.replayWindow(), 0);
        }
        boolean described = (attr.compMask() & FlowActionEspMask.ATTR) != 0;
        if (protects && described && (attr.flags() & FlowActionEspFlags.FULL_OFFLOAD) == 0) {
            throw Arguments.invalid(
                    verb, "replayWindow is set, but flags lacks FULL_OFFLOAD; without it, the program detects replays");
        }
    }

    @Override
    public void modifyFlowActionEsp(FlowAction action, FlowActionEspAttr attr) {
        String verb = "modify_flow_action_esp";
        ObjectState state = handles.find(verb, "action", action);
        check(verb, attr);
        ModifyFlowActionEsp provider = side.slot(verb, ContextSlot.MODIFY_FLOW_ACTION_ESP, ModifyFlowActionEsp.class);
        side.change(verb, state, () -> provider.modifyFlowActionEsp(action, attr));
    }

    @Override
    public void destroyFlowAction(FlowAction action) {
        String verb = "destroy_flow_action";
        DestroyFlowAction provider = side.slot(verb, ContextSlot.DESTROY_FLOW_ACTION, DestroyFlowAction.class);
        handles.destroy(verb, "action", action, p -> provider.destroyFlowAction(action));
    }
}
