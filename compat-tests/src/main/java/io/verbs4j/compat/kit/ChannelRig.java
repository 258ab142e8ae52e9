/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import io.verbs4j.Errno;
import io.verbs4j.QueuePair;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WrOpcode;

/** Two pairs of sides for the rules about cross channel: one waits for another. See {@link ChannelRules}. */
final class ChannelRig extends Rig {
    static final String DESCRIBED =
            "the Javadoc of WrOpcode.CQE_WAIT, SEND_ENABLE and RECV_ENABLE, and of QpCreateFlags";
    static final String POST = "QueuePair.postSend";

    /** Two more sides; {@code c} works after {@code a}. */
    Side c;

    Side d;

    ChannelRig(ProviderKit kit) {
        super(kit);
    }

    /** Connects {@code c} and {@code d}, and {@code a} and {@code b}; {@code c} is on the context of {@code a}. */
    void startPairs(int flags) {
        start();
        c = new Side(this, a.context, 3);
        c.createFlags = flags;
        c.create();
        d = side(4).create();
        Side.connect(c, d);
    }

    SendWorkRequest waits(long wrId, int count) {
        return c.wr(WrOpcode.CQE_WAIT, wrId).waitCq(a.cq).waitCount(count);
    }

    SendWorkRequest enables(int opcode, long wrId, QueuePair whom, int count) {
        return c.wr(opcode, wrId).enableQp(whom).waitCount(count);
    }

    void working(Side side, Side there, long wrId) {
        there.ready(wrId, 0, 100);
        side.post(side.operation(there, wrId, 0, 0, 100));
    }

    void refused(String what, SendWorkRequest wr) {
        Seen.errno("postSend of " + what, Errno.EINVAL, c.qp.postSend(wr));
    }
}
