/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.queue;

import io.verbs4j.AccessFlags;
import io.verbs4j.Errno;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MemoryWindow;
import io.verbs4j.MwBind;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.provider.rxe.memory.BoundWindows;
import io.verbs4j.provider.rxe.memory.QpWindow;
import io.verbs4j.provider.rxe.memory.RxeMemoryWindow;
import io.verbs4j.provider.rxe.memory.RxeMr;

/**
 * The part of a work request that is specific to binding a type 2 window. Guarded by the send lock of its queue pair.
 */
public final class WindowBind {
    private static final int RIGHTS =
            AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ | AccessFlags.REMOTE_ATOMIC | AccessFlags.ZERO_BASED;

    /** The rights that the device supports for regions but not for windows. */
    private static final int REGION_RIGHTS = AccessFlags.LOCAL_WRITE | AccessFlags.MW_BIND | AccessFlags.ON_DEMAND;

    private MemoryWindow mw;
    private MemoryRegion mr;
    private boolean complete;
    private int rkey;
    private long addr;
    private long length;
    private int access;
    private QpWindow window;
    private RxeMr region;

    WindowBind() {}

    /** Copies the request's fields, reading each once: the copy is what is checked. */
    void set(SendWorkRequest wr) {
        MwBind bind = wr.mwBind();
        mw = wr.mw();
        rkey = wr.mwRkey();
        complete = bind != null;
        if (bind != null) {
            mr = bind.mr();
            addr = bind.addr();
            length = bind.length();
            access = bind.mwAccessFlags() & ~AccessFlags.OPTIONAL_RANGE;
        }
    }

    /** Checks the window and its target; returns 0 or an errno. Changes nothing that a program can see. */
    public int check() {
        RxeMr found = RxeMr.find(mr);
        if (!complete
                || !(mw instanceof RxeMemoryWindow mwHandle)
                || mwHandle.qpWindow == null
                || found == null
                || length < 0
                || (access & REGION_RIGHTS) != 0) {
            return Errno.EINVAL;
        }
        if ((access & ~RIGHTS) != 0) {
            return Errno.EOPNOTSUPP;
        }
        if (!mwHandle.qpWindow.takesKey(rkey)) {
            return Errno.EINVAL;
        }
        window = mwHandle.qpWindow;
        region = found;
        return 0;
    }

    /**
     * Notes that the request is posted: the handle reports the new key from here on. If the window was closed since the
     * check, the bind fails when it is carried out.
     */
    void posted() {
        window.bindPosted(rkey);
    }

    /** Returns, in words, what is wrong with the rights of a window, or null if nothing is. */
    public static String brokenRights(int flags) {
        int wrong = flags & ~(RIGHTS | AccessFlags.OPTIONAL_RANGE);
        return wrong == 0
                ? null
                : "mwBind has mwAccessFlags " + AccessFlags.toString(wrong)
                        + ", which windows do not support; they support " + AccessFlags.toString(RIGHTS);
    }

    /** Carries out the bind; returns false if state, domains or region do not allow it. */
    public boolean execute(BoundWindows on, ProtectionDomain qpPd) {
        return window.bind(on, qpPd, rkey, region, addr, length, access);
    }

    /** Ends the request; if it was posted but not executed, it won't be any more. */
    void end(boolean executed) {
        if (window != null && !executed) {
            window.bindDropped();
        }
        forget();
    }

    /** Forgets the objects that the request named. */
    void forget() {
        mw = null;
        mr = null;
        window = null;
        region = null;
    }
}
