/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore;

import io.verbs4j.AccessFlags;
import io.verbs4j.AddressHandle;
import io.verbs4j.AhAttr;
import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MemoryWindow;
import io.verbs4j.MwType;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.ReregFlags;
import io.verbs4j.VerbsException;
import io.verbs4j.natives.call.NativeFunction;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.call.ContextFunctions;
import io.verbs4j.rdmacore.call.Libibverbs;
import io.verbs4j.rdmacore.layout.AhAttrLayout;
import io.verbs4j.rdmacore.layout.ContextLayout;
import io.verbs4j.rdmacore.marshal.AhAttrs;
import io.verbs4j.rdmacore.memory.RegionTable;
import io.verbs4j.rdmacore.object.IbvMw;
import io.verbs4j.rdmacore.object.IbvObject;
import io.verbs4j.rdmacore.object.NativeAddressHandle;
import io.verbs4j.rdmacore.object.NativeMemoryRegion;
import io.verbs4j.rdmacore.object.NativeMemoryWindow;
import io.verbs4j.rdmacore.object.NativeParentDomain;
import io.verbs4j.rdmacore.object.NativeProtectionDomain;
import io.verbs4j.rdmacore.object.WindowBook;
import java.util.function.LongConsumer;

/** Protection domains and what is in them besides queues. */
final class MemoryVerbs {
    /** What {@code ibv_rereg_mr} answers where the region has changed although something went wrong afterwards. */
    private static final int CHANGED_ALL_THE_SAME = -3;

    private static final int REREG_FLAGS =
            ReregFlags.CHANGE_TRANSLATION | ReregFlags.CHANGE_PD | ReregFlags.CHANGE_ACCESS;

    /** Rights by which the addresses of a region are not those of its memory, or not for certain. */
    private static final int OTHER_PLACE = AccessFlags.ZERO_BASED | AccessFlags.ON_DEMAND;

    private final ContextFunctions functions;
    private final RegionTable regions;
    private final WindowBook windows;
    private final Runnable awaitPosts;

    MemoryVerbs(ContextFunctions functions, RegionTable regions, WindowBook windows, Runnable awaitPosts) {
        this.functions = functions;
        this.regions = regions;
        this.windows = windows;
        this.awaitPosts = awaitPosts;
    }

    ProtectionDomain allocPd(Context context, long address) {
        return new NativeProtectionDomain(context, Answers.checkPointer("alloc_pd", Libibverbs.ibv_alloc_pd(address)));
    }

    void deallocPd(ProtectionDomain pd) {
        IbvObject domain = IbvObject.of(pd);
        domain.pin().closeFor(() -> Answers.check("dealloc_pd", Libibverbs.ibv_dealloc_pd(domain.address())));
        if (pd instanceof NativeParentDomain parent) {
            parent.ibv.freed();
        }
    }

