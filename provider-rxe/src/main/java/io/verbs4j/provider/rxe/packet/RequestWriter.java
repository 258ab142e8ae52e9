/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

import io.verbs4j.SendFlags;
import io.verbs4j.WrOpcode;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.rxe.qp.RxeQp;
import io.verbs4j.provider.rxe.queue.ScatterList;
import io.verbs4j.provider.rxe.queue.SendWqe;
import io.verbs4j.provider.rxe.share.Receipt;
import io.verbs4j.provider.rxe.share.RingWriter;
import io.verbs4j.provider.rxe.wire.AtomicEth;
import io.verbs4j.provider.rxe.wire.Bth;
import io.verbs4j.provider.rxe.wire.Feth;
import io.verbs4j.provider.rxe.wire.Icrc;
import io.verbs4j.provider.rxe.wire.Ieth;
import io.verbs4j.provider.rxe.wire.ImmDt;
import io.verbs4j.provider.rxe.wire.MaskedAtomicEth;
import io.verbs4j.provider.rxe.wire.Opcode;
import io.verbs4j.provider.rxe.wire.Reth;
import io.verbs4j.provider.rxe.wire.Xrceth;

/** Creates request packets of RC, UC and XRC from send work requests. For one thread at a time. */
final class RequestWriter {
    /** It was written. */
    static final int WRITTEN = 1;

    /** A local key does not allow the data to be read. */
    static final int REFUSED = 2;

    /** The data can't go in this way, or not now; nothing was written. */
    static final int NOT_WRITTEN = 3;

    private final RxeQp qp;
    private final PacketOutput out;
    private final int service;
    private final int mtu;

    /** Index of the first header after BTH and XRCETH. */
    private final int extension;

    /**
     * Whether the ICRC of a flush is computed as the kernel's rxe does, and whether the peer is known to accept the
     * current form.
     */
    private boolean twice;

    private boolean known;

    private final LentMemory memory = new LentMemory();

    RequestWriter(RxeQp qp, PacketOutput out, int service) {
        this.qp = qp;
        this.out = out;
        this.service = service;
        this.extension = Bth.LENGTH + (service == Opcode.XRC ? Xrceth.LENGTH : 0);
        this.mtu = qp.settings().mtu();
    }

    /**
     * Writes a packet of a SEND or RDMA WRITE.
     *
     * @param index index of the packet in the message, from 0
     * @return false if a local key does not allow the data to be read; nothing was written then
     */
    boolean writeData(SendWqe wqe, int index, int psn, boolean ackReq) {
        int length = dataLength(wqe, index);
        int at = out.begin(length);
        if (!fill(wqe, index, psn, ackReq, at, out.address())) {
            return false;
        }
        out.end(length);
        return true;
    }

    /**
     * Writes a packet of a SEND or RDMA WRITE to a ring.
     *
     * @param index index of the packet in the message, from 0
     * @param receipt where the peer may acknowledge it; null if by a packet only
     * @param more whether more packets are likely to follow at once
     * @return {@link #WRITTEN}, {@link #REFUSED} or {@link #NOT_WRITTEN}
     */
    int writeData(RingWriter ring, SendWqe wqe, int index, int psn, boolean ackReq, Receipt receipt, boolean more) {
        int length = dataLength(wqe, index);
        int at = out.beginPacket(ring, length);
        if (at < 0) {
            return NOT_WRITTEN;
        }
        boolean filled = false;
        try {
            filled = fill(wqe, index, psn, ackReq, at, ring.address());
        } finally {
            if (!filled) {
                ring.abandon();
            }
        }
        if (!filled) {
            return REFUSED;
        }
        out.endPacket(ring, length, receipt, more);
        return WRITTEN;
    }

    private int dataOpcode(SendWqe wqe, int index) {
        return opcode(wqe, index == 0, wqe.data.total() - (long) index * mtu <= mtu);
    }

    private int payload(SendWqe wqe, int index) {
        return (int) Math.min(wqe.data.total() - (long) index * mtu, mtu);
    }

    private int dataLength(SendWqe wqe, int index) {
        int payload = payload(wqe, index);
        return Opcode.headerLength(dataOpcode(wqe, index)) + payload + (-payload & 3);
    }

