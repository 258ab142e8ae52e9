/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa.sim.programs;

import io.verbs4j.AddressHandle;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.rdmacore.sim.Check;
import java.util.Arrays;

/**
 * Checks that a post is refused exactly if it is explained, over operations, flags, pieces, lengths and address
 * handles.
 */
public final class ExplainedPostsProgram {
    private static final int[] FLAGS = {
        0,
        SendFlags.SIGNALED,
        SendFlags.SIGNALED | SendFlags.FENCE,
        SendFlags.SIGNALED | SendFlags.SOLICITED,
        SendFlags.SIGNALED | SendFlags.INLINE,
        SendFlags.SIGNALED | 1 << 20
    };

    private ExplainedPostsProgram() {}

    public static void main(String... args) {
        int refused = 0;
        for (int type : new int[] {QpType.DRIVER, QpType.UD}) {
            try (EfaRig rig = new EfaRig(type);
                    ProtectionDomain elsewhere = rig.context.allocPd();
                    AddressHandle foreign = elsewhere.createAh(EfaRig.way(rig.context))) {
                for (int opcode = 0; opcode <= 16; opcode++) {
                    for (int flags : FLAGS) {
                        for (int pieces = 0; pieces <= 3; pieces++) {
                            refused += agree(rig, type, opcode, flags, pieces, 8, rig.ah);
                        }
                        refused += agree(rig, type, opcode, flags, 1, 33, rig.ah);
                        refused += agree(rig, type, opcode, flags, 1, -1, rig.ah);
                        refused += agree(rig, type, opcode, flags, 1, 8, null);
                        refused += agree(rig, type, opcode, flags, 1, 8, foreign);
                    }
                }
            }
        }
        Check.require(refused > 500, "only " + refused + " were refused");
        System.out.println("explained ok");
    }

    /** Returns 1 if the request is refused. */
    private static int agree(EfaRig rig, int type, int opcode, int flags, int pieces, int length, AddressHandle ah) {
        ScatterGatherElement[] list = new ScatterGatherElement[pieces];
        Arrays.setAll(list, i -> rig.at(i * 64, length));
        SendWorkRequest wr = rig.send(1, list)
                .opcode(opcode)
                .sendFlags(flags)
                .ah(ah)
                .remoteAddr(rig.mr.addr())
                .rkey(rig.mr.rkey());
        try (QueuePair qp = rig.pd.createQp(rig.attr(type))) {
            EfaRig.ready(qp);
            String why = qp.explain(wr);
            int errno = qp.postSend(wr, null);
            if (errno != 0 != (why != null)) {
                throw new IllegalStateException(
                        "opcode " + opcode + " flags 0x" + Integer.toHexString(flags) + " pieces " + pieces + " length "
                                + length + " ah " + (ah == rig.ah) + ": errno " + errno + ", but " + why);
            }
            return errno == 0 ? 0 : 1;
        }
    }
}
