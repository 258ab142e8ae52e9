/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa.ring;

import io.verbs4j.AddressHandle;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.memory.RegionTable;

/**
 * The descriptors of a send queue. One is written in ascending order, 8 bytes at a time, all of its 64 or 128 bytes; those of one piece of
 * memory from registers, others from memory of ours where they were gathered.
 *
 * <pre>
 * descriptor   0 id(2) operation(1) phase(1) queue pair(2) length(2)   8 immediate(4) address handle(2) hints(2)
 *             16 qkey(4) -(4)                                         24 -(2) upper id(6)
 *             32 of a send: pieces(16 each), or inline data; else remote memory(16), and a piece or inline data
 * piece        0 length(4) key(4)  8 address(8)
 * </pre>
 */
public abstract class SendElements {
    /** What a send queue is made of. */
    public record Setup(
            WorkQueuePlace where,
            boolean wide,
            boolean inlineWrites,
            boolean signalAll,
            int maxSge,
            int maxInline,
            long operations,
            ProtectionDomain pd,
            RegionTable regions) {}

    private static final int OPCODES = 8;

    private final long buf;
    private final int size;
    private final int mask;
    private final long doorbell;
    private final long[] controls = new long[OPCODES];

    /** What descriptors of requests without immediate data begin with that have one piece of memory; 0 where such can't be posted. */
    private final long[] plain = new long[OPCODES];

    private final boolean inlineWrites;
    private final RegionTable regions;
    final ProtectionDomain pd;
    final int maxInline;
    final RequestIds ids;

    /** Completions before that one are of another queue pair, or of an earlier life of this one. The completion queue's lock guards it. */
    long since;

    /** What is behind the first 32 bytes of a descriptor, while it is gathered; behind that the word of {@link WriteOrder}. */
    private long gathered;

    private RegionTable.Region lastRegion = RegionTable.Region.NONE;
    private int written;
    private long firstPhase; // of a ring that was not gone round since RESET

    SendElements(Setup s) {
        buf = s.where.buffer();
        size = s.where.entrySize();
        mask = s.where.numEntries() - 1;
        doorbell = s.where.doorbell();
        inlineWrites = s.inlineWrites && size > Descriptor.BLOCK;
        maxInline = Math.min(s.maxInline, size - Descriptor.DATA - (size > Descriptor.BLOCK ? Descriptor.PIECE : 0));
        regions = s.regions;
        pd = s.pd.base();
        ids = new RequestIds(s.where.numEntries(), s.wide);
        for (int opcode = 0; opcode < OPCODES; opcode++) {
            controls[opcode] = Descriptor.control(opcode);
            if ((s.operations >>> opcode & 1) != 0 && !Descriptor.hasImmediate(opcode)) {
                plain[opcode] = controls[opcode] | 1L << Descriptor.LENGTH;
            }
        }
        gathered = NativeMemory.allocate(size);
    }

    /** Whether there is a ring; the driver may have made none. */
    final boolean isThere() {
        return buf != 0 && doorbell != 0 && (size == Descriptor.BLOCK || size == 2 * Descriptor.BLOCK);
    }

    /** What was written before leaves the processor before what is written after. */
    final void fence() {
        WriteOrder.fence(gathered + size - Descriptor.DATA);
    }

    /** Tells the device of all that was written. */
    final void ring() {
        fence();
        NativeMemory.putIntRelease(doorbell, written & 0xffff);
    }

    // ---- what is behind the first 32 bytes, gathered

    /** Begins, with the remote memory where there is one; where data or pieces go. */
    final long begin(boolean sends, int rkey, long remoteAddr) {
        long at = gathered;
        for (int i = 0; i < size - Descriptor.DATA; i += Long.BYTES) {
            NativeMemory.putLong(at + i, 0);
        }
        if (sends) {
            return at;
        }
        NativeMemory.putLong(at, Descriptor.words(0, rkey));
        NativeMemory.putLong(at + Long.BYTES, remoteAddr);
        return at + Descriptor.PIECE;
    }

    /** Adds a piece of memory, for which there is room; where the next goes. */
    final long piece(long at, int lkey, long addr, int length) {
        NativeMemory.putLong(at, Descriptor.words(length, lkey & Descriptor.LKEY));
        NativeMemory.putLong(at + Long.BYTES, addr);
        return at + Descriptor.PIECE;
    }

    /** Whether an opcode may have inline data. */
    final boolean canInline(int opcode) {
        return Descriptor.isSend(opcode) || inlineWrites && Descriptor.isWrite(opcode);
    }

    /**
     * Adds inline data.
     *
     * @param most how much there is room for
     * @return the length; negative where the data are too long, or not in memory that is registered
     */
    final int copyIn(long at, int lkey, long addr, int length, int most) {
        if (length > most) {
            return -1;
        }
        if (length != 0) {
            long from =
                    isRegistered(lkey, addr, length) ? addr : regions.placed().address(lkey, pd, addr, length);
            if (from == 0) {
                return -1;
            }
            NativeMemory.copyFew(from, at, length);
        }
        return length;
    }

    /** Most data come from where the last came from, which is not looked up again. */
    private boolean isRegistered(int lkey, long addr, int length) {
        return lastRegion.holds(lkey, addr, length) || isFound(lkey, addr, length);
    }

    private boolean isFound(int lkey, long addr, int length) {
        RegionTable.Region found = regions.find(lkey, pd, addr, length);
        if (found != null && found.isAsLongAs(maxInline)) {
            lastRegion = found;
        }
        return found != null;
    }

