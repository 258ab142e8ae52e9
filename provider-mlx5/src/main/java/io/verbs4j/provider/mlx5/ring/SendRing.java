/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.ring;

import io.verbs4j.Errno;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendBuilder;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WrOpcode;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.object.BadWr;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A send queue that Java writes: lists of work requests, with a fast path for whole elements of simple requests. */
// Longer than 500 lines because each kind of request has a fast path of its own, which writes the element without calls
// to other objects.
public final class SendRing extends SendElements {
    /** The flags of requests on the shortest path: FENCE and INLINE change more than a bit. */
    static final int PLAIN_FLAGS = SendFlags.SIGNALED | SendFlags.SOLICITED;

    /** The lowest bit of the operation in the beginning of a control segment. */
    static final long FIRST_OF_OPERATION = 1L << 32;

    /** The number of segments of a plain request with a remote segment, as in the beginning of its control segment. */
    static final long WITH_REMOTE = 3;

    /** The number of segments of a plain request without a remote segment. */
    static final long WITHOUT_REMOTE = 2;

    /** Mask of the key in the second half of a remote segment. */
    private static final long KEY = NativeMemory.fromNetwork(-1L << 32);

    /** Flags and operation that no request has. */
    private static final long NO_KIND = -1;

    /** The bits in which plain requests may differ. */
    private static final long PLAIN = (long) PLAIN_FLAGS << 32 | Byte.SIZE - 1;

    // Tables that many rings share. With thousands of queue pairs in use, every cache line that belongs to one ring
    // alone is fetched again each time.
    private static final Map<Integer, long[]> CONTROLS = new ConcurrentHashMap<>();
    private static final long[] FLAG_WORDS = flagWords(0);
    private static final long[] SIGNALED_FLAG_WORDS = flagWords(Wqe.CTRL_CQ_UPDATE);

    /**
     * The beginning of the control segment for each opcode whose element with one data segment fits into one block, on
     * queue pairs that need no address in it; without the index and {@link #qpWord}. 0 for other opcodes.
     */
    long[] simple;

    /** The same table without the opcodes that have immediate data. */
    long[] plain;

    /**
     * The second half of a control segment without immediate data, as it is in memory, for each combination of the
     * possible flags except FENCE.
     */
    private final long[] flagWords;

    /** The number of the queue pair, at its position in a control segment. */
    final long qpWord;

    // The kind of the last request that a builder posted on the shortest path. The next request is usually alike, and
    // is then not examined.
    private long kind = NO_KIND;

    /** The beginning of its control segment, without the index. */
    long kindBegins;

    /** The second half of its control segment, as it is in memory. */
    long kindFlagWord;

    private boolean open;
    private boolean handedOver; // to device code
    private KeyElement keyElement; // null before the first
    private FrameElements frames; // null if it does not send frames

    /** The number of bytes of inline data that fit into a block with a remote segment. */
    final int inlineInBlock;

    /** Creates a queue over memory shared with the device. */
    public SendRing(Setup s) {
        super(s);
        inlineInBlock = Math.min(maxInline, Wqe.BLOCK - 2 * Wqe.SEGMENT - Integer.BYTES);
        int opcodes = transportSize == 0 && maxSge != 0 ? allowed & ~(Wqe.ATOMIC | 1 << WrOpcode.LOCAL_INV) : 0;
        simple = sharedControls(opcodes);
        plain = sharedControls(opcodes & ~Wqe.IMMEDIATE);
        flagWords = signalBits == 0 ? FLAG_WORDS : SIGNALED_FLAG_WORDS;
        qpWord = Wqe.words(0, qpNum << 8);
    }

    private static long[] flagWords(int signalBits) {
        long[] words = new long[Byte.SIZE << 1];
        for (int flags = 0; flags < words.length; flags++) {
            words[flags] = NativeMemory.fromNetwork(Wqe.words(Wqe.bits(flags) | signalBits, 0));
        }
        return words;
    }

    /**
     * Enables cross channel, before anything is posted.
     *
     * @param managed whether its requests begin only when others enable them
     */
    @Override
    public void crossChannel(CrossPeers peers, boolean managed) {
        super.crossChannel(peers, managed);
        if (managed) { // the fast paths ring the doorbell
            simple = sharedControls(0);
            plain = simple;
        }
    }

    /** Enables raw packets, before anything is posted. */
    public void frames(FrameLimits limits) {
        frames = new FrameElements(this, limits);
    }

