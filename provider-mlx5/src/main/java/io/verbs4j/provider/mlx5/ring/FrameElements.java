/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.ring;

import io.verbs4j.Errno;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WrOpcode;
import io.verbs4j.natives.memory.NativeMemory;

/**
 * Writes the elements of raw packet queue pairs, with the lock of the queue held.
 *
 * <pre>
 * 16 Ethernet  reserved(4) checksums(1) reserved(1) size of segments(2)
 *              24 reserved(4) size of the header(2) its first bytes(2)
 * 32 the rest of the header, padded to 16 bytes: the part of a frame that the device needs here, or the header
 *    of each segment
 * .. data      as in other elements
 * </pre>
 *
 * The header may continue at the beginning of the ring.
 */
final class FrameElements {
    /** The minimum size of a header for segments: that of an Ethernet header. */
    private static final int LEAST_HEADER = 14;

    private static final int HEADER_AT = 30;
    private static final int IN_FRONT = 2; // bytes of the header in the first 16
    private static final int CHECKSUMS = 0xc0 << 24; // of layers 3 and 4
    private static final int MOST_SEGMENT = 0xffff;
    private static final int FLAGS =
            SendFlags.FENCE | SendFlags.SIGNALED | SendFlags.SOLICITED | SendFlags.INLINE | SendFlags.IP_CSUM;

    private final SendRing ring;
    private final FrameLimits limits;

    // The data that are not in the header begin at this element, after skipping this many of its bytes.
    private int next;
    private int skip;

    FrameElements(SendRing ring, FrameLimits limits) {
        this.ring = ring;
        this.limits = limits;
    }

    /**
     * Writes a request; returns 0 or an errno, in which case nothing is written. The caller has checked that there is
     * room for one.
     */
    int write(SendWorkRequest wr) {
        int opcode = wr.opcode();
        int flags = wr.sendFlags();
        boolean cuts = opcode == WrOpcode.TSO;
        if ((flags & ~FLAGS) != 0 || (cuts ? limits.maxTso() == 0 : opcode != WrOpcode.SEND)) {
            return Errno.EOPNOTSUPP;
        }
        int count = wr.numSge();
        ScatterGatherElement[] list = wr.sgList();
        if (count < 0 || count > ring.maxSge || count != 0 && (list == null || list.length < count)) {
            return Errno.EINVAL;
        }
        if (!cuts && count == 0 || (flags & SendFlags.IP_CSUM) != 0 && !limits.checksums()) {
            return Errno.EINVAL;
        }
        int head = ring.head;
        int error = cuts ? writeSegmented(wr, flags, list, count) : writeFrame(wr, flags, list, count);
        if (error != 0) {
            ring.head = head;
        }
        return error;
    }

    private int writeFrame(SendWorkRequest wr, int flags, ScatterGatherElement[] list, int count) {
        long at = ring.place();
        int header = limits.inlineHeader();
        begin(at, flags, 0, header);
        if (!putHeader(at + HEADER_AT, list, count, header)) {
            return Errno.EINVAL;
        }
        long seg = behind(at, header);
        seg = isInline(flags, count)
                ? putInline(seg, list, count, ring.maxInline)
                : putElements(seg, list, count, Long.MAX_VALUE);
        return end(at, seg, wr.wrId(), flags, Wqe.OP_SEND);
    }

    private int writeSegmented(SendWorkRequest wr, int flags, ScatterGatherElement[] list, int count) {
        ScatterGatherElement header = wr.tsoHeader();
        int mss = wr.mss();
        if (header == null || mss < 1 || mss > MOST_SEGMENT) {
            return Errno.EINVAL;
        }
        int size = header.length();
        if (size < LEAST_HEADER || size > limits.maxTsoHeader()) {
            return Errno.EINVAL;
        }
        int inline = isInline(flags, count) ? inlineLength(list, count) : 0;
        if (inline > ring.maxInline) {
            return Errno.EINVAL;
        }
        int error = inline == 0 ? 0 : take(size, inline); // together they may exceed the room of one request
        if (error != 0) {
            return error;
        }
        long at = ring.place();
        begin(at, flags, mss, size);
        if (ring.copyIn(at + HEADER_AT, header.lkey(), header.addr(), size, size) == 0) {
            return Errno.EINVAL;
        }
        next = 0;
        skip = 0;
        long seg = behind(at, size);
        seg = isInline(flags, count)
                ? putInline(seg, list, count, inline)
                : putElements(seg, list, count, limits.maxTso());
        return end(at, seg, wr.wrId(), flags, Wqe.OP_TSO);
    }

