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
    /** The device's operation for each opcode whose element is one block when it has one data segment, 8 bits each; else 0. */
    private final long simple;

    /** A queue over memory that the device shares. */
    public SendRing(Setup s) {
        super(s);
        simple = transportSize == 0 && maxSge != 0 ? Wqe.operations(allowed & ~Wqe.ATOMIC) : 0;
    }

    /** Posts a list; 0 or an errno. */
    public int post(SendWorkRequest first, SendWorkRequest[] badWr) {
        if (first.next() == null && nextFence == 0 && head != tailSeen + maxPost) {
            int operation = Wqe.operation(simple, first.opcode());
            ScatterGatherElement e = onlyElement(first);
            if (operation != 0 && e != null) {
                int b = block;
                long control = putSimple(b, head, first, operation, e);
                if (control != 0) {
                    block = b + 1;
                    head++;
                    int value = NativeMemory.fromNetwork(b + 1 & 0xffff);
                    if (doorbell.blueFlame() != 0) {
                        doorbell.ringBlock(record, value, buf + ((long) (b & mask) << 6));
                    } else {
                        doorbell.ring(record, value, control);
                    }
                    return 0;
                }
            }
        }
        return postList(first, badWr);
    }

    private int postList(SendWorkRequest first, SendWorkRequest[] badWr) {
        int beforeHead = head;
        int beforeBlock = block;
        int error = 0;
        SendWorkRequest wr = first;
        do {
            wr = writeSimple(wr);
            if (wr != null) {
                error = isFull() ? Errno.ENOMEM : writeAny(wr);
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
     * Writes the simple requests that a list begins with: of RC and UC, with one data segment, without a fence. Such an element
     * fits into a block, so that the ring's end need not be looked at; all that changes is in registers.
     *
     * @return the first that is not one, or has no room
     */
    private SendWorkRequest writeSimple(SendWorkRequest first) {
        SendWorkRequest wr = first;
        int b = block;
        int n = head;
        int full = tailSeen + maxPost;
        long control = lastControl;
        long operations = nextFence == 0 ? simple : 0;
        while (wr != null && n != full) {
            int operation = Wqe.operation(operations, wr.opcode());
            ScatterGatherElement e = onlyElement(wr);
            if (operation == 0 || e == null) {
                break;
            }
            long put = putSimple(b, n, wr, operation, e);
            if (put == 0) {
                break;
            }
            control = put;
            b++;
            n++;
            wr = wr.next();
        }
        block = b;
        head = n;
        lastControl = control;
        return wr;
    }

    private long putSimple(int b, int n, SendWorkRequest wr, int operation, ScatterGatherElement e) {
        int immediate = (operation & Wqe.HAS_IMMEDIATE) != 0 ? wr.immData() : 0;
        int flags = wr.sendFlags();
        return (flags & SendFlags.INLINE) != 0
                ? putInline(b, n, operation, wr, e, immediate)
                : putSimple(
                        b,
                        n,
                        operation,
                        wr.wrId(),
                        flags,
                        immediate,
                        wr.rkey(),
                        wr.remoteAddr(),
                        e.lkey(),
                        e.addr(),
                        e.length());
    }

    /**
     * Writes the element of a simple request.
     *
     * @return the first 8 bytes of its control segment, as they are in memory
     */
    private long putSimple(
            int b,
            int n,
            int operation,
            long wrId,
            int flags,
            int immediate,
            int rkey,
            long remoteAddr,
            int lkey,
            long addr,
            int length) {
        int index = b & mask;
        long at = buf + ((long) index << 6);
        long seg = at + Wqe.SEGMENT;
        int size = 2;
        if ((operation & Wqe.IS_SEND) == 0) {
            putRemote(seg, remoteAddr, rkey);
            seg += Wqe.SEGMENT;
            size = 3;
        }
        NativeMemory.putNetLong(seg, Wqe.words(length, lkey));
        NativeMemory.putNetLong(seg + Long.BYTES, addr);
        return putControl(b, n, at, size, operation, wrId, flags, immediate);
    }

    /** The same with inline data; 0 where they do not fit, or are refused. */
    private long putInline(int b, int n, int operation, SendWorkRequest wr, ScatterGatherElement e, int immediate) {
        long at = buf + ((long) (b & mask) << 6);
        long seg = at + Wqe.SEGMENT;
        int size = 2;
        if ((operation & Wqe.IS_SEND) == 0) {
            putRemote(seg, wr.remoteAddr(), wr.rkey());
            seg += Wqe.SEGMENT;
            size = 3;
        }
        int length = e.length();
        int room = Math.min(maxInline, Wqe.BLOCK - (size - 1) * Wqe.SEGMENT - Integer.BYTES);
        if (copyIn(seg + Integer.BYTES, e.lkey(), e.addr(), length, room) == 0) {
            return 0;
        }
        NativeMemory.putNetInt(seg, length | Wqe.INLINE);
        size += length + Integer.BYTES - 1 >>> 4;
        return putControl(b, n, at, size, operation, wr.wrId(), wr.sendFlags(), immediate);
    }

    private static void putRemote(long seg, long addr, int rkey) {
        NativeMemory.putNetLong(seg, addr);
        NativeMemory.putNetLong(seg + Long.BYTES, (long) rkey << 32);
    }

    private long putControl(int b, int n, long at, int size, int operation, long wrId, int flags, int immediate) {
        NativeMemory.putNetLong(at + Long.BYTES, Wqe.words(Wqe.bits(flags) | signalBits, immediate));
        book[2 * (b & mask)] = wrId;
        book[2 * (b & mask) + 1] = n;
        long control = NativeMemory.fromNetwork(Wqe.words((b & 0xffff) << 8 | operation, qpNum << 8 | size));
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
        int operation = Wqe.operation(simple, opcode);
        if (operation == 0 || (nextFence | flags & SendFlags.FENCE) != 0 || length <= 0 || head == tailSeen + maxPost) {
            return false;
        }
        lastControl = putSimple(block, head, operation, wrId, flags, 0, rkey, remoteAddr, lkey, addr, length);
        block++;
        head++;
        return true;
    }

    /** The element of a simple request, or null. */
    private static ScatterGatherElement onlyElement(SendWorkRequest wr) {
        ScatterGatherElement[] list = wr.sgList();
        if (wr.numSge() != 1 || (wr.sendFlags() & SendFlags.FENCE) != 0 || list == null || list.length == 0) {
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
