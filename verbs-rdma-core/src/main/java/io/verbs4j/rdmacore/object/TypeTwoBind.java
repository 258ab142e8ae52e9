/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import io.verbs4j.AccessFlags;
import io.verbs4j.Errno;
import io.verbs4j.MemoryWindow;
import io.verbs4j.MwBind;
import io.verbs4j.MwType;
import io.verbs4j.QpCreateSendOps;
import io.verbs4j.QpType;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.layout.MwBindInfoLayout;
import io.verbs4j.rdmacore.layout.SendWrLayout;

/**
 * What a work request to bind a memory window of type 2 has beyond others, each field read once, and checked. Used by one thread at a
 * time; from {@link #read} to {@link #leave} it keeps window and region from being closed.
 *
 * <p>Whether the window is free, region and bounds allow it, and the domains are right, the device judges. But rdma_rxe does not look at
 * the region's domain.
 */
public final class TypeTwoBind {
    private static final int RIGHTS = AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ | AccessFlags.REMOTE_ATOMIC;

    /** Rights that regions have, and windows have not. */
    private static final int REGION_RIGHTS = AccessFlags.LOCAL_WRITE | AccessFlags.MW_BIND | AccessFlags.ON_DEMAND;

    private static final int TAG = 0xff;

    private NativeMemoryWindow window;
    private NativeMemoryRegion region;
    private int newKey;
    private long addr;
    private long length;
    private int access;

    /** Nothing was read yet. */
    public TypeTwoBind() {}

    /** What a queue pair has not, {@link QpCreateSendOps} bits: who can't be reached needs no windows. */
    public static long lacking(int qpType, WindowBook book) {
        boolean binds = book.isAvailable() && (qpType == QpType.RC || qpType == QpType.UC);
        return binds ? 0 : QpCreateSendOps.BIND_MW;
    }

    /** What is wrong with a request, in words; null where nothing is. */
    public static String broken(SendWorkRequest wr) {
        MwBind bind = wr.mwBind();
        if (!(wr.mw() instanceof NativeMemoryWindow mw) || mw.type() != MwType.TYPE_2) {
            return "mw must be a window of TYPE_2 of this device; one of TYPE_1 is bound by bindMw";
        }
        if (bind == null
                || !(bind.mr() instanceof NativeMemoryRegion mr)
                || mr.pd().base() != mw.pd().base()) {
            return "mwBind must name a region of this device and of the window's protection domain; what was bound is taken back by"
                    + " LOCAL_INV";
        }
        if (((wr.mwRkey() ^ mw.rkey()) & ~TAG) != 0) {
            return "mwRkey is 0x" + Integer.toHexString(wr.mwRkey())
                    + ", but only the lowest 8 bits of the window's key, 0x" + Integer.toHexString(mw.rkey())
                    + ", may change; use MemoryWindow.incRkey";
        }
        int wrong = bind.mwAccessFlags() & ~(RIGHTS | AccessFlags.OPTIONAL_RANGE);
        if (wrong != 0) {
            return "mwBind has mwAccessFlags " + AccessFlags.toString(wrong)
                    + ", which the device gives no window; it gives " + AccessFlags.toString(RIGHTS);
        }
        return bind.length() < 0 ? "mwBind has the length " + bind.length() : null;
    }

    /** Takes a request over; 0 or an errno. */
    public int read(SendWorkRequest wr) {
        return read(wr.mw(), wr.mwRkey(), wr.mwBind());
    }

    /** Takes over what a request names; 0 or an errno. */
    public int read(MemoryWindow of, int rkey, MwBind bind) {
        if (!(of instanceof NativeMemoryWindow mw)
                || mw.type() != MwType.TYPE_2
                || bind == null
                || !(bind.mr() instanceof NativeMemoryRegion mr)
                || mr.pd().base() != mw.pd().base()) {
            return Errno.EINVAL;
        }
        newKey = rkey;
        addr = bind.addr();
        length = bind.length();
        access = bind.mwAccessFlags() & ~AccessFlags.OPTIONAL_RANGE;
        if (((newKey ^ mw.rkey()) & ~TAG) != 0 || length < 0 || (access & REGION_RIGHTS) != 0) {
            return Errno.EINVAL;
        }
        if ((access & ~RIGHTS) != 0) {
            return Errno.EOPNOTSUPP;
        }
        if (!mw.ibv.pin().enter()) {
            return Errno.EINVAL;
        }
        if (!mr.ibv.pin().enter()) {
            mw.ibv.pin().leave();
            return Errno.EINVAL;
        }
        window = mw;
        region = mr;
        return 0;
    }

    /** Writes it to a {@code struct ibv_send_wr}. */
    public void put(long at) {
        long info = at + SendWrLayout.BIND_MW_BIND_INFO;
        NativeMemory.putLong(at + SendWrLayout.BIND_MW_MW, window.ibv.address());
        NativeMemory.putInt(at + SendWrLayout.BIND_MW_RKEY, newKey);
        NativeMemory.putLong(info + MwBindInfoLayout.MR, region.ibv.address());
        NativeMemory.putLong(info + MwBindInfoLayout.ADDR, addr);
        NativeMemory.putLong(info + MwBindInfoLayout.LENGTH, length);
        NativeMemory.putInt(info + MwBindInfoLayout.MW_ACCESS_FLAGS, access);
    }

    /** The window; null where none was read. */
    public IbvMw window() {
        return window == null ? null : window.ibv;
    }

    /** The window's key to be. */
    public int newKey() {
        return newKey;
    }

    /** The window's key till now. */
    public int oldKey() {
        return window.ibv.rkey();
    }

    /** The region's local key. */
    public int lkey() {
        return region.lkey();
    }

    /** Where it begins. */
    public long addr() {
        return addr;
    }

    /** How long it is. */
    public long length() {
        return length;
    }

    /** What it allows, {@link AccessFlags}. */
    public int access() {
        return access;
    }

    /** Lets go of window and region. */
    public void leave() {
        if (window != null) {
            region.ibv.pin().leave();
            window.ibv.pin().leave();
            window = null;
            region = null;
        }
    }
}
