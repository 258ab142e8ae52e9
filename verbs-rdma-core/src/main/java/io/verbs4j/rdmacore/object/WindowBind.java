/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import io.verbs4j.AccessFlags;
import io.verbs4j.Errno;
import io.verbs4j.MemoryWindow;
import io.verbs4j.MwBind;
import io.verbs4j.MwType;
import io.verbs4j.QpCreateSendOps;
import io.verbs4j.natives.call.NativeFunction;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.call.ContextFunctions;
import io.verbs4j.rdmacore.layout.ContextLayout;
import io.verbs4j.rdmacore.layout.MrLayout;
import io.verbs4j.rdmacore.layout.MwBindInfoLayout;
import io.verbs4j.rdmacore.layout.MwBindLayout;
import io.verbs4j.rdmacore.memory.Pin;
import java.util.function.IntSupplier;

/** Binds type 1 memory windows, with the checks of C's inline {@code ibv_bind_mw} and of the drivers. */
public final class WindowBind {
    private static final int REMOTE = AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ | AccessFlags.REMOTE_ATOMIC;
    private static final int WRITES = AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_ATOMIC;

    private final ContextFunctions functions;
    private final boolean readsTheRegion;

    /**
     * Creates the binds of a queue pair.
     *
     * @param readsTheRegion {@link io.verbs4j.rdmacore.quirk.Quirks#bindReadsTheRegion}
     */
    WindowBind(ContextFunctions functions, boolean readsTheRegion) {
        this.functions = functions;
        this.readsTheRegion = readsTheRegion;
    }

    /** Posts the bind of a window to a region or null; both are pinned. Returns 0 or an errno. */
    @FunctionalInterface
    public interface Post {
        /** Posts the bind. */
        int post(NativeMemoryWindow window, NativeMemoryRegion region);
    }

    /** Checks a bind and posts it if it is valid. The queue pair's send lock is held. */
    public static int bind(IbvQp qp, MemoryWindow mw, MwBind bind, Post post) {
        int refused = check(qp, mw, bind);
        if (refused != 0) {
            return refused;
        }
        NativeMemoryWindow window = (NativeMemoryWindow) mw;
        NativeMemoryRegion region = bind.mr() instanceof NativeMemoryRegion mr ? mr : null;
        WindowLog log = qp.windowLog();
        int mark = log.mark();
        log.typeOne(bind.wrId(), bind.sendFlags());
        int error = pinned(
                window.ibv.pin(),
                () -> region == null
                        ? post.post(window, null)
                        : pinned(region.ibv.pin(), () -> post.post(window, region)));
        if (error != 0) {
            log.undo(mark);
        }
        return error;
    }

    private static int pinned(Pin pin, IntSupplier body) {
        if (!pin.enter()) {
            return Errno.EINVAL;
        }
        try {
            return body.getAsInt();
        } finally {
            pin.leave();
        }
    }

    /** Checks a bind before anything is posted; returns 0 or an errno. */
    private static int check(IbvQp qp, MemoryWindow mw, MwBind bind) {
        boolean binds = (qp.operations() & QpCreateSendOps.BIND_MW) != 0;
        if (!(mw instanceof NativeMemoryWindow window)) {
            return mw == null || binds
                    ? Errno.EINVAL
                    : Errno.EOPNOTSUPP; // without windows the device has no window handle to pass
        }
        if (bind == null || mw.type() != MwType.TYPE_1 || (bind.mwAccessFlags() & ~REMOTE) != 0 || bind.length() < 0) {
            return Errno.EINVAL;
        }
        NativeMemoryRegion region = bind.mr() instanceof NativeMemoryRegion mr ? mr : null;
        int refused = bind.length() == 0 ? 0 : check(qp, region, bind);
        if (refused != 0) {
            return refused;
        }
        if (window.pd().base() != qp.pd()) {
            return Errno.EPERM;
        }
        return binds ? 0 : Errno.EOPNOTSUPP;
    }

    /** Binds by the driver; the queue pair's send lock is held. */
    int bind(IbvQp qp, MemoryWindow mw, MwBind bind) {
        return bind(qp, mw, bind, (window, region) -> {
            NativeFunction function = functions.op(ContextLayout.OPS_BIND_MW);
            if (function == null) {
                return Errno.EOPNOTSUPP;
            }
            return region == null
                    ? unbind(function, qp, window, bind)
                    : call(function, qp, window, region.ibv.address(), bind);
        });
    }

    private static int check(IbvQp qp, NativeMemoryRegion region, MwBind bind) {
        if (region == null) {
            return Errno.EINVAL;
        }
        if (region.pd().base() != qp.pd()) {
            return Errno.EPERM;
        }
        long offset = bind.addr() - region.addr();
        boolean writes = (bind.mwAccessFlags() & WRITES) != 0;
        boolean allowed = (region.access() & AccessFlags.MW_BIND) != 0
                && (!writes || (region.access() & AccessFlags.LOCAL_WRITE) != 0)
                && Long.compareUnsigned(offset, region.length()) <= 0
                && Long.compareUnsigned(bind.length(), region.length() - offset) <= 0;
        return allowed ? 0 : Errno.EINVAL;
    }

    /**
     * Posts a bind of length 0, which needs no region. A driver that reads the region anyway gets one whose keys are 0,
     * which stand for no region.
     */
    private int unbind(NativeFunction function, IbvQp qp, NativeMemoryWindow window, MwBind bind) {
        if (!readsTheRegion) {
            return call(function, qp, window, 0, bind);
        }
        try (Scratch none = new Scratch(MrLayout.SIZEOF)) {
            NativeMemory.putLong(none.address() + MrLayout.PD, IbvObject.addressOf(qp.pd()));
            return call(function, qp, window, none.address(), bind);
        }
    }

    private static int call(NativeFunction function, IbvQp qp, NativeMemoryWindow window, long region, MwBind bind) {
        try (Scratch c = new Scratch(MwBindLayout.SIZEOF)) {
            long info = c.address() + MwBindLayout.BIND_INFO;
            NativeMemory.putLong(c.address() + MwBindLayout.WR_ID, bind.wrId());
            NativeMemory.putInt(c.address() + MwBindLayout.SEND_FLAGS, bind.sendFlags());
            NativeMemory.putLong(info + MwBindInfoLayout.MR, region);
            NativeMemory.putLong(info + MwBindInfoLayout.ADDR, bind.addr());
            NativeMemory.putLong(info + MwBindInfoLayout.LENGTH, bind.length());
            NativeMemory.putInt(info + MwBindInfoLayout.MW_ACCESS_FLAGS, bind.mwAccessFlags());
            int error = Answers.errno(function.call(qp.address(), window.ibv.address(), c.address()));
            if (error == 0) {
                window.ibv.bound();
            }
            return error;
        }
    }
}
