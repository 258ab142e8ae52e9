/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.fuzz;

import io.verbs4j.MemoryRegion;
import io.verbs4j.QpType;
import io.verbs4j.TmHeader;
import io.verbs4j.provider.rxe.qp.SendPath;
import io.verbs4j.provider.rxe.queue.SendQueue;
import io.verbs4j.provider.rxe.wire.Aeth;
import io.verbs4j.provider.rxe.wire.AtomicAckEth;
import io.verbs4j.provider.rxe.wire.AtomicEth;
import io.verbs4j.provider.rxe.wire.Bth;
import io.verbs4j.provider.rxe.wire.Deth;
import io.verbs4j.provider.rxe.wire.Feth;
import io.verbs4j.provider.rxe.wire.Icrc;
import io.verbs4j.provider.rxe.wire.Ieth;
import io.verbs4j.provider.rxe.wire.ImmDt;
import io.verbs4j.provider.rxe.wire.MaskedAtomicEth;
import io.verbs4j.provider.rxe.wire.Opcode;
import io.verbs4j.provider.rxe.wire.Reth;
import io.verbs4j.provider.rxe.wire.Xrceth;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/** Makes packets that a queue pair might almost accept, knowing what each expects. */
final class Forge {
    /** Room for a packet, however it is modified. */
    static final int CAPACITY = 8192;

    private static final int ANY_OPCODE = 256;
    private static final int[] RC_STARTS = {
        Opcode.RC_SEND_FIRST,
        Opcode.RC_SEND_ONLY,
        Opcode.RC_SEND_ONLY_WITH_IMM,
        Opcode.RC_RDMA_WRITE_FIRST,
        Opcode.RC_RDMA_WRITE_ONLY,
        Opcode.RC_RDMA_WRITE_ONLY_WITH_IMM,
        Opcode.RC_RDMA_READ_REQUEST,
        Opcode.RC_COMPARE_SWAP,
        Opcode.RC_FETCH_ADD,
        Opcode.RC_SEND_ONLY_WITH_INV
    };

    /** Only in RC. */
    private static final int[] RC_MORE = {
        Opcode.RC_FLUSH, Opcode.RC_ATOMIC_WRITE, Opcode.MASKED_COMPARE_SWAP, Opcode.MASKED_FETCH_ADD
    };

    private static final int[] RC_ANSWERS = {
        Opcode.RC_ACKNOWLEDGE,
        Opcode.RC_ACKNOWLEDGE,
        Opcode.RC_ATOMIC_ACKNOWLEDGE,
        Opcode.RC_RDMA_READ_RESPONSE_ONLY,
        Opcode.RC_RDMA_READ_RESPONSE_FIRST,
        Opcode.RC_RDMA_READ_RESPONSE_MIDDLE,
        Opcode.RC_RDMA_READ_RESPONSE_LAST
    };
    /** Payloads of the expected responses. */
    private static final int[] READ_PARTS = {Mark.MTU, Mark.MTU, Mark.MTU, 1000 % Mark.MTU, 3};

    private static final int LARGEST_MESSAGE = 1500;

    private final SplittableRandom random;
    private final Grounds grounds;
    final ByteBuffer buffer = ByteBuffer.allocateDirect(CAPACITY);

    Forge(SplittableRandom random, Grounds grounds) {
        this.random = random;
        this.grounds = grounds;
        for (int i = 0; i < CAPACITY; i += Long.BYTES) {
            buffer.putLong(i, random.nextLong());
        }
    }

    private boolean chance(int oneIn) {
        return random.nextInt(oneIn) == 0;
    }

    /** Makes a packet at the beginning of the buffer; returns its length including the place of the ICRC. */
    int packet(Mark mark) {
        int opcode = opcode(mark);
        int payload = Opcode.hasPayload(opcode) ? payload(mark, opcode) : chance(50) ? random.nextInt(8) : 0;
        int pad = chance(100) ? random.nextInt(4) : -payload & 3;
        int destination = chance(100) ? random.nextInt() : mark.qp.qpNum();
        int pkey = chance(50) ? random.nextInt(65536) : Bth.DEFAULT_PKEY;
        Bth.write(
                buffer,
                0,
                opcode,
                chance(8),
                chance(2),
                pad,
                pkey,
                destination & 0xffffff,
                chance(3),
                psn(mark, opcode) & 0xffffff);
        extensions(mark, opcode, payload);
        int headers = Math.max(Opcode.headerLength(opcode), Bth.LENGTH);
        if (mark.role == Mark.Role.TAGS && payload > 0 && !chance(10)) {
            tags(headers);
        }
        int length = headers + payload + pad + Icrc.LENGTH;
        return chance(50) ? damage(length) : length;
    }