    /** Ends it. Of remote memory the length is that of all inline data, or of the one piece. */
    final void end(boolean sends, int inline) {
        if (!sends) {
            int length = inline != 0 ? inline : NativeMemory.getInt(gathered + Descriptor.PIECE);
            NativeMemory.putInt(gathered, length);
        }
    }

    // ---- into the ring

    /** Writes the first 32 bytes of a descriptor; where the others go. */
    private long put(long bits, int opcode, long wrId, long immAndHandle, long target, long length) {
        int n = written++;
        long id = ids.take(wrId);
        long at = place(n);
        long first = bits | controls[opcode] | phase(n) | id & 0xffff | (target >>> 32 & 0xffff) << 32;
        NativeMemory.putLong(at, first | length << Descriptor.LENGTH);
        NativeMemory.putLong(
                at + 8, Descriptor.hasImmediate(opcode) ? immAndHandle : immAndHandle & 0xffff_ffff_0000_0000L);
        NativeMemory.putLong(at + 16, target & 0xffff_ffffL);
        NativeMemory.putLong(at + 24, id & ~0xffffL);
        return at + Descriptor.DATA;
    }

    private long place(int n) {
        return NativeMemory.piece(buf + (long) (n & mask) * size);
    }

    private long phase(int n) {
        return (n & mask + 1) == 0 ? firstPhase : firstPhase ^ Descriptor.PHASE;
    }

    /**
     * Writes the plain requests that a list begins with: of one piece of memory, without immediate data, and all by the first one's address handle.
     * What counts is in registers, of which there are few.
     *
     * @param handle the number of that address handle, and hints
     * @param most how many at most; there is room for them
     * @return the first that is not one; null after the last
     */
    final SendWorkRequest putPlain(SendWorkRequest first, int handle, int most) {
        long[] controls = plain;
        long second = Descriptor.words(0, handle);
        AddressHandle ah = first.ah();
        RequestIds names = ids;
        int n = written;
        int end = n + most;
        int ahead = names.taken() - n;
        SendWorkRequest wr = first;
        while (n != end && wr != null) {
            int opcode = wr.opcode();
            ScatterGatherElement[] list = wr.sgList();
            boolean one = (opcode & -OPCODES | wr.sendFlags() ^ SendFlags.SIGNALED | wr.numSge() ^ 1) == 0;
            if (!one || wr.ah() != ah || list == null || list.length == 0) {
                break;
            }
            long begins = controls[opcode & OPCODES - 1];
            ScatterGatherElement e = list[0];
            int length = e == null ? -1 : e.length();
            if (begins == 0 || length < 0) {
                break;
            }
            long id = names.take(n + ahead, wr.wrId());
            long at = place(n);
            NativeMemory.putLong(at, begins | phase(n) | id & 0xffff | (wr.remoteQpn() & 0xffffL) << 32);
            NativeMemory.putLong(at + 8, second);
            NativeMemory.putLong(at + 16, wr.remoteQkey() & 0xffff_ffffL);
            NativeMemory.putLong(at + 24, id & ~0xffffL);
            putPiece(at + Descriptor.DATA, opcode, wr.rkey(), wr.remoteAddr(), e.lkey(), e.addr(), length);
            n++;
            wr = wr.next();
        }
        written = n;
        names.took(n + ahead);
        return wr;
    }

    /** How many descriptors were written since RESET. */
    final int written() {
        return written;
    }

    /** Writes a descriptor with one piece of memory. */
    final void putOne(
            int opcode,
            long wrId,
            long immAndHandle,
            long target,
            int rkey,
            long remoteAddr,
            int lkey,
            long addr,
            int length) {
        putPiece(put(0, opcode, wrId, immAndHandle, target, 1), opcode, rkey, remoteAddr, lkey, addr, length);
    }

    private void putPiece(long at, int opcode, int rkey, long remoteAddr, int lkey, long addr, int length) {
        long piece = Descriptor.words(length, lkey & Descriptor.LKEY);
        if (Descriptor.isSend(opcode)) {
            NativeMemory.putLong(at, piece);
            NativeMemory.putLong(at + 8, addr);
            NativeMemory.putLong(at + 16, 0);
            NativeMemory.putLong(at + 24, 0);
        } else {
            NativeMemory.putLong(at, Descriptor.words(length, rkey));
            NativeMemory.putLong(at + 8, remoteAddr);
            NativeMemory.putLong(at + 16, piece);
            NativeMemory.putLong(at + 24, addr);
        }
        if (size != Descriptor.BLOCK) {
            for (int i = Descriptor.DATA; i < Descriptor.DATA + Descriptor.BLOCK; i += Long.BYTES) {
                NativeMemory.putLong(at + i, 0);
            }
        }
    }

    /** Writes a descriptor with what was gathered. */
    final void putGathered(int opcode, long wrId, long immAndHandle, long target, long bits, int length) {
        long at = put(bits, opcode, wrId, immAndHandle, target, length);
        for (int i = 0; i < size - Descriptor.DATA; i += Long.BYTES) {
            NativeMemory.putLong(at + i, NativeMemory.getLong(gathered + i));
        }
    }

    /** The queue pair went to RESET: counting begins anew, and the phase stays what it was, as libefa has it. The lock is held. */
    public final void reset() {
        firstPhase = phase(written);
        written = 0;
        ids.reset();
    }

    /** Frees what it has; nothing can be posted any more. The lock is held. */
    public final void free() {
        NativeMemory.free(gathered);
        gathered = 0;
    }
}
