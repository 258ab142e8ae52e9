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
 * The descriptors of a send queue. All 64 or 128 bytes of a descriptor are written in ascending order, 8 bytes at a
 * time. Descriptors with one memory element are written from registers, others from a private buffer where they were
 * assembled.
 *
 * <pre>
 * descriptor   0 id(2) operation(1) phase(1) queue pair(2) length(2)   8 immediate(4) address handle(2) hints(2)
 *             16 qkey(4) -(4)                                         24 -(2) upper id(6)
 *             32 of a send: elements(16 each), or inline data; else remote memory(16), and an element or inline data
 * element      0 length(4) key(4)  8 address(8)
 * </pre>
 */
public abstract class SendElements {
    /** The properties of a send queue. */
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

    /**
     * First word, by opcode, for requests with one memory element and no immediate data; 0 if such requests cannot be
     * posted.
     */
    private final long[] plain = new long[OPCODES];

    private final boolean inlineWrites;
    private final RegionTable regions;
    final ProtectionDomain pd;
    final int maxInline;
    final RequestIds ids;

    /**
     * Index of the first completion of this queue pair; earlier ones belong to another queue pair, or to this one
     * before RESET. Guarded by the completion queue's lock.
     */
    long since;

    /**
     * Private buffer where the part after the first 32 bytes of a descriptor is assembled, followed by the word of
     * {@link WriteOrder}.
     */
    private long gathered;

    private RegionTable.Region lastRegion = RegionTable.Region.NONE;
    private int written;
    private long firstPhase; // phase of the first round since RESET

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

    /** Returns whether the queue has a ring; the driver may have created none. */
    final boolean isThere() {
        return buf != 0 && doorbell != 0 && (size == Descriptor.BLOCK || size == 2 * Descriptor.BLOCK);
    }

    /** Returns what device code needs to continue this queue. */
    final HandedSends handed(int operations, int batch) {
        int phase = firstPhase == 0 ? 0 : 1;
        return new HandedSends(buf, mask + 1, size, doorbell, written, phase, operations, batch);
    }

    /** Announces the descriptors before an index, which device code has written. */
    final void ringFor(int upTo) {
        fence();
        NativeMemory.putIntRelease(doorbell, upTo & 0xffff);
    }

    /** Makes earlier stores leave the processor before later ones. */
    final void fence() {
        WriteOrder.fence(gathered + size - Descriptor.DATA);
    }

    /** Announces all written descriptors to the device. */
    final void ring() {
        fence();
        NativeMemory.putIntRelease(doorbell, written & 0xffff);
    }

    // ---- assembling the part after the first 32 bytes

    /** Starts a descriptor, with the remote memory if there is any. Returns the address for data or elements. */
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

    /** Adds a memory element, for which there must be room. Returns the address for the next. */
    final long piece(long at, int lkey, long addr, int length) {
        NativeMemory.putLong(at, Descriptor.words(length, lkey & Descriptor.LKEY));
        NativeMemory.putLong(at + Long.BYTES, addr);
        return at + Descriptor.PIECE;
    }

    /** Returns whether an opcode may carry inline data. */
    final boolean canInline(int opcode) {
        return Descriptor.isSend(opcode) || inlineWrites && Descriptor.isWrite(opcode);
    }

    /**
     * Adds inline data.
     *
     * @param most available room in bytes
     * @return the length; negative if the data is too long or not in registered memory
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

    /** Checks the last region first, since most data comes from the same region as the data before. */
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

    /** Finishes a descriptor. The length of the remote memory is that of all inline data, or of the single element. */
    final void end(boolean sends, int inline) {
        if (!sends) {
            int length = inline != 0 ? inline : NativeMemory.getInt(gathered + Descriptor.PIECE);
            NativeMemory.putInt(gathered, length);
        }
    }

    // ---- writing to the ring

    /** Writes the first 32 bytes of a descriptor. Returns the address of the rest. */
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
     * Writes the leading plain requests of a list: those with one memory element and no immediate data that use the
     * first one's address handle. Keeps its state in few local variables, so that it stays in registers.
     *
     * @param handle number of that address handle, with the hints
     * @param most maximum number of requests to write, for which there must be room
     * @return the first request that is not plain or exceeds {@code most}; null after the last request
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

    /** Returns the number of descriptors written since RESET. */
    final int written() {
        return written;
    }

    /** Writes a descriptor with one memory element. */
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

    /** Writes a descriptor with the assembled part. */
    final void putGathered(int opcode, long wrId, long immAndHandle, long target, long bits, int length) {
        long at = put(bits, opcode, wrId, immAndHandle, target, length);
        for (int i = 0; i < size - Descriptor.DATA; i += Long.BYTES) {
            NativeMemory.putLong(at + i, NativeMemory.getLong(gathered + i));
        }
    }

    /**
     * Resets the queue when the queue pair goes to RESET. Counting restarts, but the phase continues, as in libefa. The
     * lock must be held.
     */
    public final void reset() {
        firstPhase = phase(written);
        written = 0;
        ids.reset();
    }

    /** Frees the private buffer; nothing can be posted afterwards. The lock must be held. */
    public final void free() {
        NativeMemory.free(gathered);
        gathered = 0;
    }
}