    /** Overwrites headers of a tagged message; the packet may end before they do. */
    private void tags(int at) {
        TmHeader.writeRndv(
                buffer,
                at,
                random.nextInt(),
                random.nextInt(4),
                random.nextLong(),
                random.nextInt(),
                chance(4) ? random.nextInt() : random.nextInt(Mark.RECEIVE_BYTES));
        buffer.put(at, (byte) (chance(20) ? random.nextInt() : random.nextInt(4)));
    }

    private int damage(int length) {
        for (int flips = random.nextInt(3); flips > 0; flips--) {
            int at = random.nextInt(Math.min(length, 40));
            buffer.put(at, (byte) (buffer.get(at) ^ 1 << random.nextInt(8)));
        }
        return switch (random.nextInt(6)) {
            case 0 -> random.nextInt(length + 1);
            case 1 -> length + random.nextInt(64);
            default -> length;
        };
    }

    // ---- opcodes

    private int opcode(Mark mark) {
        if (chance(100)) {
            return random.nextInt(ANY_OPCODE);
        }
        int type = mark.qp.qpType();
        if (type == QpType.UD) {
            return chance(2) ? Opcode.UD_SEND_ONLY : Opcode.UD_SEND_ONLY_WITH_IMM;
        }
        if (mark.underWay >= 0 && !chance(20)) {
            return goOn(mark);
        }
        mark.underWay = -1;
        boolean sends = type == QpType.RC || type == QpType.XRC_SEND;
        int service = type == QpType.UC ? Opcode.UC : type == QpType.RC ? Opcode.RC : Opcode.XRC;
        if (sends && (mark.role == Mark.Role.BUSY ? !chance(3) : chance(10))) {
            return service | RC_ANSWERS[random.nextInt(RC_ANSWERS.length)];
        }
        if (type == QpType.RC && chance(6)) {
            mark.left = 0;
            return RC_MORE[random.nextInt(RC_MORE.length)];
        }
        int opcode = service | RC_STARTS[random.nextInt(type == QpType.UC ? 6 : RC_STARTS.length)];
        if (Opcode.isFirst(opcode)) {
            mark.underWay = opcode;
            mark.left = Mark.MTU + 1 + random.nextInt(LARGEST_MESSAGE);
        } else {
            mark.left = random.nextInt(Mark.MTU + 1);
        }
        return opcode;
    }

    /** The next packet of a message: the opcodes of a kind are consecutive. */
    private int goOn(Mark mark) {
        if (mark.left > Mark.MTU) {
            return mark.underWay + 1;
        }
        boolean invalidates = mark.underWay == Opcode.RC_SEND_FIRST && chance(3);
        int last = invalidates ? Opcode.RC_SEND_LAST_WITH_INV : mark.underWay + (chance(2) ? 2 : 3);
        mark.underWay = -1;
        return last;
    }

    private int payload(Mark mark, int opcode) {
        if (chance(100)) {
            return random.nextInt(chance(10) ? 5000 : 300);
        }
        if (Opcode.service(opcode) == Opcode.UD) {
            return random.nextInt(chance(10) ? 700 : 200);
        }
        if (opcode == Opcode.RC_ATOMIC_WRITE) {
            return chance(20) ? random.nextInt(17) : Long.BYTES;
        }
        if (Opcode.isReadResponse(opcode)) {
            return chance(20) ? random.nextInt(Mark.MTU + 1) : READ_PARTS[random.nextInt(READ_PARTS.length)];
        }
        int bytes = Math.min(mark.left, Mark.MTU);
        mark.left = Math.max(0, mark.left - bytes);
        return bytes;
    }

    private int psn(Mark mark, int opcode) {
        SendPath path = mark.qp.path();
        int near = path == null ? 0 : Opcode.isResponse(opcode) ? awaited(mark, path) : path.rqPsn();
        return switch (random.nextInt(24)) {
            case 0 -> near + random.nextInt(9) - 4;
            case 1 -> near + random.nextInt(400) - 200;
            case 2 -> chance(4) ? random.nextInt() : near;
            default -> near;
        };
    }

    /** Returns an expected PSN, mostly the one expected next. */
    private int awaited(Mark mark, SendPath path) {
        SendQueue sq = mark.qp.sendQueue();
        return sq.isEmpty() || chance(3)
                ? path.sqPsn() - 1 - random.nextInt(24)
                : sq.at(sq.done()).firstPsn + random.nextInt(4);
    }

    // ---- extension headers

