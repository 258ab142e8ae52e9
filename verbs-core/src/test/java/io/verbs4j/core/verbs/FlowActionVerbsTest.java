/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.verbs;

import static io.verbs4j.core.Failures.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;

import io.verbs4j.Context;
import io.verbs4j.ContextSlot;
import io.verbs4j.Errno;
import io.verbs4j.EspAesGcm;
import io.verbs4j.Flow;
import io.verbs4j.FlowAction;
import io.verbs4j.FlowActionEspAttr;
import io.verbs4j.FlowActionEspFlags;
import io.verbs4j.FlowActionEspMask;
import io.verbs4j.FlowAttr;
import io.verbs4j.FlowSpecActionHandle;
import io.verbs4j.QueuePair;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The library's part of the verbs about actions that flows share. */
class FlowActionVerbsTest {
    private final EthernetRig rig = new EthernetRig();
    private final Context context = rig.context;

    private static FlowActionEspAttr attr(int keyLength) {
        return new FlowActionEspAttr().spi(7).key(new EspAesGcm(new byte[keyLength]));
    }

    @Test
    void flowsKeepTheirActions() {
        FlowActionEspAttr attr = attr(16);
        FlowAction action = context.createFlowActionEsp(attr);
        QueuePair qp = rig.rawQp();
        Flow one = qp.createFlow(new FlowAttr().port(1).specs(new FlowSpecActionHandle(action)));
        Flow other = qp.createFlow(new FlowAttr().port(1).specs(new FlowSpecActionHandle(action)));

        verify(rig.createAction).createFlowActionEsp(attr);
        assertFails(Errno.EBUSY, action::close, "destroy_flow_action", "2 flows");
        one.close();
        assertFails(Errno.EBUSY, action::close, "destroy_flow_action", "1 flow");
        verify(rig.destroyAction, never()).destroyFlowAction(any());
        assertFails(Errno.EBUSY, context::close, "1 flow action");
        other.close();
        action.close();
        action.close();
        verify(rig.destroyAction, times(1)).destroyFlowAction(action);
        assertFails(
                Errno.EINVAL,
                () -> qp.createFlow(new FlowAttr().port(1).specs(new FlowSpecActionHandle(action))),
                "create_flow",
                "flow action",
                "closed");
        FlowAction foreign = new EthernetRig().context.createFlowActionEsp(attr);
        assertFails(
                Errno.EINVAL,
                () -> qp.createFlow(new FlowAttr().port(1).specs(new FlowSpecActionHandle(foreign))),
                "specs[0].action",
                "another context");
        assertFails(Errno.EINVAL, () -> action.modifyEsp(attr), "modify_flow_action_esp", "closed");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 8, 15, 20, 33, 40})
    void keysOfAnotherLengthAreRefused(int length) {
        assertFails(
                Errno.EINVAL,
                () -> context.createFlowActionEsp(attr(length)),
                "create_flow_action_esp",
                "the key has " + length + " bytes");
        verify(rig.createAction, never()).createFlowActionEsp(any());
    }

    @ParameterizedTest
    @ValueSource(ints = {-8, 0, 7, 10, 17, 20})
    void checkValuesOfAnotherLengthAreRefused(int length) {
        FlowActionEspAttr attr = new FlowActionEspAttr().spi(7).key(new EspAesGcm(new byte[16]).icvLen(length));
        assertFails(Errno.EINVAL, () -> context.createFlowActionEsp(attr), "icvLen is " + length);
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 12, 16})
    void checkValuesOfGcmAreTaken(int length) {
        context.createFlowActionEsp(new FlowActionEspAttr().spi(7).key(new EspAesGcm(new byte[16]).icvLen(length)))
                .close();
    }

    @ParameterizedTest
    @ValueSource(ints = {16, 24, 32})
    void keysOfAesAreTaken(int length) {
        context.createFlowActionEsp(attr(length)).close();
    }

    @Test
    void anActionHasParametersAndAKey() {
        assertFails(Errno.EINVAL, () -> context.createFlowActionEsp(null), "attr is null");
        assertFails(Errno.EINVAL, () -> context.createFlowActionEsp(new FlowActionEspAttr().spi(1)), "lacks KEY");
        assertFails(
                Errno.EINVAL,
                () -> context.createFlowActionEsp(new FlowActionEspAttr().key(new EspAesGcm(new byte[16]))),
                "lacks ATTR");
        assertFails(Errno.EINVAL, () -> context.createFlowActionEsp(attr(16).key(null)), "lacks KEY");
        assertFails(Errno.EINVAL, () -> context.createFlowActionEsp(attr(16).replayWindow(64)), "lacks FULL_OFFLOAD");
        context.createFlowActionEsp(
                attr(16).replayWindow(64).flags(FlowActionEspFlags.FULL_OFFLOAD | FlowActionEspFlags.ENCRYPT));
        FlowActionEspAttr later = attr(16);
        later.masks(later.compMask() | 1L << 40, 0);
        assertFails(Errno.EOPNOTSUPP, () -> context.createFlowActionEsp(later), "0x10000000000");
    }

    @Test
    void changesHaveWhatChanges() {
        FlowAction action = context.createFlowActionEsp(attr(16));
        FlowActionEspAttr change = new FlowActionEspAttr().esn(5);

        action.modifyEsp(change);
        verify(rig.modifyAction).modifyFlowActionEsp(action, change);
        assertThat(change.compMask()).isEqualTo(FlowActionEspMask.ESN);
        action.modifyEsp(new FlowActionEspAttr().replayWindow(32)); // of what it is, the action knows
        assertFails(
                Errno.EINVAL,
                () -> action.modifyEsp(new FlowActionEspAttr().replayWindow(-1)),
                "modify_flow_action_esp",
                "replayWindow is -1");
        assertFails(Errno.EINVAL, () -> action.modifyEsp(null), "attr is null");
    }

    @Test
    void olderProvidersHaveNone() {
        Context old = new EthernetRig(ContextSlot.CREATE_FLOW_ACTION_ESP).context;

        assertFails(Errno.EOPNOTSUPP, () -> old.createFlowActionEsp(attr(16)), "create_flow_action_esp");
    }

    @Test
    void wordsKeepTheKeySecret() {
        FlowActionEspAttr attr = new FlowActionEspAttr()
                .flags(FlowActionEspFlags.TRANSPORT)
                .key(new EspAesGcm(new byte[] {77, 77, 77, 77, 77, 77, 77, 77, 77, 77, 77, 77, 77, 77, 77, 77}));

        assertThat(attr.toString())
                .contains("flags TRANSPORT", "AES-GCM of 128 bits, icvLen 16")
                .doesNotContain("77");
    }
}