    /** Writes a packet of data to a buffer; returns false if a local key does not allow the data to be read. */
    private boolean fill(SendWqe wqe, int index, int psn, boolean ackReq, int at, long buffer) {
        int payload = payload(wqe, index);
        int pad = -payload & 3;
        int opcode = dataOpcode(wqe, index);
        int headers = Opcode.headerLength(opcode);
        if (payload > 0
                && wqe.data.gather(qp.keys(), qp.pd(), (long) index * mtu, buffer + at + headers, payload)
                        != ScatterList.OK) {
            return false;
        }
        boolean last = wqe.data.total() - (long) index * mtu <= mtu;
        headers(wqe, at, opcode, index == 0, last, pad, ackReq, psn);
        out.pad(at + headers + payload, pad);
        return true;
    }

    /**
     * Writes a span of a SEND or RDMA WRITE in place of packets.
     *
     * @param index index in the message of the first packet that it stands for, from 0
     * @return {@link #WRITTEN}, {@link #REFUSED} or {@link #NOT_WRITTEN}
     */
    int writeSpan(RingWriter ring, SendWqe wqe, int index, long bytes, int psn, boolean ackReq) {
        int at = out.beginSpan(ring);
        if (at < 0) {
            return NOT_WRITTEN;
        }
        int pieces = 0;
        try {
            long offset = (long) index * mtu;
            boolean last = offset + bytes == wqe.data.total();
            int opcode = opcode(wqe, index == 0, last);
            int length = Opcode.headerLength(opcode) + Icrc.LENGTH;
            pieces = wqe.data.lend(
                    qp.keys(),
                    qp.pd(),
                    offset,
                    bytes,
                    ring.pieces(length),
                    RingWriter.MAX_PIECES,
                    ring.lender(),
                    ring.spanEnd());
            if (pieces > 0) {
                headers(wqe, at, opcode, index == 0, last, 0, ackReq, psn);
                memory.lent(ring);
                ring.endSpan(length, pieces, bytes);
            }
        } finally {
            if (pieces <= 0) {
                ring.abandon();
            }
        }
        return pieces > 0 ? WRITTEN : pieces == 0 ? NOT_WRITTEN : REFUSED;
    }

    /** Recalls the memory that was lent to other processes: when this returns, they do not read it any more. */
    void recall() {
        memory.recall();
    }

    private int opcode(SendWqe wqe, boolean first, boolean last) {
        boolean write = wqe.opcode <= WrOpcode.RDMA_WRITE_WITH_IMM;
        if (last && wqe.opcode == WrOpcode.SEND_WITH_INV) {
            return service | (first ? Opcode.RC_SEND_ONLY_WITH_INV : Opcode.RC_SEND_LAST_WITH_INV);
        }
        return service
                | (write ? Opcode.RC_RDMA_WRITE_FIRST : Opcode.RC_SEND_FIRST) + kind(first, last, immediate(wqe, last));
    }

    private static boolean immediate(SendWqe wqe, boolean last) {
        return last && (wqe.opcode == WrOpcode.SEND_WITH_IMM || wqe.opcode == WrOpcode.RDMA_WRITE_WITH_IMM);
    }

    private void headers(
            SendWqe wqe, int at, int opcode, boolean first, boolean last, int pad, boolean ackReq, int psn) {
        int headers = Opcode.headerLength(opcode);
        header(wqe, at, opcode, last && wqe.has(SendFlags.SOLICITED), pad, ackReq, psn);
        if (first && wqe.opcode <= WrOpcode.RDMA_WRITE_WITH_IMM) {
            Reth.write(out.buffer(), at + extension, wqe.remoteAddr, wqe.rkey, wqe.data.total());
        }
        if (immediate(wqe, last)) {
            ImmDt.write(out.buffer(), at + headers - ImmDt.LENGTH, wqe.immData);
        }
        if (last && wqe.opcode == WrOpcode.SEND_WITH_INV) {
            Ieth.write(out.buffer(), at + headers - Ieth.LENGTH, wqe.invalidateRkey);
        }
    }

    private void header(SendWqe wqe, int at, int opcode, boolean solicited, int pad, boolean ackReq, int psn) {
        out.header(at, opcode, solicited, pad, ackReq, psn);
        if (service == Opcode.XRC) {
            Xrceth.write(out.buffer(), at + Bth.LENGTH, wqe.remoteSrqn);
        }
    }

