/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe;

import io.verbs4j.AccessFlags;
import io.verbs4j.AllocDmAttr;
import io.verbs4j.Context;
import io.verbs4j.ContextSlot;
import io.verbs4j.ContextTable;
import io.verbs4j.DeviceMemory;
import io.verbs4j.Errno;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MrKeyInitAttr;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.RegMrAttrEx;
import io.verbs4j.RegMrMask;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.VerbsException;
import io.verbs4j.provider.rxe.memory.FileMemory;
import io.verbs4j.provider.rxe.memory.MemoryAdvice;
import io.verbs4j.provider.rxe.memory.RxeDeviceMemory;
import io.verbs4j.provider.rxe.memory.RxeDm;
import io.verbs4j.provider.rxe.memory.RxeMemoryRegion;
import io.verbs4j.provider.rxe.memory.RxeMemoryRegionKey;
import io.verbs4j.provider.rxe.memory.RxeMr;
import io.verbs4j.provider.rxe.memory.SharedObjects;
import io.verbs4j.provider.rxe.port.Port;
import io.verbs4j.slot.AdviseMr;
import io.verbs4j.slot.AllocDm;
import io.verbs4j.slot.AllocMrKey;
import io.verbs4j.slot.AllocNullMr;
import io.verbs4j.slot.FreeDm;
import io.verbs4j.slot.RegDmMr;
import io.verbs4j.slot.RegMrEx;

/**
 * The level 3 verbs for memory of an open embedded device. The library has already checked ranges and the combination
 * of attributes.
 */
final class RxeMemoryVerbs implements RegMrEx, AdviseMr, AllocNullMr, AllocMrKey, AllocDm, FreeDm, RegDmMr {
    private static final long REG_BITS =
            RegMrMask.IOVA | RegMrMask.ADDR | RegMrMask.FD | RegMrMask.FD_OFFSET | RegMrMask.BUF;

    private final Context context;
    private final Port port;
    private final SharedObjects objects;

    RxeMemoryVerbs(Context context, Port port, SharedObjects objects) {
        this.context = context;
        this.port = port;
        this.objects = objects;
    }

    void fill(ContextTable table) {
        table.fillProvider(ContextSlot.REG_MR_EX, this);
        table.fillProvider(ContextSlot.ADVISE_MR, this);
        table.fillProvider(ContextSlot.ALLOC_NULL_MR, this);
        table.fillProvider(ContextSlot.ALLOC_MR_KEY, this);
        table.fillProvider(ContextSlot.ALLOC_DM, this);
        table.fillProvider(ContextSlot.FREE_DM, this);
        table.fillProvider(ContextSlot.REG_DM_MR, this);
    }

    @Override
    public MemoryRegion regMrEx(ProtectionDomain pd, RegMrAttrEx attr) {
        String verb = "reg_mr_ex";
        RxeLimits.refuseUnknown(verb, attr, REG_BITS);
        int access = RxeLimits.regionRights(verb, attr.access());
        boolean named = (attr.compMask() & RegMrMask.IOVA) != 0;
        if (named && attr.iova() != 0 && (access & AccessFlags.ZERO_BASED) != 0) {
            throw new VerbsException(
                    Errno.EINVAL,
                    verb,
                    "access has ZERO_BASED, which puts the first byte at 0, but iova is 0x"
                            + Long.toHexString(attr.iova()) + "; use only one of them");
        }
        if ((attr.compMask() & RegMrMask.FD) == 0) {
            long name = named ? attr.iova() : attr.addr();
            return new RxeMemoryRegion(RxeMr.of(verb, port.keys(), pd, attr.addr(), name, attr.length(), access));
        }
        RxeLimits.checkFileRights(verb, access);
        boolean writing = (access & AccessFlags.LOCAL_WRITE) != 0;
        return new RxeMemoryRegion(RxeMr.of(
                port.keys(),
                pd,
                FileMemory.map(attr.fd(), attr.fdOffset(), attr.length(), writing),
                attr.iova(),
                access));
    }

    @Override
    public void adviseMr(ProtectionDomain pd, int advice, int flags, ScatterGatherElement[] sgList, int numSge) {
        RxeLimits.checkAdvice(advice, flags);
        MemoryAdvice.follow(port.keys(), pd, advice, sgList, numSge);
    }

    @Override
    public MemoryRegion allocNullMr(ProtectionDomain pd) {
        return new RxeMemoryRegion(RxeMr.ofNothing(port.keys(), pd));
    }

    @Override
    public MemoryRegion allocMrKey(ProtectionDomain pd, MrKeyInitAttr attr) {
        String verb = "alloc_mr_key";
        RxeLimits.refuseUnknown(verb, attr, 0);
        RxeLimits.checkMaxEntries(verb, attr.maxEntries());
        return new RxeMemoryRegionKey(port.keys(), pd, attr.maxEntries());
    }

    @Override
    public DeviceMemory allocDm(AllocDmAttr attr) {
        String verb = "alloc_dm";
        RxeLimits.refuseUnknown(verb, attr, 0);
        RxeLimits.checkDm(attr.length(), attr.logAlignReq());
        try {
            return new RxeDeviceMemory(
                    context, new RxeDm(port.deviceMemory(), (int) attr.length(), 1 << attr.logAlignReq()));
        } catch (OutOfMemoryError e) {
            throw RxeContext.noMemory(verb, e);
        }
    }

    @Override
    public void freeDm(DeviceMemory dm) {
        RxeDm memory = ((RxeDeviceMemory) dm).dm;
        memory.free();
        objects.remove(memory);
    }

    @Override
    public MemoryRegion regDmMr(ProtectionDomain pd, DeviceMemory dm, long offset, long length, int access) {
        int rights = RxeLimits.dmRights("reg_dm_mr", access);
        return new RxeMemoryRegion(((RxeDeviceMemory) dm).dm.register(port.keys(), pd, offset, length, rights));
    }
}