    /** Returns the count of requests that others have enabled. */
    public CrossCounter enabled() {
        return cross();
    }

    /** Returns whether requests can be posted now. The lock is held. */
    boolean isOpen() {
        return open;
    }

    /** Sets whether requests can be posted now. The lock is held. */
    void setOpen(boolean value) {
        open = value && !handedOver;
    }

    /** Whether device code has it, for good. The lock is held. */
    boolean isHandedOver() {
        return handedOver;
    }

    /** Leaves it to device code. The lock is held. */
    void handOver() {
        handedOver = true;
        open = false;
    }

    private static long[] sharedControls(int opcodes) {
        return CONTROLS.computeIfAbsent(opcodes & (1 << Byte.SIZE) - 1, SendRing::controls);
    }

    private static long[] controls(int opcodes) {
        long[] controls = new long[Byte.SIZE];
        for (int opcode = 0; opcode < controls.length; opcode++) {
            if ((opcodes >>> opcode & 1) != 0) {
                long segments = (Wqe.REMOTE >>> opcode & 1) == 0 ? WITHOUT_REMOTE : WITH_REMOTE;
                controls[opcode] = (long) Wqe.operation(opcode) << 32 | segments;
            }
        }
        return controls;
    }

    /** Returns the entry of an opcode from 0 to 7; nothing else is checked. */
    static long control(long[] controls, int opcode) {
        return NativeMemory.getFrom(controls, opcode);
    }

    /** Posts a list; returns 0 or an errno. */
    public int post(SendWorkRequest first, SendWorkRequest[] badWr) {
        int flags = first.sendFlags();
        int opcode = first.opcode();
        if (isPlain(opcode, first.numSge(), flags & ~SendFlags.INLINE, nextFence)
                && first.next() == null
                && !isFull()) {
            int b = block;
            long at = elementAt(b);
            long begins = control(plain, opcode);
            ScatterGatherElement e = onlyElement(first);
            if (begins != 0 && e != null) {
                int lkey = e.lkey();
                long addr = e.addr();
                int length = e.length(); // each is read once: the values checked are the values copied
                if (canPut(flags, lkey, addr, length)) {
                    putPlainFlags(b, head, at, first.wrId(), flags);
                    begins = putWhole(at, begins, flags, first, lkey, addr, length);
                    ringOne(b, at, putControl(b, at, begins | qpWord), (flags & SendFlags.INLINE) != 0);
                    head++;
                    return 0;
                }
            }
        }
        return postList(first, badWr);
    }

    /** Returns whether a request can take the shortest path, with a single test. */
    static boolean isPlain(int opcode, int numSge, int flags, int fence) {
        return (opcode & -Byte.SIZE | numSge ^ 1 | flags & ~PLAIN_FLAGS | fence) == 0;
    }

    /**
     * Returns whether a builder's request can take the shortest path. If so, {@link #kindBegins} and
     * {@link #kindFlagWord} are set for it.
     *
     * @param what flags and operation, from {@link SendBuilder#flagsAndOpcode}
     */
    boolean isPlain(long what) {
        return (what ^ kind | nextFence) == 0 || nextFence == 0 && becomesKind(what);
    }

    private boolean becomesKind(long what) {
        long begins = ((what ^ SendBuilder.SIMPLE) & ~PLAIN) == 0 ? control(plain, (int) what & Byte.SIZE - 1) : 0;
        if (begins == 0) {
            return false;
        }
        kind = what;
        kindBegins = begins | qpWord;
        kindFlagWord = plainFlags((int) (what >>> 32));
        return true;
    }

    /** Announces to the device the only element, of one block. */
    void ringOne(int b, long at, long control, boolean hasInline) {
        block = b + 1;
        doorbell.ringOne(record, NativeMemory.fromNetwork(b + 1 & 0xffff), at, control, hasInline);
    }

    private int postList(SendWorkRequest first, SendWorkRequest[] badWr) {
        int beforeHead = head;
        int beforeBlock = block;
        int error = 0;
        inline = false;
        if (cross() != null) {
            cross().mark(); // posted requests are not undone
        }
        SendWorkRequest wr = first;
        while (wr != null) {
            SendWorkRequest rest = wr;
            if (isFull()) {
                error = Errno.ENOMEM;
            } else {
                int written = head;
                rest = writePlain(wr);
                if (head == written) { // a list may be circular, so comparing requests would not show progress
                    error = writeSimple(wr) ? 0 : writeAny(wr);
                    rest = wr.next();
                }
            }
            if (error != 0) {
                BadWr.tell(wr, badWr, error);
                break;
            }
            wr = rest;
        }
        if (head != beforeHead) {
            ring(beforeHead, beforeBlock);
        }
        return error;
    }

