/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.ring;

import io.verbs4j.Errno;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WrOpcode;
import io.verbs4j.rdmacore.memory.NativeMemory;
import io.verbs4j.rdmacore.object.BadWr;

/** A send queue, written in Java: lists of work requests, and whole elements where they are simple. */
public final class SendRing extends SendElements {
    /** The flags that a request may have which is written the shortest way: FENCE and INLINE change more than a bit. */
    private static final int PLAIN_FLAGS = SendFlags.SIGNALED | SendFlags.SOLICITED;

    /** The lowest bit of the operation in what a control segment begins with. */
    private static final long FIRST_OF_OPERATION = 1L << 32;

    /**
     * For each opcode whose element is one block when it has one data segment, on queue pairs that need no address in it: what
     * its control segment begins with, but for the index. Else 0.
     */
    private final long[] simple;

    /** The same, without those that have immediate data. */
    private final long[] plain;

    /** A queue over memory that the device shares. */
    public SendRing(Setup s) {
        super(s);
        int opcodes = transportSize == 0 && maxSge != 0 ? allowed & ~Wqe.ATOMIC : 0;
        simple = controls(opcodes);
        plain = controls(opcodes & ~Wqe.IMMEDIATE);
    }

    private long[] controls(int opcodes) {
        long[] controls = new long[Byte.SIZE];
        for (int opcode = 0; opcode < controls.length; opcode++) {
            if ((opcodes >>> opcode & 1) != 0) {
                int segments = (Wqe.REMOTE >>> opcode & 1) == 0 ? 2 : 3;
                controls[opcode] = Wqe.words(Wqe.operation(opcode), qpNum << 8 | segments);
            }
        }
        return controls;
    }

    private static long control(long[] controls, int opcode) {
        return opcode >= 0 && opcode < controls.length ? controls[opcode] : 0;
    }

    /** Posts a list; 0 or an errno. */
    public int post(SendWorkRequest first, SendWorkRequest[] badWr) {
        int flags = first.sendFlags();
        long begins = control(plain, first.opcode());
        if (begins != 0
                && first.next() == null
                && (flags & ~(PLAIN_FLAGS | SendFlags.INLINE) | first.numSge() ^ 1 | nextFence) == 0
                && head != tailSeen + maxPost) {
            int b = block;
            long at = at(b);
            ScatterGatherElement e = onlyElement(first);
            begins = e == null ? 0 : putWhole(at, begins, flags, first, e);
            if (begins != 0) {
                ringOne(b, at, putControl(b, head, at, begins, first.wrId(), flags, 0));
                head++;
                return 0;
            }
        }
        return postList(first, badWr);
    }

    /** Tells the device of the one element at a block, of one block. */
    private void ringOne(int b, long at, long control) {
        block = b + 1;
        int value = NativeMemory.fromNetwork(b + 1 & 0xffff);
        if (doorbell.blueFlame() != 0) {
            doorbell.ringBlock(record, value, at);
        } else {
            doorbell.ring(record, value, control);
        }
    }

    private long at(int b) {
        return buf + ((long) (b & mask) << 6);
    }

    private int postList(SendWorkRequest first, SendWorkRequest[] badWr) {
        int beforeHead = head;
        int beforeBlock = block;
        int error = 0;
        SendWorkRequest wr = first;
        do {
            wr = writePlain(wr);
            if (wr != null) {
                if (!writeSimple(wr)) {
                    error = isFull() ? Errno.ENOMEM : writeAny(wr);
                }
                if (error != 0) {
                    BadWr.tell(wr, badWr, error);
                    break;
                }
                wr = wr.next();
            }
        } while (wr != null);
        if (head != beforeHead) {
            ring(beforeHead, beforeBlock);
        }
        return error;
    }