    private static boolean isInline(int flags, int count) {
        return (flags & SendFlags.INLINE) != 0 && count != 0;
    }

    /** Writes the Ethernet segment except for the header. As in libmlx5, the unused part of its 32 bytes is zeroed. */
    private static void begin(long at, int flags, int mss, int header) {
        long seg = at + Wqe.SEGMENT;
        NativeMemory.putNetLong(seg, Wqe.words(0, (flags & SendFlags.IP_CSUM) != 0 ? CHECKSUMS | mss : mss));
        NativeMemory.putNetLong(seg + Long.BYTES, (long) header << Short.SIZE);
        NativeMemory.putLong(seg + Wqe.SEGMENT, 0);
        NativeMemory.putLong(seg + Wqe.SEGMENT + Long.BYTES, 0);
    }

    /** Returns the address of the segment after a header of that many bytes. */
    private long behind(long at, int header) {
        return ring.wrap(at + 2 * Wqe.SEGMENT + more(header));
    }

    /** Returns the room that a header takes after the first 16 bytes of the Ethernet segment. */
    private static int more(int header) {
        return Math.max(0, header - IN_FRONT + Wqe.SEGMENT - 1) & -Wqe.SEGMENT;
    }

    /**
     * Copies the part of a frame that the device needs into the element; returns false if the frame is too short, or
     * its memory is not registered.
     */
    private boolean putHeader(long at, ScatterGatherElement[] list, int count, int size) {
        long to = at;
        int left = size;
        int i = 0;
        skip = 0;
        while (left > 0) {
            ScatterGatherElement e = i == count ? null : list[i];
            if (e == null) {
                return false;
            }
            int length = e.length();
            int n = Math.min(length, left);
            to = ring.copyIn(to, e.lkey(), e.addr(), n, left);
            if (to == 0) {
                return false;
            }
            left -= n;
            if (n == length) {
                i++;
            } else {
                skip = n;
            }
        }
        next = i;
        return true;
    }

    /** Writes the rest of the list; returns 0 if an element is null, or the data are too long. */
    private long putElements(long at, ScatterGatherElement[] list, int count, long most) {
        long seg = at;
        long left = most;
        for (int i = next; i < count; i++) {
            ScatterGatherElement e = list[i];
            if (e == null) {
                return 0;
            }
            int length = e.length() - skip;
            if (length < 0 || length > left) {
                return 0;
            }
            left -= length;
            seg = ring.data(seg, e.lkey(), e.addr() + skip, length);
            skip = 0;
        }
        return seg;
    }

    private long putInline(long seg, ScatterGatherElement[] list, int count, int most) {
        long to = seg + Integer.BYTES;
        int total = 0;
        for (int i = next; i < count; i++) {
            ScatterGatherElement e = list[i];
            if (e == null) {
                return 0;
            }
            int length = e.length() - skip;
            to = ring.copyIn(to, e.lkey(), e.addr() + skip, length, most - total);
            if (to == 0) {
                return 0;
            }
            total += length;
            skip = 0;
        }
        return ring.endInline(seg, total);
    }

    /**
     * Returns the total length of the elements, or a larger number than fits inline if they are too long or one is
     * null.
     */
    private int inlineLength(ScatterGatherElement[] list, int count) {
        int total = 0;
        for (int i = 0; i < count && total <= ring.maxInline; i++) {
            ScatterGatherElement e = list[i];
            int length = e == null ? -1 : e.length();
            total = length < 0 || length > ring.maxInline ? Integer.MAX_VALUE : total + length;
        }
        return total;
    }

    /** Reserves the room for a header and inline data of these lengths; returns 0 or an errno. */
    private int take(int header, int inline) {
        int bytes = 2 * Wqe.SEGMENT + more(header) + (Integer.BYTES + inline + Wqe.SEGMENT - 1 & -Wqe.SEGMENT);
        return ring.take(bytes + Wqe.BLOCK - 1 >>> 6);
    }

    private int end(long at, long seg, long wrId, int flags, int operation) {
        if (seg == 0) {
            return Errno.EINVAL;
        }
        ring.open(wrId, flags, 0);
        ring.close(at, seg, operation);
        return 0;
    }
}