    void reregMr(MemoryRegion mr, int flags, ProtectionDomain pd, long addr, long length, int access) {
        NativeMemoryRegion region = (NativeMemoryRegion) mr;
        Answers.requireKnown("rereg_mr", "flags", flags, REREG_FLAGS, ReregFlags::toString);
        if (regions.placed().has(region.lkey(), region.ibv.pin())
                || (flags & ReregFlags.CHANGE_ACCESS) != 0 && (access & OTHER_PLACE) != 0) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    "rereg_mr",
                    "a region that counts from 0 or from an iova, is paged on demand, on the device or behind a descriptor"
                            + " can't be changed, nor can another become one; register anew");
        }
        region.ibv.pin().close(); // inline data that lies in it is not read meanwhile
        int lkey = region.lkey();
        try {
            awaitPosts.run();
            int rc = Libibverbs.ibv_rereg_mr(
                    region.ibv.address(),
                    flags,
                    IbvObject.addressOf(pd),
                    addr,
                    length,
                    access & ~AccessFlags.OPTIONAL_RANGE); // as not all kernels know it
            if (rc != 0 && rc != CHANGED_ALL_THE_SAME) {
                int errno = reregErrno(rc);
                boolean unknown = errno == Errno.EINVAL && (access & ~MemoryExVerbs.KNOWN_ACCESS) != 0;
                throw Answers.failed("rereg_mr", unknown ? Errno.EOPNOTSUPP : errno);
            }
            boolean moves = (flags & ReregFlags.CHANGE_TRANSLATION) != 0;
            region.ibv.changed(
                    (flags & ReregFlags.CHANGE_PD) != 0 ? pd : region.pd(),
                    moves ? addr : region.addr(),
                    moves ? length : region.length(),
                    (flags & ReregFlags.CHANGE_ACCESS) != 0 ? access : region.access());
            regions.remove(lkey, region.ibv.pin());
            regions.add(region.lkey(), region.pd().base(), region.addr(), region.length(), region.ibv.pin());
        } finally {
            region.ibv.pin().reopen();
        }
    }

    /** The codes -1 to -5 say which step failed; errno says why. */
    private static int reregErrno(int rc) {
        int errno = Answers.errno(-1);
        return rc == -1 && errno == Errno.EIO ? Errno.EINVAL : errno;
    }

    void deregMr(MemoryRegion mr) {
        NativeMemoryRegion region = (NativeMemoryRegion) mr;
        region.ibv.pin().closeFor(awaitPosts, () -> {
            int errno = Answers.errno(Libibverbs.ibv_dereg_mr(region.ibv.address()));
            if (errno == Errno.EINVAL) {
                // The region is one that libibverbs has made: to rdma_rxe only a window makes it invalid.
                throw new VerbsException(
                        Errno.EBUSY, "dereg_mr", "a memory window is bound to it; close the window first");
            }
            if (errno != 0) {
                throw Answers.failed("dereg_mr", errno);
            }
        });
        regions.remove(region.lkey(), region.ibv.pin());
    }

    MemoryWindow allocMw(ProtectionDomain pd, int type) {
        NativeFunction function = functions.op(ContextLayout.OPS_ALLOC_MW);
        if (function == null) {
            throw Answers.failed("alloc_mw", Errno.EOPNOTSUPP);
        }
        Answers.requireByte("alloc_mw", "the type", type);
        boolean known = type == MwType.TYPE_1 || type == MwType.TYPE_2;
        long mw = function.call(IbvObject.addressOf(pd), type);
        NativeMemoryWindow window =
                new NativeMemoryWindow(pd, type, new IbvMw(Answers.checkPointer("alloc_mw", mw, known)));
        if (type == MwType.TYPE_2) {
            windows.add(window.ibv);
        }
        return window;
    }

    void deallocMw(MemoryWindow mw) {
        IbvMw window = ((NativeMemoryWindow) mw).ibv;
        NativeFunction function = functions.op(ContextLayout.OPS_DEALLOC_MW);
        boolean kept = mw.type() == MwType.TYPE_2;
        window.pin().closeFor(() -> {
            if (kept) {
                windows.remove(window); // before its memory is gone
            }
            try {
                Answers.check("dealloc_mw", function.call(window.address()));
            } catch (VerbsException e) {
                if (kept) {
                    windows.add(window);
                }
                throw e;
            }
        });
    }

    /** Makes a {@code struct ibv_ah}. */
    static long createAh(ProtectionDomain pd, AhAttr attr) {
        try (Scratch c = new Scratch(AhAttrLayout.SIZEOF)) {
            AhAttrs.write("create_ah", c.address(), attr);
            return Answers.checkPointer("create_ah", Libibverbs.ibv_create_ah(IbvObject.addressOf(pd), c.address()));
        }
    }

    void destroyAh(AddressHandle ah, LongConsumer free) {
        IbvObject handle = ((NativeAddressHandle) ah).ibv;
        handle.pin().closeFor(awaitPosts, () -> free.accept(handle.address()));
    }
}
