/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.fake.programs;

import io.verbs4j.Context;
import io.verbs4j.EspAesGcm;
import io.verbs4j.Flow;
import io.verbs4j.FlowAction;
import io.verbs4j.FlowActionEspAttr;
import io.verbs4j.FlowActionEspFlags;
import io.verbs4j.FlowAttr;
import io.verbs4j.FlowSpecActionHandle;
import io.verbs4j.QueuePair;
import io.verbs4j.VerbsException;

/** Creates, modifies and uses an ESP flow action. */
final class EspActionCases {
    private EspActionCases() {}

    static void run(Context context, QueuePair qp) {
        byte[] key = new byte[24];
        for (int i = 0; i < key.length; i++) {
            key[i] = (byte) (0x70 + i);
        }
        FlowActionEspAttr attr = new FlowActionEspAttr()
                .spi(0x101)
                .seq(0x202)
                .tfcPad(303)
                .flags(FlowActionEspFlags.FULL_OFFLOAD | FlowActionEspFlags.ENCRYPT)
                .hardLimitPkts(0x1_0000_0404L)
                .esn(0x505)
                .key(new EspAesGcm(key).iv(0x8000_0000_0000_0606L).salt(0x707).icvLen(12))
                .replayWindow(808);
        FlowAction action = context.createFlowActionEsp(attr);
        try (Flow flow = qp.createFlow(new FlowAttr().port(1).specs(new FlowSpecActionHandle(action)))) {
            action.modifyEsp(new FlowActionEspAttr().esn(0x606));
            action.modifyEsp(new FlowActionEspAttr().replayWindow(0));
            failing("to nothing", () -> action.modifyEsp(new FlowActionEspAttr().esn(404)));
            FlowActionEspAttr unknown = new FlowActionEspAttr();
            unknown.masks(1L << 3, 0);
            failing("an unknown part", () -> action.modifyEsp(unknown));
            System.out.println("flow to " + (flow.qp() == qp));
        }
        action.close();
    }

    private static void failing(String what, Runnable verb) {
        try {
            verb.run();
            System.out.println(what + ": nothing failed");
        } catch (VerbsException e) {
            System.out.println(what + ": " + e.getMessage());
        }
    }
}
