/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.ring;

import io.verbs4j.Errno;
import io.verbs4j.SendBuilder;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.natives.memory.NativeMemory;

/**
 * Writes the requests of builders to a send queue: common requests word by word, others as {@link SendRing} writes work
 * requests. The caller holds the lock.
 */
final class BuiltSends {
    /** The maximum of length and key combined if the length is 0. */
    private static final long NO_LENGTH = 0xffff_ffffL;

    private BuiltSends() {}

    /** Posts all requests, or none if there is an error; returns 0 or an errno. */
    static int post(SendRing r, SendBuilder built) {
        int count = built.count();
        if (count == 1 && !r.isFull() && (postPlain(r, built) || postSimple(r, built))) {
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

    /** Returns whether there are data, assuming that the length is not negative. */
    private static boolean hasData(long lengthAndLkey) {
        return lengthAndLkey > NO_LENGTH;
    }

    /** Posts the only request if it is plain; the caller has checked that there is room. */
    private static boolean postPlain(SendRing r, SendBuilder built) {
        long lengthAndLkey = built.lengthAndLkey(0);
        if (!r.isPlain(built.flagsAndOpcode(0)) || !hasData(lengthAndLkey)) {
            return false;
        }
        int b = r.block;
        int n = r.head;
        long at = r.elementAt(b);
        long begins = r.kindBegins;
        r.note(b, n, built.wrId(0));
        SendRing.putFlagWord(at, r.kindFlagWord);
        SendRing.putData(
                at, begins, SendRing.keyWordOf(built.keys(0)), built.remoteAddr(0), lengthAndLkey, built.addr(0));
        r.head = n + 1;
        r.ringOne(b, at, SendRing.putControl(b, at, begins), false);
        return true;
    }

    /**
     * Posts the only request if it fits into a block, possibly with immediate or inline data; the caller has checked
     * that there is room.
     */
    private static boolean postSimple(SendRing r, SendBuilder built) {
        long begins = beginsSimple(r, built, 0);
        if (begins == 0) {
            return false;
        }
        int b = r.block;
        long at = r.elementAt(b);
        boolean inline = built.isInline(0);
        begins = put(r, built, 0, b, r.head, at, begins, inline);
        r.head++;
        r.ringOne(b, at, SendRing.putControl(b, at, begins | r.qpWord), inline);
        return true;
    }

    /**
     * Returns the beginning of the control segment, without the index and the queue pair, of a request that fits into a
     * block, possibly with immediate or inline data; 0 for any other request.
     */
    private static long beginsSimple(SendRing r, SendBuilder built, int i) {
        int opcode = built.opcode(i);
        int flags = built.sendFlags(i);
        if (!SendRing.isPlain(opcode, 1, flags, r.nextFence) || !built.isSimple(i)) {
            return 0;
        }
        int all = built.isInline(i) ? flags | SendFlags.INLINE : flags;
        return r.canPut(all, built.lkey(i), built.addr(i), built.length(i)) ? SendRing.control(r.simple, opcode) : 0;
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
     * Writes the run of equal plain requests at the beginning of the rest, which in most lists is all of it. The caller
     * has checked that there is room for one.
     *
     * <p>The run is determined before it is written, which keeps both loops small. The first row is read separately and
     * both loops start from the next, because the compiler checks every index of a loop that begins with a row that was
     * read before.
     *
     * @return the index of the first request that is not part of the run or has no room; the number of requests after
     *     the last
     */
    private static int writePlain(SendRing r, SendBuilder built, int from, int count) {
        long what = built.flagsAndOpcode(from);
        if (!r.isPlain(what) || !hasData(built.lengthAndLkey(from))) {
            return from;
        }
        int room = from + Math.min(count - from, r.limit - r.head);
        int end = from + 1;
        while (end < room && built.flagsAndOpcode(end) == what && hasData(built.lengthAndLkey(end))) {
            end++;
        }
        // split into two loops, so that neither checks each request for a remote segment
        if (SendRing.hasRemote(r.kindBegins)) {
            writeAlike(r, built, from, end, SendRing.WITH_REMOTE);
        } else {
            writeAlike(r, built, from, end, SendRing.WITHOUT_REMOTE);
        }
        return end;
    }

    /**
     * Writes plain requests of the ring's current kind, with the number of segments in {@code shape}. Everything that
     * changes is in registers.
     */
    private static void writeAlike(SendRing r, SendBuilder built, int from, int end, long shape) {
        int toBlock = r.block - from; // the same for all of them
        int toHead = r.head - from;
        long begins = r.kindBegins;
        long flagWord = r.kindFlagWord;
        for (int next = from + 1; next <= end; next++) {
            int i = next - 1;
            int b = i + toBlock;
            long at = r.elementAt(b);
            r.note(b, i + toHead, built.wrId(i));
            SendRing.putFlagWord(at, flagWord);
            SendRing.putData(
                    at,
                    shape,
                    SendRing.keyWordOf(built.keys(i)),
                    built.remoteAddr(i),
                    built.lengthAndLkey(i),
                    built.addr(i));
            SendRing.putControl(b, at, begins);
        }
        r.block = end + toBlock;
        r.head = end + toHead;
        r.lastControl = SendRing.controlAt(r.block - 1, begins);
    }

    /**
     * Writes a request that fits into a block, possibly with immediate or inline data; returns false for any other
     * request. The caller has checked that there is room.
     */
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

    /**
     * Writes everything but the first half of the control segment, which it returns. It reads the same values that
     * {@code canPut} checked.
     */
    private static long put(SendRing r, SendBuilder built, int i, int b, int n, long at, long begins, boolean inline) {
        int flags = built.sendFlags(i);
        long addr = built.addr(i);
        long lengthAndLkey = built.lengthAndLkey(i);
        long keys = built.keys(i);
        long remoteAddr = built.remoteAddr(i);
        int immediate = (begins & SendRing.FIRST_OF_OPERATION * Wqe.HAS_IMMEDIATE) != 0 ? (int) keys : 0;
        r.putFlags(b, n, at, built.wrId(i), flags, immediate);
        if (!inline) {
            SendRing.putData(at, begins, SendRing.keyWordOf(keys), remoteAddr, lengthAndLkey, addr);
            return begins;
        }
        int length = (int) (lengthAndLkey >>> 32);
        long seg = SendRing.putRemote(at, begins, SendRing.keyWordOf(keys), remoteAddr);
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
