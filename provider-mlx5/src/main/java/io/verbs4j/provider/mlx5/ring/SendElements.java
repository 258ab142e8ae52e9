/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.ring;

import io.verbs4j.AddressHandle;
import io.verbs4j.Errno;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpCreateSendOps;
import io.verbs4j.SendFlags;
import io.verbs4j.WcOpcode;
import io.verbs4j.WrOpcode;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.memory.RegionTable;
import io.verbs4j.rdmacore.object.SendMarkers;
import io.verbs4j.rdmacore.object.WindowLog;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Writes the elements of a send queue segment by segment: {@link #open}, the contents of the element, {@link #close};
 * and {@link #ring} for all that were closed. {@link SendRing} calls these methods for work requests. The writer holds
 * the lock; completions come from {@link CqRing} under its own.
 *
 * <pre>
 * element  0 control   (16)  opcode, index, size; number of the queue pair; fence, signal, solicited; immediate
 *         16 transport (0)   RC, UC
 *                      (16)  XRC_SEND: number of the shared receive queue
 *                      (48)  UD: address vector with Q_Key and number; DCI: with access key and number
 *         .. remote    (16)  address, rkey                                RDMA and atomics
 *         .. atomic    (16)  swap or add, compare                         atomics
 *         .. data      (16)  length, lkey, address, for each element; or length and the bytes themselves, inline
 * </pre>
 *
 * An element begins at a block of 64 bytes, and continues at the beginning of the ring when it reaches the end.
 */
// Longer than 500 lines because it has one method for each kind of segment of an element, and they share the position
// in the ring.
public abstract class SendElements {
    /** The properties of a send queue. */
    public record Setup(
            long buf,
            int blocks,
            long dbrec,
            Doorbell doorbell,
            int qpNum,
            Transport transport,
            boolean signalAll,
            int maxPost,
            int maxSge,
            int maxInline,
            long operations,
            ProtectionDomain pd,
            RegionTable regions,
            WindowLog windows) {}

    /** The maximum number of pieces of a fast register. */
    public static final int MAX_FAST_REG_LEN = MrKeyElements.MAX_PIECES;

    /** The flags that an element can express. */
    private static final int FLAGS = SendFlags.FENCE | SendFlags.SIGNALED | SendFlags.SOLICITED | SendFlags.INLINE;

    /** A bit for each {@link WrOpcode}, as in {@link io.verbs4j.QpCreateSendOps}. */
    private static final int OPCODES = (1 << WrOpcode.SEND_WITH_INV + 1) - 1;

    /** Inline data of up to this many bytes are copied in a loop. */
    private static final int FEW = 64;

    /** The bits of an element's first 8 bytes that contain its number of segments. */
    private static final int SEGMENTS = 0x3f;

    private static final VarHandle TAIL;

    static {
        try {
            TAIL = MethodHandles.lookup().findVarHandle(SendElements.class, "tail", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    final long buf;
    private final long end;
    final int mask;
    final long record;
    final Doorbell doorbell;
    final int qpNum;
    final Transport transport;
    final int transportSize;
    final int allowed;
    private final long own;
    final int signalBits;
    final int maxPost;
    final int maxSge;
    final int maxInline;
    private final ProtectionDomain pd;
    private final RegionTable regions;

    private final WindowLog windowLog;
    private final WindowElements windows;

    /**
     * The id of the request that begins at each block, followed by its number, so that a completion finds both in one
     * place.
     */
    private final long[] notes;

    private RegionTable.Region lastRegion = RegionTable.Region.NONE;

    int block;
    int head;

    private volatile boolean failed;

    /** The highest {@link #head} known to be possible; when it is reached, completed requests are looked up. */
    int limit;

    int nextFence;
    long lastControl;

    /** Whether an element that was written since the last doorbell has inline data. */
    boolean inline;

    @SuppressWarnings("unused") // accessed through TAIL
    private int tail;

    private int startHead;
    private int startBlock;
    private int startFence;
    private int startWindows;
    private boolean hasWindows;
    private CrossSends cross; // null without cross channel
    private MrKeyElements mrKeys; // null if it does not register memory

    SendElements(Setup s) {
        buf = s.buf;
        end = s.buf + (long) s.blocks * Wqe.BLOCK;
        mask = s.blocks - 1;
        record = s.dbrec + Wqe.SEND_RECORD;
        doorbell = s.doorbell;
        qpNum = s.qpNum;
        transport = s.transport;
        transportSize = transport.size();
        allowed = (int) s.operations & OPCODES;
        own = s.operations & OwnElements.OPERATIONS;
        signalBits = s.signalAll ? Wqe.CTRL_CQ_UPDATE : 0;
        maxPost = s.maxPost;
        limit = s.maxPost;
        maxSge = s.maxSge;
        maxInline = s.maxInline;
        pd = s.pd == null ? null : s.pd.base();
        regions = s.regions;
        windowLog = s.windows;
        windows = new WindowElements(this, s.windows);
        notes = new long[2 * s.blocks];
    }

    /** Enables cross channel, before anything is posted. */
    void crossChannel(CrossPeers peers, boolean managed) {
        cross = new CrossSends(this, peers, managed);
    }

    /** Returns its cross-channel state, or null. */
    final CrossSends cross() {
        return cross;
    }

    /** From now on, requests can register memory with these keys. */
    public final void mrKeys(MrKeys keys) {
        mrKeys = new MrKeyElements(this, keys);
    }

    /** Returns the writer of elements about keys, or null. */
    final MrKeyElements mrKeys() {
        return mrKeys;
    }

    // ---- an element, segment by segment: each method returns the address of the next segment

    /** Returns whether there is no room for another request. */
    public final boolean isFull() {
        return head - limit >= 0 && isStillFull();
    }

    private boolean isStillFull() {
        limit = (int) TAIL.getAcquire(this) + maxPost;
        return head - limit >= 0;
    }

    /** Returns whether there is room for that many requests. */
    private boolean hasRoom(int places) {
        if (head + places - limit > 0) {
            limit = (int) TAIL.getAcquire(this) + maxPost;
        }
        return head + places - limit <= 0;
    }

    /**
     * Returns the number of requests whose room an element of that many blocks takes: several if it is longer than
     * usual.
     */
    final int places(int blocks) {
        int share = (mask + 1) / maxPost;
        return (blocks + share - 1) / share;
    }

    /** Reserves the room for an element of that many blocks; returns 0 or an errno. */
    final int take(int blocks) {
        int places = places(blocks);
        if (places > maxPost) {
            return Errno.EINVAL;
        }
        if (!hasRoom(places)) {
            return Errno.ENOMEM;
        }
        head += places - 1;
        return 0;
    }

    /** Returns whether the request with a number is done and its completion has been read. */
    final boolean isDone(int number) {
        return (int) TAIL.getAcquire(this) - number > 0;
    }

    /** Notes that a request other than a marker has failed. */
    final void failed() {
        failed = true;
    }

    /** Returns whether a request other than a marker has failed since RESET. */
    public final boolean hasFailed() {
        return failed;
    }

    /** Returns whether all requests are done and their completions have been read. */
    public final boolean isEmpty() {
        return isDone(head - 1);
    }

    /** Returns whether descriptors have neither an address nor a wait for another queue: those of RC and UC. */
    final boolean isPlainConnected() {
        return transportSize == 0 && cross == null;
    }

    /** Returns what device code needs to continue this queue. */
    final HandedSends handed() {
        return new HandedSends(
                buf,
                mask + 1,
                record - Wqe.SEND_RECORD,
                doorbell.register(),
                block,
                allowed,
                Math.min(maxPost, mask + 1));
    }

    /** Announces the descriptors before an index, which device code has written. The lock must be held. */
    final void ringFor(int upTo) {
        long bytes = NativeMemory.getLong(elementAt(upTo - 1));
        doorbell.ring(record, NativeMemory.fromNetwork(upTo & 0xffff), bytes);
    }

    /** Returns the address of the next element. */
    public final long place() {
        return elementAt(block);
    }

    /** Skips the segments before the remote segment, whose size depends on the queue pair's type. */
    public final long afterTransport(long at) {
        long seg = at + Wqe.SEGMENT + transportSize;
        return seg == end ? buf : seg;
    }

    /** Returns 0 if the queue pair supports a {@link WrOpcode} with these flags, otherwise an errno. */
    public final int refusal(int opcode, int flags) {
        return (opcode & ~0xf | flags & ~FLAGS) == 0 && (allowed >>> opcode & 1) != 0 ? 0 : Errno.EOPNOTSUPP;
    }

    /** Returns whether the queue pair supports an operation that C has no work request for, with these flags. */
    final boolean isOwn(int opcode, int flags) {
        return opcode > WrOpcode.SEND_WITH_INV && (own & QpCreateSendOps.of(opcode)) != 0 && (flags & ~FLAGS) == 0;
    }

    /** Writes a segment of two numbers in network order; the ring continues at its beginning after its end. */
    public final long words(long seg, long first, long second) {
        NativeMemory.putNetLong(seg, first);
        NativeMemory.putNetLong(seg + Long.BYTES, second);
        long next = seg + Wqe.SEGMENT;
        return next == end ? buf : next;
    }

    /** Writes the remote segment. */
    public final long remote(long seg, long addr, int rkey) {
        return words(seg, addr, Wqe.words(rkey, 0));
    }

    /** Writes the segment of a compare and swap. */
    public final long swap(long seg, long swap, long compare) {
        return words(seg, swap, compare);
    }

    /**
     * Writes the segment of a fetch and add. As in libmlx5, the number to compare, which it does not use, is left
     * unchanged.
     */
    public final long add(long seg, long add) {
        NativeMemory.putNetLong(seg, add);
        long next = seg + Wqe.SEGMENT;
        return next == end ? buf : next;
    }

    /** Writes a data segment; nothing for length 0, which the device would take for 2 GiB. */
    public final long data(long seg, int lkey, long addr, int length) {
        return length == 0 ? seg : words(seg, Wqe.words(length, lkey), addr);
    }

    /** Writes the number of the shared receive queue, for XRC_SEND; the rest of the segment is reserved. */
    public final void srqNum(long at, int srqNum) {
        NativeMemory.putNetInt(at + Wqe.SEGMENT, srqNum);
    }

    /**
     * Writes the address vector, for UD and DCI.
     *
     * @param key the Q_Key in the upper half, or the whole access key
     * @return 0 or an errno
     */
    public final int vector(long at, AddressHandle ah, int remoteNum, long key) {
        if (!(ah instanceof AddressVector vector)
                || ah.pd() != pd && ah.pd().base() != pd
                || !vector.ibv.pin().isOpen()) {
            return Errno.EINVAL;
        }
        long seg = at + Wqe.SEGMENT;
        NativeMemory.copyFew(vector.av, seg, Wqe.AV_SIZE);
        if (transport == Transport.UD) {
            NativeMemory.putNetInt(seg, (int) (key >>> 32)); // the other half is reserved
        } else {
            NativeMemory.putNetLong(seg, key);
        }
        NativeMemory.putNetInt(seg + Long.BYTES, remoteNum | Wqe.EXTENDED_AV);
        return 0;
    }

    /**
     * Copies data after those that were copied before.
     *
     * @param to destination: for the first call, 4 bytes after the beginning of the segment; then the result of the
     *     previous call
     * @param rest number of bytes that may still be copied
     * @return destination of the next call; 0 if the data are too long, or not in registered memory
     */
    public final long copyIn(long to, int lkey, long addr, int length, int rest) {
        if (length < 0 || length > rest) {
            return 0;
        }
        if (length == 0) {
            return to;
        }
        return isRegistered(lkey, addr, length)
                ? copyFrom(addr, to, length)
                : copyPlaced(regions.placed().address(lkey, pd, addr, length), to, length);
    }

    /** Copies from a region whose addresses are not those of its memory, after the address was looked up. */
    private long copyPlaced(long addr, long to, int length) {
        return addr == 0 ? 0 : copyFrom(addr, to, length);
    }

    private long copyFrom(long addr, long to, int length) {
        if (length <= FEW && to + length <= end) {
            NativeMemory.copyFew(addr, to, length);
            return to + length;
        }
        int fits = (int) Math.min(length, end - to);
        NativeMemory.copy(addr, to, fits);
        if (fits == length) {
            return to + length;
        }
        NativeMemory.copy(addr + fits, buf, length - fits);
        return buf + length - fits;
    }

    /**
     * Returns whether data are in registered memory. Most are in the same region as the last, which is not looked up
     * again.
     */
    final boolean isRegistered(int lkey, long addr, int length) {
        return lastRegion.holds(lkey, addr, length) || isFound(lkey, addr, length);
    }

    private boolean isFound(int lkey, long addr, int length) {
        RegionTable.Region found = regions.find(lkey, pd, addr, length);
        if (found != null && found.isAsLongAs(maxInline)) {
            lastRegion = found;
        }
        return found != null;
    }

    /** Ends a segment of {@code total} bytes of inline data; the rest of its last 16 bytes is left unchanged. */
    public final long endInline(long seg, int total) {
        inline = true; // even without data, as in libmlx5
        if (total == 0) {
            return seg;
        }
        NativeMemory.putNetInt(seg, total | Wqe.INLINE);
        long next = seg + (total + Integer.BYTES + Wqe.SEGMENT - 1 & -Wqe.SEGMENT);
        return next >= end ? next - (end - buf) : next;
    }

    /**
     * Writes the parts of an element that are known before its end is.
     *
     * @return the address of the element; the caller has checked {@link #isFull}
     */
    public final long open(long wrId, int flags, int immediate) {
        note(block, head, wrId);
        long at = place();
        int bits = Wqe.bits(flags) | signalBits | ((flags & SendFlags.FENCE) != 0 ? Wqe.CTRL_FENCE : nextFence);
        nextFence = 0;
        NativeMemory.putNetLong(at + Long.BYTES, Wqe.words(bits, immediate));
        return at;
    }

    /**
     * Writes the beginning of an element that ends before {@code seg}; with that the element is posted.
     *
     * @param operation the device's operation
     */
    public final void close(long at, long seg, int operation) {
        long length = seg - at;
        int size = (int) (length > 0 ? length : length + (end - buf)) >>> 4;
        long control = NativeMemory.fromNetwork(Wqe.words((block & 0xffff) << 8 | operation, qpNum << 8 | size));
        NativeMemory.putLong(at, control);
        lastControl = control;
        head++;
        block += size + 3 >>> 2;
    }

    /** Posts an element whose first 8 bytes, given as they are in memory, are still to be written. */
    final void closeRaw(long control) {
        NativeMemory.putLong(elementAt(block), control);
        lastControl = control;
        nextFence = 0;
        head++;
        block += segments(control) + 3 >>> 2;
    }

    /** Records the request of an element. There is an entry for each block, so nothing else is checked. */
    final void note(int index, int number, long wrId) {
        NativeMemory.putPairInto(notes, index & mask, wrId, number);
    }

    private int noteAt(int index) {
        return (index & mask) << 1;
    }

    /** Makes the next element wait for those before it, as after the bind of a memory window. */
    public final void fenceNext() {
        nextFence = Wqe.CTRL_SMALL_FENCE;
    }

    /** Returns the writer of elements about memory windows. */
    public final WindowElements windows() {
        return windows;
    }

    /**
     * Called before an element about a memory window is written; {@link #forget} undoes window changes from here on, or
     * from an earlier such point.
     */
    final void markWindows() {
        if (!hasWindows) {
            hasWindows = true;
            startWindows = windowLog.mark();
        }
    }

    /** Announces to the device the elements closed since a number of requests and a block; there must be some. */
    final void ring(int beforeHead, int beforeBlock) {
        if (cross != null && cross.isManaged()) {
            return; // another queue pair enables them
        }
        int value = NativeMemory.fromNetwork(block & 0xffff);
        int blocks = block - beforeBlock;
        if (head - beforeHead == 1 && blocks <= doorbell.blueFlame(inline) && segments(lastControl) > 1) {
            long at = elementAt(beforeBlock);
            if (blocks == 1) {
                doorbell.ringBlock(record, value, at);
            } else {
                doorbell.ringBlocks(record, value, at, blocks, buf, end);
            }
        } else {
            doorbell.ring(record, value, lastControl);
        }
    }

    /** Returns the size in an element's first 8 bytes; 1 means that there is only the control segment. */
    private static int segments(long control) {
        return (int) NativeMemory.fromNetwork(control) & SEGMENTS;
    }

    /** Marks the point from which {@link #ring} and {@link #forget} work. */
    public final void start() {
        inline = false;
        startHead = head;
        startBlock = block;
        startFence = nextFence;
        hasWindows = false;
        if (cross != null) {
            cross.mark();
        }
    }

    /** Announces to the device the elements closed since {@link #start}. */
    public final void ring() {
        if (head != startHead) {
            ring(startHead, startBlock);
        }
    }

    /** Discards the elements closed since {@link #start}. */
    final void forget() {
        forgetKeys();
        head = startHead;
        block = startBlock;
        nextFence = startFence;
        if (hasWindows) {
            windowLog.undo(startWindows);
        }
        if (cross != null) {
            cross.undo();
        }
    }

    private void forgetKeys() {
        if (mrKeys != null) {
            mrKeys.undo(startBlock, block);
        }
    }

    // ---- completions, called with the completion queue's lock held

    /**
     * Completes the request that begins at a block, and all before it; returns its id. As in {@link #note}, nothing
     * else is checked.
     */
    final long complete(int counter) {
        int at = noteAt(counter);
        long wrId = NativeMemory.getFrom(notes, at);
        TAIL.setRelease(this, (int) NativeMemory.getFrom(notes, at + 1) + 1);
        return wrId;
    }

    /** Returns whether the request that begins at a block is a marker. */
    final boolean isMarker(int counter) {
        return notes[noteAt(counter)] == SendMarkers.WR_ID;
    }

    /** Returns whether the request that begins at a block is the last one. */
    final boolean isLast(int counter) {
        return notes[noteAt(counter) + 1] + 1 == head;
    }

    /** Completes a change of a key, of a window or another; returns the {@link WcOpcode} of its request. */
    final int completeKey(int counter) {
        if (KeyElement.isOne(this, counter)) {
            return KeyElement.WC_OPCODE;
        }
        if (mrKeys != null && mrKeys.isOne(counter)) {
            return mrKeys.opcode(counter);
        }
        return windowLog.succeeded(notes[noteAt(counter)]) == WindowLog.INVALIDATE
                ? WcOpcode.LOCAL_INV
                : WcOpcode.BIND_MW;
    }

    /**
     * Undoes the request that begins at a block, which has failed, if it registers memory or invalidates a key. Must be
     * called before {@link #complete}, while the element is unchanged.
     */
    final void failedAt(int counter) {
        if (mrKeys != null) {
            mrKeys.failed(counter);
        }
    }

    /** Returns whether the element at a block changes a key. */
    final boolean isUmr(int counter) {
        return ((int) (NativeMemory.fromNetwork(NativeMemory.getLong(elementAt(counter))) >>> 32) & 0xff) == Wqe.OP_UMR;
    }

    /** Notes that a request, perhaps about a window, has failed. */
    final void failed(long wrId, int status) {
        if (wrId != SendMarkers.WR_ID) {
            failed();
        }
        if (windowLog.isUsed()) {
            windowLog.failed(wrId, status);
        }
    }

    /** Returns the number of blocks of the element that begins at a block. */
    final int blocksAt(int counter) {
        return segments(NativeMemory.getLong(elementAt(counter))) + 3 >>> 2;
    }

    /** Returns the address of the element at a block, which may be counted beyond the end of the ring. */
    final long elementAt(int counter) {
        return NativeMemory.piece(buf + (long) (counter & mask) * Wqe.BLOCK);
    }

    /** Maps an address beyond the end of the ring to its beginning. */
    final long wrap(long address) {
        return address >= end ? address - (end - buf) : address;
    }

    /** Resets the queue after the queue pair moved to RESET: nothing is posted, and counting restarts. */
    public final void reset() {
        NativeMemory.putIntRelease(record, 0);
        block = 0;
        head = 0;
        limit = maxPost;
        TAIL.setRelease(this, 0);
        failed = false;
        nextFence = 0;
        if (cross != null) {
            cross.reset();
        }
        if (mrKeys != null) {
            mrKeys.reset();
        }
    }
}
