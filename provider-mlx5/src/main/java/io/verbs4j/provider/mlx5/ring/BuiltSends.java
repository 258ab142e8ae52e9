/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.ring;

import io.verbs4j.Errno;
import io.verbs4j.SendBuilder;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.rdmacore.memory.NativeMemory;

/**
 * Writes to a send queue what builders have gathered: the common requests word by word, the others as {@link SendRing} writes work requests. The
 * lock is held by whoever calls.
 */
final class BuiltSends {
    /** What may differ between requests that are written the shortest way. */
    private static final long PLAIN = (long) SendRing.PLAIN_FLAGS << 32 | 7;

    private static final long RKEY = 0xffff_ffffL << 32;

    private final SendRing ring;

    BuiltSends(SendRing ring) {
        this.ring = ring;
    }

    /** Posts all, or with an error nothing; 0 or an errno. */
    int post(SendBuilder built) {
        SendRing r = ring;
        int count = built.count();
        if (count == 1 && !r.isFull() && postOne(r, built)) {
            return 0;
        }
        r.start();
        int error = writeAll(r, built, count);
        if (error == 0) {
            r.ring();
        } else {
            r.forget();
        }
        return error;
    }

    /** What the control segment of a plain request begins with but for the index and the queue pair, or 0 where flags and operation are not of one. */
    private static long beginsPlain(long[] plain, long what) {
        return ((what ^ SendBuilder.SIMPLE) & ~PLAIN) == 0 ? SendRing.control(plain, (int) what & 7) : 0;
    }

    /** Whether there are data: the length of what was gathered is not negative. */
    private static boolean hasData(long lengthAndLkey) {
        return lengthAndLkey >>> 32 != 0;
    }

    /** The same of a request that may have immediate or inline data, and fits into a block. */
    private static long beginsSimple(SendRing r, SendBuilder built, int i) {
        int opcode = built.opcode(i);
        int flags = built.sendFlags(i);
        if (!SendRing.isPlain(opcode, 1, flags, r.nextFence) || !built.isSimple(i)) {
            return 0;
        }
        int all = built.isInline(i) ? flags | SendFlags.INLINE : flags;
        return r.canPut(all, built.lkey(i), built.addr(i), built.length(i)) ? SendRing.control(r.simple, opcode) : 0;
    }

    /** Posts the only request, where it is of one block; there is room. */
    private static boolean postOne(SendRing r, SendBuilder built) {
        int b = r.block;
        long at = r.elementAt(b);
        long what = built.flagsAndOpcode(0);
        long lengthAndLkey = built.lengthAndLkey(0);
        long begins = r.nextFence == 0 && hasData(lengthAndLkey) ? beginsPlain(r.plain, what) : 0;
        boolean inline = false;
        if (begins != 0) {
            r.note(b, r.head, built.wrId(0));
            SendRing.putFlagWord(at, r.plainFlags((int) (what >>> 32)));
            SendRing.putData(at, begins, built.keys(0) & RKEY, built.remoteAddr(0), lengthAndLkey, built.addr(0));
        } else {
            begins = beginsSimple(r, built, 0);
            if (begins == 0) {
                return false;
            }
            inline = built.isInline(0);
            begins = put(r, built, 0, b, r.head, at, begins, inline);
        }
        r.ringOne(b, at, SendRing.putControl(b, at, begins | r.qpWord), inline);
        r.head++;
        return true;
    }

    private static int writeAll(SendRing r, SendBuilder built, int count) {
        int i = 0;
        while (i < count) {
            if (r.isFull()) {
                return Errno.ENOMEM;
            }
            int rest = writePlain(r, built, i, count);
            if (rest == i) {
                int error = writeSimple(r, built, i) ? 0 : writeAny(r, built, i);
                if (error != 0) {
                    return error;
                }
                rest++;
            }
            i = rest;
        }
        return 0;
    }

    /**
     * Writes plain requests, as that of {@link SendRing}: what changes is in registers. Most have the flags and the operation of the one before,
     * for which nothing is looked up again.
     *
     * @return the first that is not one, or has no room; the number of requests after the last
     */
    private static int writePlain(SendRing r, SendBuilder built, int from, int count) {
        int first = r.block;
        int ahead = r.head - first; // the same for all of them
        int room = r.nextFence == 0 ? r.limit - r.head : 0;
        int end = from + Math.min(count - from, room);
        long control = r.lastControl;
        long qp = r.qpWord;
        long before = 0; // that of no plain request
        long begins = 0;
        long flagWord = 0;
        int i = from;
        for (; i < end; i++) {
            long what = built.flagsAndOpcode(i);
            if (what != before) {
                begins = beginsPlain(r.plain, what);
                if (begins == 0) {
                    break;
                }
                flagWord = r.plainFlags((int) (what >>> 32));
                before = what;
            }
            long lengthAndLkey = built.lengthAndLkey(i);
            if (!hasData(lengthAndLkey)) {
                break;
            }
            int b = first + (i - from);
            long at = r.elementAt(b);
            r.note(b, b + ahead, built.wrId(i));
            SendRing.putFlagWord(at, flagWord);
            SendRing.putData(at, begins, built.keys(i) & RKEY, built.remoteAddr(i), lengthAndLkey, built.addr(i));
            control = SendRing.putControl(b, at, begins | qp);
        }
        int b = first + (i - from);
        r.block = b;
        r.head = b + ahead;
        r.lastControl = control;
        return i;
    }

    /** Writes a request with immediate or inline data that fits into a block; whether it is one. There is room. */
    private static boolean writeSimple(SendRing r, SendBuilder built, int i) {
        long begins = beginsSimple(r, built, i);
        if (begins == 0) {
            return false;
        }
        int b = r.block;
        long at = r.elementAt(b);
        boolean inline = built.isInline(i);
        begins = put(r, built, i, b, r.head, at, begins, inline);
        r.lastControl = SendRing.putControl(b, at, begins | r.qpWord);
        r.inline |= inline;
        r.block = b + 1;
        r.head++;
        return true;
    }

    /** Writes all but the first half of the control segment, which it returns. What is read here is what {@code canPut} was asked. */
    private static long put(SendRing r, SendBuilder built, int i, int b, int n, long at, long begins, boolean inline) {
        int flags = built.sendFlags(i);
        long addr = built.addr(i);
        long lengthAndLkey = built.lengthAndLkey(i);
        long keys = built.keys(i);
        long remoteAddr = built.remoteAddr(i);
        int immediate = (begins & SendRing.FIRST_OF_OPERATION * Wqe.HAS_IMMEDIATE) != 0 ? (int) keys : 0;
        r.putFlags(b, n, at, built.wrId(i), flags, immediate);
        if (!inline) {
            SendRing.putData(at, begins, keys & RKEY, remoteAddr, lengthAndLkey, addr);
            return begins;
        }
        int length = (int) (lengthAndLkey >>> 32);
        long seg = SendRing.putRemote(at, begins, keys & RKEY, remoteAddr);
        NativeMemory.copyFew(addr, seg + Integer.BYTES, length);
        NativeMemory.putNetInt(seg, length | Wqe.INLINE);
        return begins + (length + Integer.BYTES - 1 >>> 4);
    }

    private static int writeAny(SendRing r, SendBuilder built, int i) {
        if (r.transport == Transport.XRC && !built.namesSrq(i)) {
            return Errno.EINVAL;
        }
        SendWorkRequest wr = built.request(i);
        return wr == null ? Errno.ENOMEM : r.writeAny(wr, built, i);
    }
}