    /**
     * Writes the plain requests at the beginning of a list: of RC and UC, with one data segment, and without immediate
     * data, inline data or a fence. Such an element fits into a block, so the end of the ring need not be checked;
     * everything that changes is in registers.
     *
     * @return the first request that is not plain or has no room; null after the last
     */
    private SendWorkRequest writePlain(SendWorkRequest first) {
        SendWorkRequest wr = first;
        int b = block;
        int ahead = head - b; // the same for all of them
        int full = nextFence == 0 ? limit - ahead : b;
        long control = lastControl;
        long qp = qpWord;
        while (b - full < 0) {
            int opcode = wr.opcode();
            int flags = wr.sendFlags();
            if (!isPlain(opcode, wr.numSge(), flags, 0)) {
                break;
            }
            long begins = control(plain, opcode);
            ScatterGatherElement e = onlyElement(wr);
            if (begins == 0 || e == null) {
                break;
            }
            int length = e.length();
            if (length <= 0) {
                break;
            }
            long at = elementAt(b);
            putPlainFlags(b, b + ahead, at, wr.wrId(), flags);
            putData(at, begins, keyWord(wr.rkey()), wr.remoteAddr(), Wqe.words(length, e.lkey()), e.addr());
            control = putControl(b, at, begins | qp);
            b++;
            wr = wr.next();
            if (wr == null) {
                break;
            }
        }
        block = b;
        head = b + ahead;
        lastControl = control;
        return wr;
    }

    /**
     * Writes a simple request: a plain one, possibly with immediate or inline data. The caller has checked that there
     * is room.
     *
     * @return whether the request is a simple one
     */
    private boolean writeSimple(SendWorkRequest wr) {
        int flags = wr.sendFlags();
        int opcode = wr.opcode();
        if (!isPlain(opcode, wr.numSge(), flags & ~SendFlags.INLINE, nextFence)) {
            return false;
        }
        long begins = control(simple, opcode);
        ScatterGatherElement e = onlyElement(wr);
        if (begins == 0 || e == null) {
            return false;
        }
        int lkey = e.lkey();
        long addr = e.addr();
        int length = e.length();
        if (!canPut(flags, lkey, addr, length)) {
            return false;
        }
        int b = block;
        long at = elementAt(b);
        int immediate = (begins & FIRST_OF_OPERATION * Wqe.HAS_IMMEDIATE) != 0 ? wr.immData() : 0;
        putFlags(b, head, at, wr.wrId(), flags, immediate);
        begins = putWhole(at, begins, flags, wr, lkey, addr, length);
        lastControl = putControl(b, at, begins | qpWord);
        inline |= (flags & SendFlags.INLINE) != 0;
        block = b + 1;
        head++;
        return true;
    }

    /**
     * Returns whether there are data that, if they are inline according to the flags, may be copied and fit into a
     * block.
     */
    boolean canPut(int flags, int lkey, long addr, int length) {
        if ((flags & SendFlags.INLINE) == 0) {
            return length > 0;
        }
        return length > 0 && length <= inlineInBlock && isRegistered(lkey, addr, length);
    }

    /**
     * Writes everything after the control segment, inline according to the flags.
     *
     * @return the updated beginning of the control segment
     */
    private static long putWhole(long at, long begins, int flags, SendWorkRequest wr, int lkey, long addr, int length) {
        if ((flags & SendFlags.INLINE) == 0) {
            putData(at, begins, keyWord(wr.rkey()), wr.remoteAddr(), Wqe.words(length, lkey), addr);
            return begins;
        }
        long seg = putRemote(at, begins, keyWord(wr.rkey()), wr.remoteAddr());
        NativeMemory.copyFew(addr, seg + Integer.BYTES, length);
        NativeMemory.putNetInt(seg, length | Wqe.INLINE);
        return begins + (length + Integer.BYTES - 1 >>> 4);
    }

    /** Returns the second half of a remote segment, as it is in memory: the key, and reserved bytes. */
    private static long keyWord(int rkey) {
        return NativeMemory.fromNetwork((long) rkey << 32);
    }

