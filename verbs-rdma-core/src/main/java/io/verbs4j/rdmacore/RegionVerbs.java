/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore;

import io.verbs4j.AccessFlags;
import io.verbs4j.AdviseMrAdvice;
import io.verbs4j.AdviseMrFlags;
import io.verbs4j.ContextSlot;
import io.verbs4j.ContextTable;
import io.verbs4j.Errno;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.RegMrAttrEx;
import io.verbs4j.RegMrMask;
import io.verbs4j.ReregFlags;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.VerbsException;
import io.verbs4j.natives.call.Libc;
import io.verbs4j.natives.call.NativeFunction;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.call.ContextFunctions;
import io.verbs4j.rdmacore.call.Libibverbs;
import io.verbs4j.rdmacore.layout.ExtendedContextLayout;
import io.verbs4j.rdmacore.layout.MrInitAttrLayout;
import io.verbs4j.rdmacore.layout.SgeLayout;
import io.verbs4j.rdmacore.memory.Place;
import io.verbs4j.rdmacore.memory.RegionTable;
import io.verbs4j.rdmacore.object.IbvMr;
import io.verbs4j.rdmacore.object.IbvObject;
import io.verbs4j.rdmacore.object.NativeDmaBuffer;
import io.verbs4j.rdmacore.object.NativeDmaHandle;
import io.verbs4j.rdmacore.object.NativeMemoryRegion;
import io.verbs4j.rdmacore.quirk.Quirks;
import io.verbs4j.slot.AdviseMr;
import io.verbs4j.slot.AllocNullMr;
import io.verbs4j.slot.RegMrEx;

/** Implements the verbs for all memory regions except those in device memory. */
final class RegionVerbs {
    private static final long BITS =
            RegMrMask.IOVA | RegMrMask.ADDR | RegMrMask.FD | RegMrMask.FD_OFFSET | RegMrMask.DMAH | RegMrMask.BUF;

    /**
     * Access flags that every device supports or silently drops. EINVAL for others means that the device does not
     * support them.
     */
    static final int KNOWN_ACCESS = AccessFlags.LOCAL_WRITE
            | AccessFlags.REMOTE_WRITE
            | AccessFlags.REMOTE_READ
            | AccessFlags.ZERO_BASED
            | AccessFlags.OPTIONAL_RANGE;

    /** Result of {@code ibv_rereg_mr} if the region has changed but a later step failed. */
    private static final int CHANGED_ALL_THE_SAME = -3;

    private static final int REREG_FLAGS =
            ReregFlags.CHANGE_TRANSLATION | ReregFlags.CHANGE_PD | ReregFlags.CHANGE_ACCESS;

    /** Access flags with which a region's addresses are not, or not certainly, those of its memory. */
    private static final int OTHER_PLACE = AccessFlags.ZERO_BASED | AccessFlags.ON_DEMAND;

    private final RegionTable regions;
    private final NativeFunction regMrEx;
    private final NativeFunction regDmabufMr;
    private final NativeFunction adviseMr;
    private final NativeFunction allocNullMr;
    private final String onDemandProblem; // or null
    private final Runnable awaitPosts;

    RegionVerbs(ContextFunctions functions, Quirks quirks, RegionTable regions, Runnable awaitPosts) {
        this.regions = regions;
        regMrEx = Libibverbs.find("ibv_reg_mr_ex");
        regDmabufMr = Libibverbs.find("ibv_reg_dmabuf_mr");
        adviseMr = functions.extended(ExtendedContextLayout.ADVISE_MR);
        allocNullMr = functions.extended(ExtendedContextLayout.ALLOC_NULL_MR);
        this.awaitPosts = awaitPosts;
        onDemandProblem = quirks.onDemandProblem();
    }

    void fill(ContextTable table) {
        table.fillProvider(ContextSlot.REG_MR_EX, (RegMrEx) this::regMrEx);
        if (adviseMr != null && onDemandProblem == null) {
            table.fillProvider(ContextSlot.ADVISE_MR, (AdviseMr) this::adviseMr);
        }
        if (allocNullMr != null) {
            table.fillProvider(ContextSlot.ALLOC_NULL_MR, (AllocNullMr) this::allocNullMr);
        }
    }

