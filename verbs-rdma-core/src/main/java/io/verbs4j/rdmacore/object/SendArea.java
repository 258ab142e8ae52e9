/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import io.verbs4j.AddressHandle;
import io.verbs4j.Errno;
import io.verbs4j.FlushLevel;
import io.verbs4j.FlushType;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpCreateSendOps;
import io.verbs4j.QpType;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WrOpcode;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.layout.SendWrLayout;
import io.verbs4j.rdmacore.layout.SgeLayout;
import io.verbs4j.rdmacore.marshal.SgeArea;
import io.verbs4j.rdmacore.memory.Pin;
import io.verbs4j.rdmacore.memory.PlacedRegions;
import io.verbs4j.rdmacore.memory.RegionTable;

/**
 * The memory in which the send work requests of one call become a list of {@code struct ibv_send_wr}. Used by one
 * thread at a time.
 * <pre>
 * 0                    bad_wr, which the driver writes
 * 16                   capacity work requests of 128 bytes, linked by their next pointers
 * 16 + capacity * 128  capacity times maxSge elements of 16 bytes
 * </pre>
 */
public final class SendArea {
    private static final int REQUESTS = 16;

    /** Flags that drivers know. They do not check for others. */
    public static final int FLAGS =
            SendFlags.FENCE | SendFlags.SIGNALED | SendFlags.SOLICITED | SendFlags.INLINE | SendFlags.IP_CSUM;

    /**
     * Result of {@link #put}: the request was written and must be the last of its list; report the outcome to
     * {@link #posted}.
     */
    public static final int LAST = -1;

    /** Operations that a C work request can express, by opcode. */
    private static final long CARRIED = (1L << WrOpcode.TSO + 1) - 1;

    /**
     * Offset of an atomic write's value, 8 bytes. C's work requests have no field for it, and drivers ignore this one.
     */
    public static final int ATOMIC_VALUE = SendWrLayout.WR_ATOMIC_SWAP;

    /** Offset of the length of a flush, 8 bytes, likewise; type and level have 4 bytes each. */
    public static final int FLUSH_LENGTH = SendWrLayout.WR_ATOMIC_SWAP;

    /** See {@link #FLUSH_LENGTH}. */
    public static final int FLUSH_TYPE = SendWrLayout.WR_ATOMIC_RKEY;

    /** See {@link #FLUSH_LENGTH}. */
    public static final int FLUSH_LEVEL = SendWrLayout.QP_TYPE_XRC_REMOTE_SRQN;

    /**
     * Offset of the remote address of a read or write with an address handle, 8 bytes; in C the address handle is at
     * the usual place.
     */
    public static final int DATAGRAM_REMOTE_ADDR = SendWrLayout.WR_ATOMIC_SWAP;

    /** Offset of its remote key, 4 bytes. */
    public static final int DATAGRAM_RKEY = SendWrLayout.WR_ATOMIC_RKEY;

    private static final int FLUSH_TYPES = FlushType.GLOBAL | FlushType.PERSISTENT;
    private static final long MOST_FLUSHED = 0xffff_ffffL;
    private static final int MOST_SEGMENT = 0xffff;

    private final long memory;
    private final int capacity;
    private final int maxSge;
    private final int qpType;
    private final long operations; // by opcode
    private final long built; // by opcode
    private final ProtectionDomain pd;
    private final RegionTable regions;
    private final Pin[] pins;
    private final WindowLog windows;
    private final TypeTwoBind bind = new TypeTwoBind();
    private int pinned;
    private int mark;
    private boolean builds;

    /**
     * Allocates an area.
     *
     * @param capacity most requests of one call, at least 1
     * @param maxSge most elements of a request
     * @param qpType a {@link QpType} value
     * @param operations the operations that may be posted, {@link io.verbs4j.QpCreateSendOps} bits
     * @param built those of them that cannot, or should not, be posted by {@code ibv_post_send}
     * @param pd domain that inline data and address handles must belong to
     * @param regions registered memory, which must contain inline data
     * @param windows log of requests about memory windows
     */
    public SendArea(
            int capacity,
            int maxSge,
            int qpType,
            long operations,
            long built,
            ProtectionDomain pd,
            RegionTable regions,
            WindowLog windows) {
        this.capacity = capacity;
        this.maxSge = maxSge;
        this.qpType = qpType;
        this.built = byOpcode(operations & built);
        this.operations = (operations & CARRIED | this.built) & ~TypeTwoBind.lacking(qpType, windows.book());
        this.windows = windows;
        this.pd = pd;
        this.regions = regions;
        this.pins =
                new Pin[capacity * (maxSge + 2)]; // the regions of inline data and of a header, and an address handle
        this.memory =
                NativeMemory.allocate(REQUESTS + (long) capacity * (SendWrLayout.SIZEOF + maxSge * SgeLayout.SIZEOF));
    }

