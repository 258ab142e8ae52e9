/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Errno;
import io.verbs4j.OpsFlags;
import io.verbs4j.OpsWorkRequest;
import io.verbs4j.OpsWrOpcode;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.TmHeader;
import io.verbs4j.WcFlags;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WcTmInfo;
import io.verbs4j.WrOpcode;
import io.verbs4j.testsupport.Patience;
import java.util.concurrent.TimeUnit;

/** Two sides, of which the second matches tags. */
final class Tags {
    static final int PRIV = 0x5e5f6061;

    /** Id of operations on the list. */
    static final int OP = 99;

    private final Side a;
    private final Side b;
    private final WcTmInfo info = new WcTmInfo();

    Tags(Side a, Side b) {
        this.a = a;
        this.b = b;
    }

    static OpsWorkRequest op(int opcode, int flags) {
        return new OpsWorkRequest().wrId(OP).opcode(opcode).flags(flags);
    }

    static OpsWorkRequest add(long recvWrId, long tag, long mask, ScatterGatherElement... buffer) {
        return op(OpsWrOpcode.TAG_ADD, OpsFlags.SIGNALED)
                .recvWrId(recvWrId)
                .tag(tag)
                .mask(mask)
                .sgList(buffer);
    }

    static OpsWorkRequest sync(int count) {
        return op(OpsWrOpcode.TAG_SYNC, OpsFlags.SIGNALED | OpsFlags.TM_SYNC).unexpectedCnt(count);
    }

    /** Posts an operation and expects a completion with these flags. */
    OpsWorkRequest run(OpsWorkRequest wr, int wcFlags) {
        assertThat(b.srq.postSrqOps(wr)).isZero();
        int opcode = WcOpcode.TM_ADD + wr.opcode();
        arrives(OP, WcStatus.SUCCESS, opcode, wcFlags, 0, 0, 0);
        return wr;
    }

    /** Adds a buffer. */
    OpsWorkRequest add(long recvWrId, long tag, int offset, int length) {
        return run(add(recvWrId, tag, -1, b.sge(offset, length)), 0);
    }

    /** Writes the header of a message at the beginning of the sender's memory. */
    void header(int operation, long tag) {
        TmHeader.write(a.buffer, 0, operation, PRIV, tag);
    }

    /** Sends a message: a header, and bytes of the sender's pattern. */
    void send(int operation, long tag, int payload) {
        header(operation, tag);
        a.post(Side.wr(WrOpcode.SEND, 7, a.sge(0, TmHeader.LENGTH + payload)));
        a.next(7, WcStatus.SUCCESS);
    }

    /** Sends an eager message, which must be matched. */
    void sendMatched(long recvWrId, long tag, int payload) {
        send(TmHeader.EAGER, tag, payload);
        arrives(recvWrId, WcOpcode.TM_RECV, WcFlags.TM_MATCH | WcFlags.TM_DATA_VALID, payload, tag, PRIV);
    }

    /** Sends an eager message, which must be unexpected. */
    void sendUnexpected(long wrId, long tag, int payload) {
        send(TmHeader.EAGER, tag, payload);
        arrives(wrId, WcOpcode.TM_RECV, 0, TmHeader.LENGTH + payload, 0, 0);
    }

    void arrives(long wrId, int opcode, int wcFlags, int bytes, long tag, int priv) {
        arrives(wrId, WcStatus.SUCCESS, opcode, wcFlags, bytes, tag, priv);
    }

    /** Checks the next completion of the matching side. */
    void arrives(long wrId, int status, int opcode, int wcFlags, int bytes, long tag, int priv) {
        CompletionQueue cq = b.cq;
        start(cq);
        info.tag(1).priv(1);
        cq.readTmInfo(info);
        String is = cq.wrId() + " " + WcStatus.toString(cq.status()) + " " + WcOpcode.toString(cq.readOpcode()) + " "
                + WcFlags.toString(cq.readWcFlags()) + ", " + cq.readByteLen() + ", " + info;
        assertThat(cq.endPoll()).isZero();
        info.tag(tag).priv(priv);
        assertThat(is)
                .isEqualTo(wrId + " " + WcStatus.toString(status) + " " + WcOpcode.toString(opcode) + " "
                        + WcFlags.toString(wcFlags) + ", " + bytes + ", " + info);
    }

    /** Expects the next completion of the matching side to have failed. */
    void fails(long wrId, int status) {
        CompletionQueue cq = b.cq;
        start(cq);
        String is = cq.wrId() + " " + WcStatus.toString(cq.status());
        assertThat(cq.endPoll()).isZero();
        assertThat(is).isEqualTo(wrId + " " + WcStatus.toString(status));
    }

    private static void start(CompletionQueue cq) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(Patience.SECONDS);
        for (int turn = 0; ; turn++) {
            int error = cq.startPoll(null);
            if (error == 0) {
                return;
            }
            assertThat(error).isEqualTo(Errno.ENOENT);
            assertThat(System.nanoTime()).as("no completion in time").isLessThan(end);
            Patience.pause(turn);
        }
    }

    /** Expects no further completion on the matching side. */
    void nothingMore() {
        assertThat(b.cq.startPoll(null)).isEqualTo(Errno.ENOENT);
    }
}