    /** Returns the second half of a remote segment for a key in the upper half of the argument. */
    static long keyWordOf(long keys) {
        return NativeMemory.fromNetwork(keys) & KEY; // a constant of 32 bits, which does not need a register
    }

    /**
     * Writes the remote segment, if any, and the data segment. It does not call {@link #putRemote}, because the
     * compiler limits the depth of inlining.
     */
    static void putData(long at, long begins, long keyWord, long remoteAddr, long lengthAndLkey, long addr) {
        long seg = at + Wqe.SEGMENT;
        if (hasRemote(begins)) {
            NativeMemory.putNetLong(seg, remoteAddr);
            NativeMemory.putLong(seg + Long.BYTES, keyWord);
            seg += Wqe.SEGMENT;
        }
        NativeMemory.putNetLong(seg, lengthAndLkey);
        NativeMemory.putNetLong(seg + Long.BYTES, addr);
    }

    /** Returns whether there is a remote segment, from the beginning of the control segment. */
    static boolean hasRemote(long begins) {
        return ((int) begins & 1) != 0; // three segments, not two
    }

    /** Writes the remote segment, if any; returns the address of the next segment. */
    static long putRemote(long at, long begins, long keyWord, long remoteAddr) {
        long seg = at + Wqe.SEGMENT;
        if (!hasRemote(begins)) {
            return seg;
        }
        NativeMemory.putNetLong(seg, remoteAddr);
        NativeMemory.putLong(seg + Long.BYTES, keyWord);
        return seg + Wqe.SEGMENT;
    }

    /** Writes the second half of the control segment, and records the request. */
    void putFlags(int b, int n, long at, long wrId, int flags, int immediate) {
        note(b, n, wrId);
        NativeMemory.putNetLong(at + Long.BYTES, Wqe.words(Wqe.bits(flags) | signalBits, immediate));
    }

    /** Does the same as {@link #putFlags}, for a request that {@link #isPlain}. */
    void putPlainFlags(int b, int n, long at, long wrId, int flags) {
        note(b, n, wrId);
        putFlagWord(at, plainFlags(flags));
    }

    /**
     * Returns the second half of a control segment with these flags, as it is in memory, for a request that
     * {@link #isPlain}.
     */
    long plainFlags(int flags) {
        return NativeMemory.getFrom(flagWords, flags & flagWords.length - 1);
    }

    /** Writes the second half of a control segment. */
    static void putFlagWord(long at, long word) {
        NativeMemory.putLong(at + Long.BYTES, word);
    }

    /** Writes the first half of the control segment, which contains operation and size. */
    static long putControl(int b, long at, long begins) {
        long control = controlAt(b, begins);
        NativeMemory.putLong(at, control);
        return control;
    }

    /** Returns the first half of the control segment of the element at a block, as it is in memory. */
    static long controlAt(int b, long begins) {
        return NativeMemory.fromNetwork((b & 0xffffL) << 40 | begins);
    }

    /** Returns the only element, or null. */
    private static ScatterGatherElement onlyElement(SendWorkRequest wr) {
        ScatterGatherElement[] list = wr.sgList();
        if (list == null || list.length == 0) {
            return null;
        }
        return list[0];
    }

    /** Returns the writer of changes to mlx5dv keys. The lock is held. */
    public KeyElement keyElement() {
        if (keyElement == null) {
            keyElement = new KeyElement(this);
        }
        return keyElement;
    }

    /** Explains what is wrong with a {@link WrOpcode#REG_MR} request; returns null if nothing is. */
    public String broken(SendWorkRequest wr) {
        return mrKeys() == null ? null : mrKeys().broken(wr);
    }

    private int writeAny(SendWorkRequest wr) {
        return writeAny(wr, null, 0);
    }