    private static long byOpcode(long operations) {
        long all = operations & CARRIED;
        all |= (operations & QpCreateSendOps.FLUSH) == 0 ? 0 : 1L << WrOpcode.FLUSH;
        return (operations & QpCreateSendOps.ATOMIC_WRITE) == 0 ? all : all | 1L << WrOpcode.ATOMIC_WRITE;
    }

    /** {@return the maximum number of requests in one call} */
    public int capacity() {
        return capacity;
    }

    /** {@return the address of the first request} */
    public long first() {
        return memory + REQUESTS;
    }

    /** {@return the address of a request} */
    public long at(int index) {
        return NativeMemory.piece(first() + (long) index * SendWrLayout.SIZEOF);
    }

    /** {@return whether a request since {@link #unpin()} cannot, or should not, be posted by {@code ibv_post_send}} */
    public boolean builds() {
        return builds;
    }

    /** Sets the refused request, in place of the driver. */
    public void refused(int index) {
        NativeMemory.putLong(memory, at(index));
    }

    /** {@return the address at which the driver stores a refused request} */
    public long badWr() {
        return memory;
    }

    /** {@return the index of the refused request} */
    public int badIndex() {
        return (int) ((NativeMemory.getLong(memory) - first()) / SendWrLayout.SIZEOF);
    }

    /**
     * Writes a request and pins the objects that it names. Drivers differ in how they treat operations that a type
     * lacks, so those never reach one.
     *
     * @param index index of the request, from 0
     * @return 0, {@link #LAST}, or the errno for an invalid request
     */
    public int put(int index, SendWorkRequest wr) {
        long at = at(index);
        int opcode = wr.opcode();
        int count = wr.numSge();
        int flags = wr.sendFlags(); // read once: what is checked to be inline, or not, must be what is posted
        int before = pinned;
        int refused;
        ScatterGatherElement[] list = wr.sgList();
        if ((opcode & ~0x3f | flags & ~FLAGS) != 0 || (operations >>> opcode & 1) == 0) {
            return Errno.EOPNOTSUPP;
        }
        if (!SgeArea.fits(list, count, maxSge)) {
            return Errno.EINVAL;
        }
        boolean isBuilt = (built >>> opcode & 1) != 0;
        if (opcode == WrOpcode.LOCAL_INV || opcode == WrOpcode.BIND_MW) {
            refused = count != 0 ? Errno.EINVAL : putWindow(at, wr, opcode, flags & ~SendFlags.INLINE);
            builds |= isBuilt && refused == LAST;
            return refused;
        }
        if (opcode >= WrOpcode.FLUSH) {
            refused = count != 0 ? Errno.EINVAL : putBare(at, wr, opcode, flags);
            builds |= refused == 0;
            return refused;
        }
        long sges = elements(index);
        if (!putElements(sges, list, count, (flags & SendFlags.INLINE) != 0)
                || !putTarget(at, wr, opcode)
                || opcode == WrOpcode.TSO && !putHeader(at, wr)) {
            unpin(before);
            return Errno.EINVAL;
        }
        NativeMemory.putLong(at + SendWrLayout.WR_ID, wr.wrId());
        NativeMemory.putLong(at + SendWrLayout.NEXT, at + SendWrLayout.SIZEOF);
        NativeMemory.putLong(at + SendWrLayout.SG_LIST, sges);
        NativeMemory.putInt(at + SendWrLayout.NUM_SGE, count);
        NativeMemory.putInt(at + SendWrLayout.OPCODE, opcode);
        NativeMemory.putInt(at + SendWrLayout.SEND_FLAGS, flags);
        if (opcode == WrOpcode.SEND_WITH_INV) {
            NativeMemory.putInt(at + SendWrLayout.INVALIDATE_RKEY, wr.invalidateRkey());
        } else {
            NativeMemory.putNetInt(at + SendWrLayout.IMM_DATA, wr.immData());
        }
        builds |= isBuilt;
        return 0;
    }

