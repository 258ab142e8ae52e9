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
 * The fields of a request to bind a type 2 memory window, each read once and checked. Used by one thread at a time;
 * from {@link #read} to {@link #leave} it keeps window and region from being closed.
 *
 * <p>The device checks whether the window is free, whether region and bounds permit the bind, and whether the domains
 * match. rdma_rxe does not check the region's domain, so that is checked here.
 */
public final class TypeTwoBind {
    private static final int RIGHTS = AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ | AccessFlags.REMOTE_ATOMIC;

    /** Access flags that regions may have and windows may not. */
    private static final int REGION_RIGHTS = AccessFlags.LOCAL_WRITE | AccessFlags.MW_BIND | AccessFlags.ON_DEMAND;

    private static final int TAG = 0xff;

    private NativeMemoryWindow window;
    private NativeMemoryRegion region;
    private int newKey;
    private long addr;
    private long length;
    private int access;

    /** Creates an empty bind. */
    public TypeTwoBind() {}

    /**
     * Returns the operations that a queue pair lacks, {@link QpCreateSendOps} bits: types without remote access need no
     * windows.
     */
    public static long lacking(int qpType, WindowBook book) {
        boolean binds = book.isAvailable() && (qpType == QpType.RC || qpType == QpType.UC);
        return binds ? 0 : QpCreateSendOps.BIND_MW;
    }

    /** Explains what is wrong with a request, or returns null if nothing is. */
    public static String broken(SendWorkRequest wr) {
        MwBind bind = wr.mwBind();
        if (!(wr.mw() instanceof NativeMemoryWindow mw) || mw.type() != MwType.TYPE_2) {
            return "mw must be a window of TYPE_2 of this device; use bindMw for one of TYPE_1";
        }
        if (bind == null
                || !(bind.mr() instanceof NativeMemoryRegion mr)
                || mr.pd().base() != mw.pd().base()) {
            return "mwBind must name a region of this device in the window's protection domain; to unbind, use"
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
                    + ", which the device does not grant to windows; it grants " + AccessFlags.toString(RIGHTS);
        }
        return bind.length() < 0 ? "mwBind has length " + bind.length() : null;
    }

    /** Reads a request; returns 0 or an errno. */
    public int read(SendWorkRequest wr) {
        return read(wr.mw(), wr.mwRkey(), wr.mwBind());
    }

    /** Reads the fields of a request; returns 0 or an errno. */
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

    /** Writes the bind to a {@code struct ibv_send_wr}. */
    public void put(long at) {
        long info = at + SendWrLayout.BIND_MW_BIND_INFO;
        NativeMemory.putLong(at + SendWrLayout.BIND_MW_MW, window.ibv.address());
        NativeMemory.putInt(at + SendWrLayout.BIND_MW_RKEY, newKey);
        NativeMemory.putLong(info + MwBindInfoLayout.MR, region.ibv.address());
        NativeMemory.putLong(info + MwBindInfoLayout.ADDR, addr);
        NativeMemory.putLong(info + MwBindInfoLayout.LENGTH, length);
        NativeMemory.putInt(info + MwBindInfoLayout.MW_ACCESS_FLAGS, access);
    }

    /** {@return the window, or null if none was read} */
    public IbvMw window() {
        return window == null ? null : window.ibv;
    }

    /** {@return the window's key after the bind} */
    public int newKey() {
        return newKey;
    }

    /** {@return the window's key before the bind} */
    public int oldKey() {
        return window.ibv.rkey();
    }

    /** {@return the region's local key} */
    public int lkey() {
        return region.lkey();
    }

    /** {@return the first address of the window} */
    public long addr() {
        return addr;
    }

    /** {@return the length of the window} */
    public long length() {
        return length;
    }

    /** {@return the access that the window permits, {@link AccessFlags}} */
    public int access() {
        return access;
    }

    /** Unpins window and region. */
    public void leave() {
        if (window != null) {
            region.ibv.pin().leave();
            window.ibv.pin().leave();
            window = null;
            region = null;
        }
    }
}
