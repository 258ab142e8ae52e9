/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.local;

import io.verbs4j.SendFlags;
import io.verbs4j.WrOpcode;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.rxe.qp.InboundMessage;
import io.verbs4j.provider.rxe.qp.Inbox;
import io.verbs4j.provider.rxe.qp.RemoteQueues;
import io.verbs4j.provider.rxe.qp.RxeQp;
import io.verbs4j.provider.rxe.queue.ScatterList;
import io.verbs4j.provider.rxe.queue.SendWqe;
import io.verbs4j.provider.rxe.wire.Bth;
import io.verbs4j.provider.rxe.wire.Icrc;
import io.verbs4j.provider.rxe.wire.ImmDt;
import io.verbs4j.provider.rxe.wire.Opcode;
import io.verbs4j.provider.rxe.wire.Packet;
import io.verbs4j.provider.rxe.wire.Reth;
import io.verbs4j.provider.rxe.wire.Xrceth;
import java.nio.ByteBuffer;

/**
 * Delivers messages of a sender in this JVM to a shared receive queue of another process: as packets, the form that the
 * process accepts. The posting thread waits until it has accepted them. Guarded by the receive lock.
 */
final class ForeignDelivery {
    /** The sender's own memory does not permit the access. Continues the constants of {@link InboundMessage}. */
    static final int LOCAL_PROTECTION = 100;

    /** The response would consist of other packets than the sender expects. */
    static final int BAD_RESPONSE = 101;

    private static final int PIECE = 4096;

    private final ByteBuffer buffer = ByteBuffer.allocateDirect(PIECE + 256);
    private final long start = NativeMemory.address(buffer);
    private final Packet packet = new Packet();
    private final Inbox inbox;

    ForeignDelivery(Inbox inbox) {
        this.inbox = inbox;
    }

    /** Delivers a SEND or RDMA WRITE. */
    int deliver(RxeQp from, SendWqe wqe) {
        RemoteQueues there = inbox.remote();
        int mtu = inbox.mtu();
        long total = wqe.data.total();
        long offset = 0;
        do {
            int payload = (int) Math.min(mtu, total - offset);
            if (!write(from, wqe, offset, payload)) {
                there.abandon();
                return LOCAL_PROTECTION;
            }
            int result = there.accept(inbox.accessFlags(), packet);
            if (result != InboundMessage.OK) {
                if (result == InboundMessage.NOT_READY) {
                    there.abandon(); // it is sent again as a whole
                }
                return result;
            }
            offset += payload;
        } while (offset < total);
        return InboundMessage.OK;
    }

    private boolean write(RxeQp from, SendWqe wqe, long offset, int payload) {
        boolean first = offset == 0;
        boolean last = offset + payload == wqe.data.total();
        boolean write = wqe.opcode == WrOpcode.RDMA_WRITE || wqe.opcode == WrOpcode.RDMA_WRITE_WITH_IMM;
        boolean immediate =
                last && (wqe.opcode == WrOpcode.SEND_WITH_IMM || wqe.opcode == WrOpcode.RDMA_WRITE_WITH_IMM);
        // The order of opcodes: first, middle, last, last with immediate, only, only with immediate.
        int kind = last ? (first ? 4 : 2) + (immediate ? 1 : 0) : first ? 0 : 1;
        int opcode = Opcode.XRC | (write ? Opcode.RC_RDMA_WRITE_FIRST : Opcode.RC_SEND_FIRST) + kind;
        int headers = Opcode.headerLength(opcode);
        int pad = -payload & 3;
        boolean solicited = last && wqe.has(SendFlags.SOLICITED);
        Bth.write(buffer, 0, opcode, solicited, false, pad, Bth.DEFAULT_PKEY, 0, false, 0);
        Xrceth.write(buffer, Bth.LENGTH, wqe.remoteSrqn);
        if (write && first) {
            Reth.write(buffer, Bth.LENGTH + Xrceth.LENGTH, wqe.remoteAddr, wqe.rkey, wqe.data.total());
        }
        if (immediate) {
            ImmDt.write(buffer, headers - ImmDt.LENGTH, wqe.immData);
        }
        if (payload > 0
                && wqe.data.gather(from.keys(), from.pd(), offset, start + headers, payload) != ScatterList.OK) {
            return false;
        }
        return packet.parse(buffer, 0, headers + payload + pad + Icrc.LENGTH) == Packet.OK;
    }

    /**
     * Fetches the data of an RDMA READ. {@code fits} says whether both sides would split it into the same number of
     * packets.
     */
    int read(RxeQp from, SendWqe wqe, boolean fits) {
        RemoteQueues there = inbox.remote();
        long total = wqe.data.total();
        int result = there.check(inbox.accessFlags(), wqe.remoteSrqn, wqe.rkey, wqe.remoteAddr, total);
        if (result == InboundMessage.OK && !fits) {
            return BAD_RESPONSE;
        }
        for (long offset = 0; offset < total && result == InboundMessage.OK; offset += PIECE) {
            int bytes = (int) Math.min(PIECE, total - offset);
            long piece = start;
            result = there.read(inbox.accessFlags(), wqe.remoteSrqn, wqe.rkey, wqe.remoteAddr + offset, bytes, piece);
            if (result == InboundMessage.OK
                    && wqe.data.scatter(from.keys(), from.pd(), offset, piece, bytes) != ScatterList.OK) {
                result = LOCAL_PROTECTION;
            }
        }
        return result;
    }

    /** Executes an atomic operation. */
    int atomic(RxeQp from, SendWqe wqe) {
        boolean swaps = wqe.swaps();
        int result = inbox.remote()
                .atomic(
                        inbox.accessFlags(),
                        wqe.remoteSrqn,
                        wqe.rkey,
                        wqe.remoteAddr,
                        swaps,
                        swaps ? wqe.compareAdd : 0,
                        swaps ? wqe.swap : wqe.compareAdd);
        if (result == InboundMessage.OK) {
            long address = start;
            NativeMemory.putLong(address, inbox.remote().found());
            if (wqe.data.scatter(from.keys(), from.pd(), 0, address, Long.BYTES) != ScatterList.OK) {
                result = LOCAL_PROTECTION;
            }
        }
        return result;
    }
}