    /** Writes an atomic write or a flush. Checks it as the embedded device does, because drivers check little. */
    private static int putBare(long at, SendWorkRequest wr, int opcode, int flags) {
        long addr = wr.remoteAddr();
        if (opcode == WrOpcode.ATOMIC_WRITE) {
            if ((addr & Long.BYTES - 1) != 0) {
                return Errno.EINVAL;
            }
            NativeMemory.putLong(at + ATOMIC_VALUE, wr.atomicWriteValue());
        } else {
            int type = wr.flushType();
            int level = wr.flushLevel();
            long length = wr.flushLength();
            if ((type & ~FLUSH_TYPES) != 0 || level != FlushLevel.RANGE && level != FlushLevel.MR) {
                return Errno.EOPNOTSUPP;
            }
            if (type == 0 || (length & ~MOST_FLUSHED) != 0 || (flags & SendFlags.INLINE) != 0) {
                return Errno.EINVAL;
            }
            NativeMemory.putLong(at + FLUSH_LENGTH, length);
            NativeMemory.putInt(at + FLUSH_TYPE, type);
            NativeMemory.putInt(at + FLUSH_LEVEL, level);
        }
        NativeMemory.putLong(at + SendWrLayout.WR_ID, wr.wrId());
        NativeMemory.putLong(at + SendWrLayout.NEXT, at + SendWrLayout.SIZEOF);
        NativeMemory.putInt(at + SendWrLayout.NUM_SGE, 0);
        NativeMemory.putInt(at + SendWrLayout.OPCODE, opcode);
        NativeMemory.putInt(at + SendWrLayout.SEND_FLAGS, flags & ~SendFlags.INLINE);
        NativeMemory.putLong(at + SendWrLayout.WR_RDMA_REMOTE_ADDR, addr);
        NativeMemory.putInt(at + SendWrLayout.WR_RDMA_RKEY, wr.rkey());
        return 0;
    }

    /**
     * Writes a request about a window. The driver reads the window's present key when it gets the request, so no other
     * request can follow in the list.
     */
    private int putWindow(long at, SendWorkRequest wr, int opcode, int flags) {
        long wrId = wr.wrId();
        int rkey = 0;
        mark = windows.mark();
        if (opcode == WrOpcode.BIND_MW) {
            int refused = bind.read(wr);
            if (refused != 0) {
                return refused;
            }
            bind.put(at);
            windows.bind(bind.window(), bind.newKey(), wrId, flags);
        } else {
            rkey = wr.invalidateRkey();
            int refused = windows.invalidate(rkey, wrId, flags);
            if (refused != 0) {
                return refused;
            }
        }
        NativeMemory.putLong(at + SendWrLayout.WR_ID, wrId);
        NativeMemory.putLong(at + SendWrLayout.NEXT, 0);
        NativeMemory.putLong(at + SendWrLayout.SG_LIST, 0);
        NativeMemory.putInt(at + SendWrLayout.NUM_SGE, 0);
        NativeMemory.putInt(at + SendWrLayout.OPCODE, opcode);
        NativeMemory.putInt(at + SendWrLayout.SEND_FLAGS, flags);
        NativeMemory.putInt(at + SendWrLayout.INVALIDATE_RKEY, rkey);
        return LAST;
    }

    /** Reports whether the request that was {@link #LAST} was posted. */
    public void posted(boolean accepted) {
        if (!accepted) {
            windows.undo(mark);
        } else if (bind.window() != null) {
            bind.window().bound(bind.newKey());
        }
    }

    private long elements(int index) {
        return first() + (long) capacity * SendWrLayout.SIZEOF + (long) index * maxSge * SgeLayout.SIZEOF;
    }

    private boolean putElements(long at, ScatterGatherElement[] list, int count, boolean inline) {
        if (count == 0) {
            return true;
        }
        int i = 0;
        do { // usually one element: a loop with its test in front costs a request 0.7 ns more
            ScatterGatherElement e = list[i];
            if (e == null) {
                return false;
            }
            long addr = e.addr(); // read once: what is checked must be what is posted
            int length = e.length();
            int lkey = e.lkey();
            // The top bit of a negative length would mark the data as inline for libmlx5's device.
            if (length < 0) {
                return false;
            }
            if (inline && !pin(lkey, addr, length)) {
                addr = pinPlaced(lkey, addr, length);
                if (addr == 0) {
                    return false;
                }
            }
            SgeArea.put(at + (long) i * SgeLayout.SIZEOF, addr, length, lkey);
        } while (++i < count);
        return true;
    }

