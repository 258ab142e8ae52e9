/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.fuzz;

import io.verbs4j.QpType;
import io.verbs4j.provider.rxe.link.TxBatch;
import io.verbs4j.provider.rxe.wire.Bth;
import io.verbs4j.provider.rxe.wire.Opcode;
import io.verbs4j.provider.rxe.wire.Reth;
import java.util.Arrays;

/** A correct conversation, to check that a device still works properly. */
final class Conversation {
    private static final int MESSAGES = 100;

    private Conversation() {}

    /** Sends, writes and reads, packet by packet over the pipe; each is accepted and answered. */
    static void hold(Range range) {
        for (Mark mark : range.marks) {
            if (mark.role == Mark.Role.RTS && mark.qp.qpType() == QpType.RC) {
                mark.prepare();
                range.settle();
                for (int i = 0; i < MESSAGES; i++) {
                    send(range, mark, 3 * i);
                    write(range, mark, 3 * i + 1);
                    read(range, mark, 3 * i + 2);
                    mark.refill();
                }
            }
        }
    }

    private static int psn(Mark mark) {
        return mark.qp.path().rqPsn();
    }

    private static void send(Range range, Mark mark, int n) {
        long before = range.received;
        exchange(range, mark, Opcode.RC_SEND_ONLY, new byte[] {(byte) n, 2, 3, 4}, 0);
        require(range.received == before + 1, "a SEND was not received");
    }

    private static void write(Range range, Mark mark, int n) {
        byte[] data = {(byte) n, 6, 7, 8};
        exchange(range, mark, Opcode.RC_RDMA_WRITE_ONLY, data, data.length);
        byte[] there = range.grounds.openBytes(0, data.length);
        require(Arrays.equals(there, data), "an RDMA WRITE did not arrive");
    }

    private static void read(Range range, Mark mark, int n) {
        require(n > 0, "nothing to read");
        exchange(range, mark, Opcode.RC_RDMA_READ_REQUEST, new byte[0], 100);
    }

    private static void exchange(Range range, Mark mark, int opcode, byte[] data, int rethLength) {
        long answers = range.answered;
        int psn = psn(mark);
        TxBatch batch = range.peerLink.newBatch();
        var to = range.link.localGid();
        int headers = Opcode.headerLength(opcode);
        int at = batch.begin(to.subnetPrefix(), to.interfaceId(), headers + data.length);
        Bth.write(batch.buffer(), at, opcode, false, true, 0, Bth.DEFAULT_PKEY, mark.qp.qpNum(), true, psn);
        if (Opcode.hasReth(opcode)) {
            Reth.write(
                    batch.buffer(), at + Bth.LENGTH, range.grounds.open.addr(), range.grounds.open.rkey(), rethLength);
        }
        batch.buffer().put(at + headers, data);
        batch.end(headers + data.length);
        batch.flush();
        range.poll();
        require(psn(mark) == (psn + 1 & 0xffffff), Opcode.name(opcode) + " was not accepted");
        require(
                range.answered == answers + 1,
                Opcode.name(opcode) + " was answered " + (range.answered - answers) + " times");
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw new AssertionError("after the storm: " + message);
        }
    }
}