    /**
     * Writes the plain requests that a list begins with: of RC and UC, with one data segment, without immediate data, inline data or a
     * fence. Such an element fits into a block, so that the ring's end need not be looked at; all that changes is in registers.
     *
     * @return the first that is not one, or has no room; null after the last
     */
    private SendWorkRequest writePlain(SendWorkRequest first) {
        SendWorkRequest wr = first;
        int b = block;
        int ahead = head - b; // the same for all of them
        int full = nextFence == 0 ? tailSeen + maxPost - ahead : b;
        long control = lastControl;
        while (b != full && (wr.sendFlags() & ~PLAIN_FLAGS | wr.numSge() ^ 1) == 0) {
            long begins = control(plain, wr.opcode());
            ScatterGatherElement e = onlyElement(wr);
            if (begins == 0 || e == null) {
                break;
            }
            long at = at(b);
            putData(at, begins, wr.rkey(), wr.remoteAddr(), e.lkey(), e.addr(), e.length());
            control = putControl(b, b + ahead, at, begins, wr.wrId(), wr.sendFlags(), 0);
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
     * Writes a simple request: as a plain one, but perhaps with immediate or inline data.
     *
     * @return whether it is one, and there is room that is known of
     */
    private boolean writeSimple(SendWorkRequest wr) {
        long begins = control(simple, wr.opcode());
        int flags = wr.sendFlags();
        ScatterGatherElement e = onlyElement(wr);
        if (begins == 0
                || e == null
                || wr.numSge() != 1
                || (nextFence | flags & SendFlags.FENCE) != 0
                || head == tailSeen + maxPost) {
            return false;
        }
        int b = block;
        long at = at(b);
        begins = putWhole(at, begins, flags, wr, e);
        if (begins == 0) {
            return false;
        }
        int immediate = (begins & FIRST_OF_OPERATION * Wqe.HAS_IMMEDIATE) != 0 ? wr.immData() : 0;
        lastControl = putControl(b, head, at, begins, wr.wrId(), flags, immediate);
        block = b + 1;
        head++;
        return true;
    }

    /**
     * Writes what is behind the control segment, inline where the flags say so.
     *
     * @return what the control segment begins with now; 0 where inline data do not fit, or are refused
     */
    private long putWhole(long at, long begins, int flags, SendWorkRequest wr, ScatterGatherElement e) {
        if ((flags & SendFlags.INLINE) != 0) {
            return putInline(at, begins, wr, e);
        }
        putData(at, begins, wr.rkey(), wr.remoteAddr(), e.lkey(), e.addr(), e.length());
        return begins;
    }

    private static void putData(long at, long begins, int rkey, long remoteAddr, int lkey, long addr, int length) {
        long seg = putRemote(at, begins, rkey, remoteAddr);
        NativeMemory.putNetLong(seg, Wqe.words(length, lkey));
        NativeMemory.putNetLong(seg + Long.BYTES, addr);
    }

    private static long putRemote(long at, long begins, int rkey, long remoteAddr) {
        long seg = at + Wqe.SEGMENT;
        if (((int) begins & 1) == 0) { // two segments
            return seg;
        }
        NativeMemory.putNetLong(seg, remoteAddr);
        NativeMemory.putNetLong(seg + Long.BYTES, (long) rkey << 32);
        return seg + Wqe.SEGMENT;
    }

    private long putInline(long at, long begins, SendWorkRequest wr, ScatterGatherElement e) {
        long seg = putRemote(at, begins, wr.rkey(), wr.remoteAddr());
        int length = e.length();
        int room = Math.min(maxInline, (int) (at + Wqe.BLOCK - seg) - Integer.BYTES);
        if (length > room || !isRegistered(e.lkey(), e.addr(), length)) {
            return 0;
        }
        NativeMemory.copyFew(e.addr(), seg + Integer.BYTES, length);
        NativeMemory.putNetInt(seg, length | Wqe.INLINE);
        return begins + (length + Integer.BYTES - 1 >>> 4);
    }

    private long putControl(int b, int n, long at, long begins, long wrId, int flags, int immediate) {
        NativeMemory.putNetLong(at + Long.BYTES, Wqe.words(Wqe.bits(flags) | signalBits, immediate));
        note(b, n, wrId);
        long control = NativeMemory.fromNetwork((b & 0xffffL) << 40 | begins);
        NativeMemory.putLong(at, control);
        return control;
    }

    /**
     * Writes a whole element of one data segment and no immediate data, where it is simple.
     *
     * @return whether it is; else it is to be written segment by segment
     */
    public boolean simple(
            int opcode, long wrId, int flags, int rkey, long remoteAddr, int lkey, long addr, int length) {
        long begins = control(plain, opcode);
        int n = head;
        if (begins == 0 || (nextFence | flags & SendFlags.FENCE) != 0 || length <= 0 || n == tailSeen + maxPost) {
            return false;
        }
        int b = block;
        long at = at(b);
        putData(at, begins, rkey, remoteAddr, lkey, addr, length);
        lastControl = putControl(b, n, at, begins, wrId, flags, 0);
        block = b + 1;
        head = n + 1;
        return true;
    }

    /** The element of a simple request, or null. */
    private static ScatterGatherElement onlyElement(SendWorkRequest wr) {
        ScatterGatherElement[] list = wr.sgList();
        if (list == null || list.length == 0) {
            return null;
        }
        ScatterGatherElement e = list[0];
        return e == null || e.length() <= 0 ? null : e;
    }

    private int writeAny(SendWorkRequest wr) {
        int opcode = wr.opcode();
        int flags = wr.sendFlags();
        int refused = refusal(opcode);
        if (refused != 0) {
            return refused;
        }
        long at = place();
        if (transportSize != 0) {
            int error = writeTransport(at, wr);
            if (error != 0) {
                return error;
            }
        }
        long seg = afterTransport(at);
        if ((Wqe.REMOTE >>> opcode & 1) != 0) {
            seg = remote(seg, wr.remoteAddr(), wr.rkey());
        }
        int count = wr.numSge();
        ScatterGatherElement[] list = wr.sgList();
        if (count < 0 || count > maxSge || list == null || list.length < count) {
            return Errno.EINVAL;
        }
        boolean atomic = opcode >= WrOpcode.ATOMIC_CMP_AND_SWP;
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
        boolean immediate = (Wqe.IMMEDIATE >>> opcode & 1) != 0;
        open(wr.wrId(), flags, immediate ? wr.immData() : 0);
        close(at, seg, Wqe.operation(opcode));
        return 0;
    }

    private int writeTransport(long at, SendWorkRequest wr) {
        switch (transport) {
            case UD:
                return vector(at, wr.ah(), wr.remoteQpn(), (long) wr.remoteQkey() << 32);
            case XRC:
                srqNum(at, wr.remoteSrqn());
                return 0;
            default:
                return Errno.EOPNOTSUPP; // a DCI's address has no place in a work request
        }
    }

    /** Each element with its own length, or with that of an atomic; 0 where one is null, or longer than can be said. */
    private long writeElements(long at, ScatterGatherElement[] list, int count, boolean atomic) {
        long seg = at;
        for (int i = 0; i < count; i++) {
            ScatterGatherElement e = list[i];
            if (e == null) {
                return 0;
            }
            int length = e.length();
            if (length < 0) { // its upper bit would say that the data are inline
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