    private boolean pin(int lkey, long addr, int length) {
        if (length == 0) {
            return true;
        }
        Pin pin = regions.enter(lkey, pd, addr, length);
        if (pin == null) {
            return false;
        }
        pins[pinned++] = pin;
        return true;
    }

    /**
     * As {@link #pin}, for a region whose addresses are not those of its memory; returns the address for C to copy
     * from, or 0.
     */
    private long pinPlaced(int lkey, long addr, int length) {
        PlacedRegions.Placed region = regions.placed().find(lkey, pd, addr, length);
        if (region == null || region.address(addr) == 0 || !region.pin().enter()) {
            return 0;
        }
        pins[pinned++] = region.pin();
        return region.address(addr);
    }

    private boolean putTarget(long at, SendWorkRequest wr, int opcode) {
        if (qpType == QpType.UD) {
            return putDatagram(at, wr);
        }
        if (qpType == QpType.XRC_SEND) {
            NativeMemory.putInt(at + SendWrLayout.QP_TYPE_XRC_REMOTE_SRQN, wr.remoteSrqn());
        }
        if (opcode >= WrOpcode.ATOMIC_CMP_AND_SWP) {
            NativeMemory.putLong(at + SendWrLayout.WR_ATOMIC_REMOTE_ADDR, wr.remoteAddr());
            NativeMemory.putLong(at + SendWrLayout.WR_ATOMIC_COMPARE_ADD, wr.compareAdd());
            NativeMemory.putLong(at + SendWrLayout.WR_ATOMIC_SWAP, wr.swap());
            NativeMemory.putInt(at + SendWrLayout.WR_ATOMIC_RKEY, wr.rkey());
        } else {
            NativeMemory.putLong(at + SendWrLayout.WR_RDMA_REMOTE_ADDR, wr.remoteAddr());
            NativeMemory.putInt(at + SendWrLayout.WR_RDMA_RKEY, wr.rkey());
        }
        return true;
    }

    /** Writes the header of a TSO, which drivers copy during the call. */
    private boolean putHeader(long at, SendWorkRequest wr) {
        ScatterGatherElement header = wr.tsoHeader();
        int mss = wr.mss();
        if (header == null || mss < 1 || mss > MOST_SEGMENT) {
            return false;
        }
        int length = header.length();
        long addr = header.addr();
        if (length < 1 || length > MOST_SEGMENT) {
            return false;
        }
        if (!pin(header.lkey(), addr, length)) {
            addr = pinPlaced(header.lkey(), addr, length);
        }
        NativeMemory.putLong(at + SendWrLayout.TSO_HDR, addr);
        NativeMemory.putShort(at + SendWrLayout.TSO_HDR_SZ, length);
        NativeMemory.putShort(at + SendWrLayout.TSO_MSS, mss);
        return addr != 0;
    }

    private boolean putDatagram(long at, SendWorkRequest wr) {
        AddressHandle ah = wr.ah();
        if (!(ah instanceof NativeAddressHandle handle) || ah.pd().base() != pd) {
            return false;
        }
        Pin pin = handle.ibv.pin();
        if (!pin.enter()) {
            return false;
        }
        pins[pinned++] = pin;
        NativeMemory.putLong(at + SendWrLayout.WR_UD_AH, handle.ibv.address());
        NativeMemory.putInt(at + SendWrLayout.WR_UD_REMOTE_QPN, wr.remoteQpn());
        NativeMemory.putInt(at + SendWrLayout.WR_UD_REMOTE_QKEY, wr.remoteQkey());
        NativeMemory.putLong(at + DATAGRAM_REMOTE_ADDR, wr.remoteAddr());
        NativeMemory.putInt(at + DATAGRAM_RKEY, wr.rkey());
        return true;
    }

    /**
     * Ends the list with the request at an index. If the driver does not report which one it refused, it is the first.
     */
    public void end(int index) {
        NativeMemory.putLong(memory, first());
        NativeMemory.putLong(at(index) + SendWrLayout.NEXT, 0);
    }

    /** Unpins the objects that the requests name; the driver has copied all data when a post returns. */
    public void unpin() {
        unpin(0);
        bind.leave();
        builds = false;
    }

    private void unpin(int down) {
        while (pinned > down) {
            pins[--pinned].leave();
            pins[pinned] = null;
        }
    }

    /** Frees the area, which must not be used afterwards. */
    public void free() {
        NativeMemory.free(memory);
    }
}