    /**
     * Registers memory of this process. For a region whose addresses count from 0, the kernel gets the address of the
     * first byte, which all kernels support. It does not get the access flag, which some refuse and others accept and
     * ignore.
     *
     * @param held whether the memory certainly stays allocated while the region is registered
     */
    MemoryRegion regMr(String verb, ProtectionDomain pd, long addr, long length, int access, boolean held) {
        boolean zeroBased = (access & AccessFlags.ZERO_BASED) != 0;
        return regMr(verb, pd, addr, length, zeroBased ? 0 : addr, access, held);
    }

    private MemoryRegion regMr(
            String verb, ProtectionDomain pd, long addr, long length, long iova, int access, boolean held) {
        requireNotSpoilt(verb, access);
        requireSamePlaceInPage(verb, "addr", addr, iova);
        int told = access & ~AccessFlags.ZERO_BASED;
        long mr = Libibverbs.ibv_reg_mr_iova2(IbvObject.addressOf(pd), addr, length, iova, told);
        Answers.checkPointer(verb, mr, (access & ~KNOWN_ACCESS) == 0);
        NativeMemoryRegion region = new NativeMemoryRegion(pd, iova, length, access, new IbvMr(mr));
        boolean sure = held || (access & AccessFlags.ON_DEMAND) == 0; // the kernel has checked the memory
        if (iova == addr && sure) {
            regions.add(region.lkey(), pd.base(), addr, length, region.ibv.pin());
        } else {
            add(region, sure ? Place.memory(addr) : Place.perhaps(addr, () -> {}));
        }
        return region;
    }

    private void requireNotSpoilt(String verb, int access) {
        if (onDemandProblem != null && (access & AccessFlags.ON_DEMAND) != 0) {
            throw new VerbsException(Errno.EOPNOTSUPP, verb, onDemandProblem);
        }
    }

    private void add(NativeMemoryRegion region, Place place) {
        regions.placed()
                .add(region.lkey(), region.pd().base(), region.addr(), region.length(), place, region.ibv.pin());
    }

    /** Checks the offset into a page, as the kernel does, which reports every error as EINVAL. */
    private static void requireSamePlaceInPage(String verb, String name, long from, long iova) {
        int page = Libc.getpagesize();
        if ((from & page - 1) != (iova & page - 1)) {
            throw new VerbsException(
                    Errno.EINVAL,
                    verb,
                    name + " is 0x" + Long.toHexString(from) + " and the region starts at 0x" + Long.toHexString(iova)
                            + "; the kernel requires the same offset into a page of " + page
                            + " bytes for both, so a ZERO_BASED region must start on a page boundary");
        }
    }

    private MemoryRegion regMrEx(ProtectionDomain pd, RegMrAttrEx attr) {
        String verb = "reg_mr_ex";
        Answers.refuseUnknown(verb, attr, BITS);
        if ((attr.compMask() & RegMrMask.FD) != 0) {
            return regDmabuf(verb, pd, attr);
        }
        boolean zeroBased = (attr.access() & AccessFlags.ZERO_BASED) != 0;
        boolean named = (attr.compMask() & RegMrMask.IOVA) != 0;
        if (zeroBased && named && attr.iova() != 0) {
            throw new VerbsException(
                    Errno.EINVAL,
                    verb,
                    "access has ZERO_BASED and iova is 0x" + Long.toHexString(attr.iova()) + "; leave one out");
        }
        long iova = zeroBased ? 0 : named ? attr.iova() : attr.addr();
        if ((attr.compMask() & (RegMrMask.DMAH | RegMrMask.BUF)) != 0) {
            return regByStruct(verb, pd, attr, iova);
        }
        return regMr(verb, pd, attr.addr(), attr.length(), iova, attr.access(), false);
    }

    /**
     * Registers memory with hints, or memory that the device has allocated. The function exists, because DmaVerbs
     * offers neither without it. The region is a placed one even if its address is that of its memory, because
     * {@code rereg_mr} must not change it.
     */
    private MemoryRegion regByStruct(String verb, ProtectionDomain pd, RegMrAttrEx attr, long iova) {
        requireNotSpoilt(verb, attr.access());
        requireSamePlaceInPage(verb, "addr", attr.addr(), iova);
        int access = attr.access() & ~AccessFlags.ZERO_BASED;
        long mr = callRegMrEx(pd, attr, attr.compMask() | RegMrMask.IOVA, iova, access);
        Answers.checkPointer(verb, mr, (access & ~KNOWN_ACCESS) == 0);
        NativeMemoryRegion region = new NativeMemoryRegion(pd, iova, attr.length(), attr.access(), new IbvMr(mr));
        boolean sure = (access & AccessFlags.ON_DEMAND) == 0;
        add(region, sure ? Place.memory(attr.addr()) : Place.perhaps(attr.addr(), () -> {}));
        return region;
    }