    /**
     * Returns the offset in the order of opcodes: first, middle, last, last with immediate, only, only with immediate.
     */
    private static int kind(boolean first, boolean last, boolean immediate) {
        if (!last) {
            return first ? 0 : 1;
        }
        return (first ? 4 : 2) + (immediate ? 1 : 0);
    }

    /** Writes a request for a part of a read. */
    void writeRead(SendWqe wqe, long offset, long bytes, int psn) {
        int at = out.begin(extension + Reth.LENGTH);
        header(wqe, at, service | Opcode.RC_RDMA_READ_REQUEST, false, 0, true, psn);
        Reth.write(out.buffer(), at + extension, wqe.remoteAddr + offset, wqe.rkey, bytes);
        out.end(extension + Reth.LENGTH);
    }

    /** Writes a request that is answered individually, other than a read. */
    void writeAnswered(SendWqe wqe, int psn) {
        switch (wqe.opcode) {
            case WrOpcode.FLUSH -> writeFlush(wqe, psn);
            case WrOpcode.ATOMIC_WRITE -> writeAtomicWrite(wqe, psn);
            default -> {
                if (wqe.isMasked()) {
                    writeMasked(wqe, psn);
                } else {
                    writeAtomic(wqe, psn);
                }
            }
        }
    }

    private void writeFlush(SendWqe wqe, int psn) {
        int length = Bth.LENGTH + Feth.LENGTH + Reth.LENGTH;
        int at = out.begin(length);
        header(wqe, at, Opcode.RC_FLUSH, false, 0, true, psn);
        Feth.write(out.buffer(), at + Bth.LENGTH, wqe.flushType, wqe.flushLevel);
        Reth.write(out.buffer(), at + Bth.LENGTH + Feth.LENGTH, wqe.remoteAddr, wqe.rkey, wqe.flushLength);
        if (twice) {
            out.endTwice(length);
        } else {
            out.end(length);
        }
    }

    /** Notes that a flush is to be repeated: the peer may drop it because of its ICRC. */
    void flushLost() {
        twice ^= !known;
    }

    /** Notes that a flush that was sent once was answered: the peer accepts the current form of its ICRC. */
    void flushTaken() {
        known = true;
    }

    private void writeAtomicWrite(SendWqe wqe, int psn) {
        int headers = Bth.LENGTH + Reth.LENGTH;
        int at = out.begin(headers + Long.BYTES);
        header(wqe, at, Opcode.RC_ATOMIC_WRITE, false, 0, true, psn);
        Reth.write(out.buffer(), at + Bth.LENGTH, wqe.remoteAddr, wqe.rkey, Long.BYTES);
        NativeMemory.putLong(out.address() + at + headers, wqe.atomicWriteValue); // bytes, like those of any write
        out.end(headers + Long.BYTES);
    }

    private void writeMasked(SendWqe wqe, int psn) {
        boolean swaps = wqe.swaps();
        int length = Bth.LENGTH + MaskedAtomicEth.LENGTH;
        int at = out.begin(length);
        header(wqe, at, swaps ? Opcode.MASKED_COMPARE_SWAP : Opcode.MASKED_FETCH_ADD, false, 0, true, psn);
        int operands = at + Bth.LENGTH;
        MaskedAtomicEth.writePlace(out.buffer(), operands, wqe.remoteAddr, wqe.rkey, wqe.atomicWidth);
        MaskedAtomicEth.writeOperands(
                out.buffer(),
                operands,
                swaps ? wqe.swap : wqe.compareAdd,
                swaps ? wqe.compareAdd : 0,
                swaps ? wqe.swapMask : 0,
                wqe.compareAddMask);
        out.end(length);
    }

    /** Writes an atomic request. */
    private void writeAtomic(SendWqe wqe, int psn) {
        boolean swaps = wqe.swaps();
        int at = out.begin(extension + AtomicEth.LENGTH);
        header(wqe, at, service | (swaps ? Opcode.RC_COMPARE_SWAP : Opcode.RC_FETCH_ADD), false, 0, true, psn);
        AtomicEth.write(
                out.buffer(),
                at + extension,
                wqe.remoteAddr,
                wqe.rkey,
                swaps ? wqe.swap : wqe.compareAdd,
                swaps ? wqe.compareAdd : 0);
        out.end(extension + AtomicEth.LENGTH);
    }
}