    private void extensions(Mark mark, int opcode, int payload) {
        int at = Bth.LENGTH;
        if (Opcode.hasXrceth(opcode)) {
            Xrceth.write(buffer, at, srqNum());
            at += Xrceth.LENGTH;
        }
        if (Opcode.hasDeth(opcode)) {
            Deth.write(buffer, at, chance(20) ? random.nextInt() : Mark.QKEY, random.nextInt());
            at += Deth.LENGTH;
        }
        if (Opcode.hasFeth(opcode)) {
            Feth.write(
                    buffer, at, chance(20) ? random.nextInt() : 1, chance(20) ? random.nextInt() : random.nextInt(2));
            at += Feth.LENGTH;
        }
        if (Opcode.hasReth(opcode)) {
            reth(mark, opcode, payload, at);
            at += Reth.LENGTH;
        }
        if (Opcode.hasAtomicEth(opcode)) {
            MemoryRegion region = region();
            long va = chance(20) ? edge(region, 8) : region.addr() + (random.nextInt(Grounds.SIZE) & ~7);
            AtomicEth.write(buffer, at, va, key(region), random.nextLong(), random.nextLong());
            at += AtomicEth.LENGTH;
        }
        if (Opcode.hasMaskedAtomicEth(opcode)) {
            MemoryRegion region = region();
            int width = chance(20) ? random.nextInt() : chance(2) ? Integer.BYTES : Long.BYTES;
            long va = chance(20) ? edge(region, 8) : region.addr() + (random.nextInt(Grounds.SIZE) & ~7);
            MaskedAtomicEth.writePlace(buffer, at, va, key(region), width);
            MaskedAtomicEth.writeOperands(
                    buffer, at, random.nextLong(), random.nextLong(), random.nextLong(), random.nextLong());
            at += MaskedAtomicEth.LENGTH;
        }
        if (Opcode.hasAeth(opcode)) {
            Aeth.write(buffer, at, syndrome(), random.nextInt());
            at += Aeth.LENGTH;
        }
        if (Opcode.hasAtomicAckEth(opcode)) {
            AtomicAckEth.write(buffer, at, random.nextLong());
            at += AtomicAckEth.LENGTH;
        }
        if (Opcode.hasIeth(opcode) && mark.window != null) {
            Ieth.write(buffer, at, chance(8) ? random.nextInt() : chance(2) ? mark.window.rkey() : mark.fast.rkey());
        } else if (Opcode.hasImmDt(opcode) || Opcode.hasIeth(opcode)) {
            ImmDt.write(buffer, at, chance(2) ? random.nextInt() : grounds.open.rkey());
        }
    }

    private int srqNum() {
        return switch (random.nextInt(100)) {
            case 0 -> random.nextInt();
            case 1, 2, 3 -> grounds.foreignSrqNum; // no key belongs to its domain
            default -> grounds.srqNum;
        };
    }

    private void reth(Mark mark, int opcode, int payload, int at) {
        MemoryRegion region = region();
        long length = Opcode.isReadRequest(opcode) ? random.nextInt(LARGEST_MESSAGE) : payload + (long) mark.left;
        if (chance(80)) {
            length = chance(2) ? random.nextInt() : random.nextInt(2 * Grounds.SIZE);
        }
        long within = Math.max(1, Grounds.SIZE - Math.min(length & 0xffff, Grounds.SIZE));
        long va = chance(50) ? edge(region, length) : region.addr() + random.nextLong(within);
        if (opcode == Opcode.RC_ATOMIC_WRITE && !chance(20)) {
            va &= ~7L;
        }
        boolean through = mark.window != null && region == grounds.open && chance(6);
        boolean pieces = mark.fast != null && region == grounds.open && chance(6);
        int rkey = through ? mark.window.rkey() : pieces ? mark.fast.rkey() : key(region);
        Reth.write(buffer, at, va, rkey, length);
    }

    private MemoryRegion region() {
        return switch (random.nextInt(80)) {
            case 0, 1 -> grounds.readable;
            case 2 -> grounds.local;
            case 3 -> grounds.foreign;
            default -> grounds.open;
        };
    }

    private long edge(MemoryRegion region, long length) {
        return switch (random.nextInt(6)) {
            case 0 -> region.addr() - 1;
            case 1 -> region.addr() - length;
            case 2 -> region.addr() + Grounds.SIZE - length + 1;
            case 3 -> region.addr() + Grounds.SIZE - length;
            case 4 -> region.addr() + Grounds.SIZE;
            default -> chance(2) ? random.nextLong() : -length;
        };
    }

    private int key(MemoryRegion region) {
        return switch (random.nextInt(200)) {
            case 0 -> region.rkey() + 1;
            case 1 -> region.lkey();
            case 2 -> grounds.formerKey;
            case 3 -> random.nextInt();
            case 4 -> 0;
            default -> region.rkey();
        };
    }

    private int syndrome() {
        return switch (random.nextInt(12)) {
            case 0 -> Aeth.rnrNak(random.nextInt(32));
            case 1 -> Aeth.nak(Aeth.NAK_PSN_SEQUENCE_ERROR);
            case 2 -> chance(6) ? Aeth.nak(random.nextInt(32)) : Aeth.nak(Aeth.NAK_PSN_SEQUENCE_ERROR);
            case 3 -> chance(4) ? random.nextInt(256) : Aeth.ACK_UNLIMITED;
            default -> Aeth.ACK_UNLIMITED;
        };
    }
}