    /**
     * Writes any request segment by segment.
     *
     * @param built the builder of the request, which may have an address that the request object cannot hold; or null
     * @param i index of the request in the builder
     * @return 0 or an errno, in which case nothing is written
     */
    int writeAny(SendWorkRequest wr, SendBuilder built, int i) {
        int opcode = wr.opcode();
        int flags = wr.sendFlags();
        if (frames != null) {
            return frames.write(wr);
        }
        if (isOwn(opcode, flags)) {
            return OwnElements.write(this, wr, built, i);
        }
        int refused = refusal(opcode, flags);
        if (refused != 0) {
            return refused;
        }
        if (opcode == WrOpcode.BIND_MW || opcode == WrOpcode.LOCAL_INV) {
            return writeWindow(wr, opcode, flags);
        }
        long at = place();
        int error = writeTransport(at, wr, built, i);
        if (error != 0) {
            return error;
        }
        long seg = afterTransport(at);
        if ((Wqe.REMOTE >>> opcode & 1) != 0) {
            seg = remote(seg, wr.remoteAddr(), wr.rkey());
        }
        int count = wr.numSge();
        ScatterGatherElement[] list = wr.sgList();
        if (count < 0 || count > maxSge || count != 0 && (list == null || list.length < count)) {
            return Errno.EINVAL;
        }
        boolean atomic = (Wqe.ATOMIC >>> opcode & 1) != 0;
        if (atomic) {
            seg = opcode == WrOpcode.ATOMIC_CMP_AND_SWP
                    ? swap(seg, wr.swap(), wr.compareAdd())
                    : add(seg, wr.compareAdd());
        }
        seg = (flags & SendFlags.INLINE) != 0 && count != 0
                ? writeInline(seg, list, count)
                : writeElements(seg, list, count, atomic);
        if (seg == 0) {
            return Errno.EINVAL;
        }
        open(wr.wrId(), flags, word(wr, opcode));
        close(at, seg, Wqe.operation(opcode));
        return 0;
    }

    /** Returns the fourth word of the control segment. */
    private static int word(SendWorkRequest wr, int opcode) {
        if (opcode == WrOpcode.SEND_WITH_INV) {
            return wr.invalidateRkey();
        }
        return (Wqe.IMMEDIATE >>> opcode & 1) != 0 ? wr.immData() : 0;
    }

    private int writeWindow(SendWorkRequest wr, int opcode, int flags) {
        if (wr.numSge() != 0) {
            return Errno.EINVAL;
        }
        if (opcode == WrOpcode.BIND_MW) {
            return windows().bind(wr.wrId(), flags, wr.mw(), wr.mwRkey(), wr.mwBind());
        }
        int rkey = wr.invalidateRkey();
        MrKey key = mrKeys() == null ? null : mrKeys().find(rkey);
        return key == null
                ? windows().invalidate(wr.wrId(), flags, rkey)
                : mrKeys().invalidate(wr.wrId(), flags, rkey, key);
    }

    /** Writes the address of a request, on queue pairs whose elements contain one; returns 0 or an errno. */
    int writeTransport(long at, SendWorkRequest wr, SendBuilder built, int i) {
        if (transportSize == 0) {
            return 0;
        }
        switch (transport) {
            case UD:
                return vector(at, wr.ah(), wr.remoteQpn(), (long) wr.remoteQkey() << 32);
            case XRC:
                srqNum(at, wr.remoteSrqn());
                return 0;
            default: // a work request cannot hold the address of a DCI's target
                return built == null ? Errno.EOPNOTSUPP : writeTarget(at, built, i);
        }
    }

    private int writeTarget(long at, SendBuilder built, int i) {
        return built.isVendorAddressed(i)
                ? vector(at, built.ah(i), built.remoteNum(i), built.remoteKey(i))
                : Errno.EINVAL;
    }

    /**
     * Writes each element with its own length, or with that of an atomic; returns 0 if one is null, or its length is
     * negative.
     */
    private long writeElements(long at, ScatterGatherElement[] list, int count, boolean atomic) {
        long seg = at;
        for (int i = 0; i < count; i++) {
            ScatterGatherElement e = list[i];
            if (e == null) {
                return 0;
            }
            int length = e.length();
            if (length < 0) { // its upper bit would mean inline data
                return 0;
            }
            seg = data(seg, e.lkey(), e.addr(), atomic && length != 0 ? Wqe.ATOMIC_SIZE : length);
        }
        return seg;
    }

    private long writeInline(long seg, ScatterGatherElement[] list, int count) {
        long to = seg + Integer.BYTES;
        int total = 0;
        for (int i = 0; i < count; i++) {
            ScatterGatherElement e = list[i];
            if (e == null) {
                return 0;
            }
            int length = e.length();
            to = copyIn(to, e.lkey(), e.addr(), length, maxInline - total);
            if (to == 0) {
                return 0;
            }
            total += length;
        }
        return endInline(seg, total);
    }
}