    /**
     * Registers a dma-buf by the newest function that the library has. If the kernel is too old for it, uses the
     * previous one.
     */
    private MemoryRegion regDmabuf(String verb, ProtectionDomain pd, RegMrAttrEx attr) {
        if (regDmabufMr == null) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    verb,
                    "the loaded libibverbs can't register a dma-buf: ibv_reg_dmabuf_mr came with rdma-core 34; install"
                            + " that or a later release");
        }
        requireNotSpoilt(verb, attr.access());
        requireSamePlaceInPage(verb, "fdOffset", attr.fdOffset(), attr.iova());
        int access = attr.access() & ~AccessFlags.ZERO_BASED;
        if (attr.access() != access && attr.iova() != 0) {
            throw new VerbsException(Errno.EINVAL, verb, "access has ZERO_BASED and iova is not 0; leave one out");
        }
        long mr = regMrEx == null ? 0 : callRegMrEx(pd, attr, attr.compMask(), attr.iova(), access);
        if (mr == 0 && (regMrEx == null || Answers.isLacking(Libc.errno()))) {
            mr = regDmabufMr.call(
                    IbvObject.addressOf(pd), attr.fdOffset(), attr.length(), attr.iova(), attr.fd(), access);
        }
        Answers.checkPointer(verb, mr, (access & ~KNOWN_ACCESS) == 0);
        NativeMemoryRegion region =
                new NativeMemoryRegion(pd, attr.iova(), attr.length(), attr.access(), new IbvMr(mr));
        add(region, behind(attr));
        return region;
    }

    private long callRegMrEx(ProtectionDomain pd, RegMrAttrEx attr, long mask, long iova, int access) {
        try (Scratch c = new Scratch(MrInitAttrLayout.SIZEOF)) {
            long at = c.address();
            NativeMemory.putLong(at + MrInitAttrLayout.LENGTH, attr.length());
            NativeMemory.putInt(at + MrInitAttrLayout.ACCESS, access);
            NativeMemory.putLong(at + MrInitAttrLayout.COMP_MASK, mask);
            NativeMemory.putLong(at + MrInitAttrLayout.IOVA, iova);
            NativeMemory.putLong(at + MrInitAttrLayout.ADDR, attr.addr());
            NativeMemory.putInt(at + MrInitAttrLayout.FD, attr.fd());
            NativeMemory.putLong(at + MrInitAttrLayout.FD_OFFSET, attr.fdOffset());
            if ((mask & RegMrMask.DMAH) != 0) {
                NativeMemory.putLong(at + MrInitAttrLayout.DMAH, ((NativeDmaHandle) attr.dmah()).ibv.address());
            }
            if ((mask & RegMrMask.BUF) != 0) {
                NativeMemory.putLong(at + MrInitAttrLayout.BUF, ((NativeDmaBuffer) attr.buf()).ibv.address());
            }
            return regMrEx.call(IbvObject.addressOf(pd), at);
        }
    }

    /**
     * Maps a dma-buf into this process if its exporter permits, so that messages inside completions can be copied to
     * it.
     */
    private static Place behind(RegMrAttrEx attr) {
        long into = attr.fdOffset() & Libc.getpagesize() - 1;
        long length = attr.length() + into;
        long at = Libc.mmap(0, length, Libc.PROT_READ_WRITE, Libc.MAP_SHARED, attr.fd(), attr.fdOffset() - into);
        return at == -1
                ? Place.perhaps(0, () -> {}) // an address that nothing is mapped at
                : Place.perhaps(at + into, () -> Libc.munmap(at, length));
    }

    private MemoryRegion allocNullMr(ProtectionDomain pd) {
        long mr = Answers.checkPointer("alloc_null_mr", allocNullMr.call(IbvObject.addressOf(pd)));
        NativeMemoryRegion region = new NativeMemoryRegion(pd, 0, -1, AccessFlags.LOCAL_WRITE, new IbvMr(mr));
        add(region, Place.NOWHERE);
        return region;
    }

    private void adviseMr(ProtectionDomain pd, int advice, int flags, ScatterGatherElement[] sgList, int numSge) {
        String verb = "advise_mr";
        if (advice < AdviseMrAdvice.PREFETCH || advice > AdviseMrAdvice.PREFETCH_NO_FAULT) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    verb,
                    "advice is " + AdviseMrAdvice.toString(advice)
                            + ", which the device does not support; leave it out");
        }
        Answers.requireKnown(verb, "flags", flags, AdviseMrFlags.FLUSH, AdviseMrFlags::toString);
        boolean known = true;
        try (Scratch c = new Scratch(Math.multiplyExact(numSge, SgeLayout.SIZEOF))) {
            for (int i = 0; i < numSge; i++) {
                long at = c.address() + (long) i * SgeLayout.SIZEOF;
                int lkey = sgList[i].lkey();
                NativeMemory.putLong(at + SgeLayout.ADDR, sgList[i].addr());
                NativeMemory.putInt(at + SgeLayout.LENGTH, sgList[i].length());
                NativeMemory.putInt(at + SgeLayout.LKEY, lkey);
                known &= regions.knows(lkey);
            }
            int errno = Answers.errno(adviseMr.call(IbvObject.addressOf(pd), advice, flags, c.address(), numSge));
            if (errno == Errno.ENOENT && known) {
                // The kernel searches only regions that are paged on demand.
                throw notOnDemand();
            }
            if (errno != 0) {
                throw Answers.failed(verb, errno);
            }
        }
    }

    private static VerbsException notOnDemand() {
        return new VerbsException(
                Errno.EINVAL,
                "advise_mr",
                "a region is not paged on demand; only regions registered with ON_DEMAND take advice");
    }

    void reregMr(MemoryRegion mr, int flags, ProtectionDomain pd, long addr, long length, int access) {
        NativeMemoryRegion region = (NativeMemoryRegion) mr;
        Answers.requireKnown("rereg_mr", "flags", flags, REREG_FLAGS, ReregFlags::toString);
        if (regions.placed().has(region.lkey(), region.ibv.pin())
                || (flags & ReregFlags.CHANGE_ACCESS) != 0 && (access & OTHER_PLACE) != 0) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    "rereg_mr",
                    "a region that is zero-based, has an iova, is paged on demand, or lies in device memory or behind"
                            + " a descriptor can't be changed, and no other region can become one; register a new one");
        }
        region.ibv.pin().close(); // keeps inline data in it from being read meanwhile
        int lkey = region.lkey();
        try {
            awaitPosts.run();
            int rc = Libibverbs.ibv_rereg_mr(
                    region.ibv.address(),
                    flags,
                    IbvObject.addressOf(pd),
                    addr,
                    length,
                    access & ~AccessFlags.OPTIONAL_RANGE); // not all kernels know it
            if (rc != 0 && rc != CHANGED_ALL_THE_SAME) {
                int errno = reregErrno(rc);
                boolean unknown = errno == Errno.EINVAL && (access & ~KNOWN_ACCESS) != 0;
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

    /**
     * Returns the errno of a failed {@code ibv_rereg_mr}. The codes -1 to -5 say which step failed, and errno says why;
     * -1 without an errno means a wrong argument.
     */
    private static int reregErrno(int rc) {
        int errno = Answers.errno(-1);
        return rc == -1 && errno == Errno.EIO ? Errno.EINVAL : errno;
    }

    void deregMr(MemoryRegion mr) {
        NativeMemoryRegion region = (NativeMemoryRegion) mr;
        region.ibv.pin().closeFor(awaitPosts, () -> {
            int errno = Answers.errno(Libibverbs.ibv_dereg_mr(region.ibv.address()));
            if (errno == Errno.EINVAL) {
                // The region comes from libibverbs, so it is valid: rdma_rxe returns EINVAL only because of a window.
                throw new VerbsException(
                        Errno.EBUSY, "dereg_mr", "a memory window is bound to it; close the window first");
            }
            if (errno != 0) {
                throw Answers.failed("dereg_mr", errno);
            }
        });
        regions.remove(region.lkey(), region.ibv.pin());
    }
}
