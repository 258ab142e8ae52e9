/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit.model;

import static io.verbs4j.compat.kit.model.DeviceOps.no;

import io.verbs4j.AccessFlags;
import io.verbs4j.AdviseMrAdvice;
import io.verbs4j.AdviseMrFlags;
import io.verbs4j.AllocDmAttr;
import io.verbs4j.Context;
import io.verbs4j.ContextOps;
import io.verbs4j.ContextSlot;
import io.verbs4j.ContextTable;
import io.verbs4j.DeviceAttrEx;
import io.verbs4j.DeviceCap;
import io.verbs4j.DeviceMemory;
import io.verbs4j.Errno;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MrKeyInitAttr;
import io.verbs4j.OdpGeneralCaps;
import io.verbs4j.ParentDomain;
import io.verbs4j.ParentDomainInitAttr;
import io.verbs4j.ParentDomainMask;
import io.verbs4j.PciAtomicSizes;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpCreateSendOps;
import io.verbs4j.QpType;
import io.verbs4j.RegMrAttrEx;
import io.verbs4j.RegMrMask;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.TdInitAttr;
import io.verbs4j.ThreadDomain;
import io.verbs4j.compat.kit.Capability;
import io.verbs4j.slot.AdviseMr;
import io.verbs4j.slot.AllocDm;
import io.verbs4j.slot.AllocMrKey;
import io.verbs4j.slot.AllocNullMr;
import io.verbs4j.slot.AllocParentDomain;
import io.verbs4j.slot.AllocTd;
import io.verbs4j.slot.DeallocTd;
import io.verbs4j.slot.FreeDm;
import io.verbs4j.slot.RegDmMr;
import io.verbs4j.slot.RegMrEx;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/** The model's verbs of level 3 for memory and domains. */
final class LaterOps {
    private static final int MAX_PIECES = 8;
    private static final long MAX_DM = 1 << 16;

    private final ModelOps ops;
    private int freed;

    LaterOps(ModelOps ops) {
        this.ops = ops;
    }

    private static final class Td extends ThreadDomain {
        Td(Context context) {
            super(context);
        }
    }

    private static final class Parent extends ParentDomain {
        Parent(ParentDomainInitAttr attr) {
            super(attr);
        }
    }

    private static final class Dm extends DeviceMemory {
        private final ByteBuffer memory;
        private boolean closed;

        Dm(Context context, long length) {
            super(context, length);
            memory = ByteBuffer.allocate((int) length);
        }

        /** Creates memory that is the beginning of another one. */
        Dm(Context context, Dm of, long length) {
            super(context, length);
            memory = Fault.IMPORTS_COPY_OF_DM.on() ? ByteBuffer.allocate((int) length) : of.memory;
        }

        private int check(long offset, ByteBuffer buffer) {
            if (closed || buffer == null || !buffer.isDirect()) {
                return Errno.EINVAL;
            }
            boolean within = offset >= 0 && offset <= length() - buffer.remaining();
            return within ? 0 : Fault.DM_BEYOND_EINVAL.on() ? Errno.EINVAL : Errno.EFAULT;
        }

        @Override
        public int copyTo(long dmOffset, ByteBuffer source) {
            int error = check(dmOffset, source);
            if (error == 0) {
                memory.put((int) dmOffset, source, source.position(), source.remaining());
            }
            return error;
        }

        @Override
        public int copyFrom(ByteBuffer target, long dmOffset) {
            int error = check(dmOffset, target);
            if (error == 0 && target.isReadOnly()) {
                error = Errno.EINVAL;
            }
            if (error == 0) {
                target.put(target.position(), memory, (int) dmOffset, target.remaining());
            }
            return error;
        }
    }

    static DeviceMemory dm(Context context, DeviceMemory of, long length) {
        return new Dm(context, (Dm) of, length);
    }

    static void closeDm(DeviceMemory dm) {
        ((Dm) dm).closed = true;
    }

    boolean fill(ContextTable table) {
        boolean all =
                GrownOps.fill(table, Capability.FAST_REGISTER, ContextSlot.ALLOC_MR_KEY, (AllocMrKey) this::allocMrKey);
        all &= GrownOps.fill(table, Capability.REG_MR_EX, ContextSlot.REG_MR_EX, (RegMrEx) this::regMrEx);
        all &= GrownOps.fill(table, Capability.NULL_MR, ContextSlot.ALLOC_NULL_MR, (AllocNullMr) this::allocNullMr);
        all &= GrownOps.fill(table, Capability.ADVISE_MR, ContextSlot.ADVISE_MR, (AdviseMr) this::adviseMr);
        // The library must not notice, or it would not open the device and no other rule could be checked.
        boolean library = PlainProvider.isLibrary(ops.context());
        all &= GrownOps.fill(table, Capability.DEVICE_MEMORY, ContextSlot.ALLOC_DM, (AllocDm) this::allocDm);
        FreeDm free = LaterOps::closeDm;
        if (library || !Fault.DM_FOR_EVER.on()) {
            all &= GrownOps.fill(table, Capability.DEVICE_MEMORY, ContextSlot.FREE_DM, free);
        }
        all &= GrownOps.fill(table, Capability.DEVICE_MEMORY, ContextSlot.REG_DM_MR, (RegDmMr) this::regDmMr);
        all &= GrownOps.fill(table, Capability.PARENT_DOMAIN, ContextSlot.ALLOC_TD, (AllocTd) this::allocTd);
        if (library || !Fault.TD_FOR_EVER.on()) {
            all &= GrownOps.fill(table, Capability.PARENT_DOMAIN, ContextSlot.DEALLOC_TD, (DeallocTd) this::deallocTd);
        }
        all &= GrownOps.fill(table, Capability.PARENT_DOMAIN, ContextSlot.ALLOC_PARENT_DOMAIN, (AllocParentDomain)
                this::allocParentDomain);
        if (!library && Fault.WRONG_LAST_SLOT.on()) {
            all &= table.fillProvider(ContextSlot.DM_EXPORT_DMABUF_FD, "nonsense");
        }
        return all;
    }

    // ---- queries

    static long caps() {
        long caps = Traits.has(Capability.ATOMIC_WRITE) ? DeviceCap.ATOMIC_WRITE : 0;
        caps |= Traits.has(Capability.FLUSH) ? DeviceCap.FLUSH_GLOBAL : 0;
        return caps | (Traits.has(Capability.FAST_REGISTER) ? DeviceCap.BLOCK_LIST : 0);
    }

    static void tell(DeviceAttrEx attr) {
        long rc = Traits.hasType(QpType.RC) ? Traits.operations(QpType.RC) : 0;
        attr.offer(DeviceAttrEx.SEND_OPS_RC, Fault.NOP_NOT_TOLD.on() ? rc & ~QpCreateSendOps.NOP : rc);
        int rights = Traits.rights();
        attr.offer(
                DeviceAttrEx.MR_ACCESS_FLAGS,
                Fault.ZERO_BASED_NOT_TOLD.on() ? rights & ~AccessFlags.ZERO_BASED : rights);
        long uc = Traits.hasType(QpType.UC) ? Traits.operations(QpType.UC) : 0;
        attr.offer(DeviceAttrEx.SEND_OPS_UC, uc);
        attr.offer(DeviceAttrEx.SEND_OPS_UD, Traits.hasType(QpType.UD) ? Traits.operations(QpType.UD) : 0);
        attr.offer(DeviceAttrEx.SEND_OPS_DRIVER, Traits.hasType(QpType.DRIVER) ? Traits.operations(QpType.DRIVER) : 0);
        attr.offer(DeviceAttrEx.QP_ACCESS_FLAGS, rights & Traits.OF_QUEUE_PAIRS);
        attr.offer(DeviceAttrEx.DEVICE_TRAITS, Traits.told());
        attr.offer(DeviceAttrEx.INTERNAL_PORTS, 0L);
        attr.offer(DeviceAttrEx.QP_CREATE_FLAGS, QpExtras.flags());
        attr.offer(DeviceAttrEx.MAX_FAST_REG_LEN, Traits.has(Capability.FAST_REGISTER) ? MAX_PIECES : 0);
        boolean masked = Traits.has(Capability.MASKED_ATOMICS);
        attr.offer(
                DeviceAttrEx.MASKED_ATOMIC_SIZES, masked ? PciAtomicSizes.SIZE_4_BYTE | PciAtomicSizes.SIZE_8_BYTE : 0);
        attr.offer(DeviceAttrEx.MAX_DM_SIZE, Traits.has(Capability.DEVICE_MEMORY) ? MAX_DM : 0L);
        attr.offer(DeviceAttrEx.ODP_GENERAL_CAPS, Traits.has(Capability.ON_DEMAND) ? OdpGeneralCaps.SUPPORT : 0L);
    }

    // ---- memory

    private MemoryRegion allocMrKey(ProtectionDomain pd, MrKeyInitAttr attr) {
        ModelOps.known("alloc_mr_key", attr, 0);
        if (attr.maxEntries() > MAX_PIECES) {
            throw no("alloc_mr_key", Errno.EINVAL, "at most " + MAX_PIECES);
        }
        synchronized (Fabric.LOCK) {
            return new LaterMemory.Key(pd, attr.maxEntries());
        }
    }

    private MemoryRegion regMrEx(ProtectionDomain pd, RegMrAttrEx attr) {
        String verb = "reg_mr_ex";
        long bits = RegMrMask.ADDR | RegMrMask.IOVA;
        bits |= Traits.has(Capability.DMABUF) ? RegMrMask.FD | RegMrMask.FD_OFFSET : 0;
        bits |= Traits.has(Capability.DMA_BUFFERS) ? RegMrMask.BUF : 0;
        bits |= Traits.has(Capability.DMA_HINTS) ? RegMrMask.DMAH : 0;
        ModelOps.known(verb, attr, bits);
        if (!Traits.hasRights(attr.access())) {
            throw no(verb, Errno.EOPNOTSUPP, "the model does not have all of these rights");
        }
        boolean named = (attr.compMask() & RegMrMask.IOVA) != 0 && !Fault.IOVA_IGNORED.on();
        long name = named ? attr.iova() : attr.addr();
        if ((attr.compMask() & RegMrMask.FD) != 0) {
            ByteBuffer file = mapped(attr.fd(), attr.fdOffset(), attr.length());
            synchronized (Fabric.LOCK) {
                return LaterMemory.region(pd, file, attr.iova(), attr.length(), attr.access(), 0);
            }
        }
        if ((attr.compMask() & RegMrMask.BUF) != 0) {
            return DmaOps.register(pd, attr, name);
        }
        synchronized (Fabric.LOCK) {
            if ((attr.compMask() & RegMrMask.DMAH) != 0 && Fault.HINTS_LOSE_MEMORY.on()) {
                return LaterMemory.region(
                        pd, ByteBuffer.allocate((int) attr.length()), name, attr.length(), attr.access(), 0);
            }
            // The model has its own addresses: it finds memory by a region that contains the address.
            for (Fabric.Region of : List.copyOf(Fabric.KEYS.values())) {
                long from = attr.addr() - of.addr();
                if (of.memory() != null && from >= 0 && from + attr.length() <= of.length()) {
                    return LaterMemory.region(pd, of.memory(), name, attr.length(), attr.access(), of.start() + from);
                }
            }
        }
        throw no(verb, Errno.EFAULT, "there is no memory");
    }

    private static ByteBuffer mapped(int fd, long asked, long length) {
        Path path = Path.of("/proc/self/fd/" + fd);
        long offset = Fault.FILE_OFFSET_IGNORED.on() ? 0 : asked;
        if (!Files.exists(path)) {
            int errno = Fault.NO_DESCRIPTOR_EINVAL.on() ? Errno.EINVAL : Errno.EBADF;
            throw no("reg_mr_ex", errno, "there is no such descriptor");
        }
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            if (asked + length > file.size()) {
                throw no("reg_mr_ex", Errno.EINVAL, "the file is shorter");
            }
            return file.map(FileChannel.MapMode.READ_WRITE, offset, length);
        } catch (IOException e) {
            throw no("reg_mr_ex", Errno.EINVAL, e.toString());
        }
    }

    private MemoryRegion allocNullMr(ProtectionDomain pd) {
        synchronized (Fabric.LOCK) {
            ByteBuffer memory = Fault.NOTHING_IS_ONES.on() ? LaterMemory.ONES : null;
            return LaterMemory.region(pd, memory, 0, -1, AccessFlags.LOCAL_WRITE, 0);
        }
    }

    private void adviseMr(ProtectionDomain pd, int advice, int flags, ScatterGatherElement[] sgList, int numSge) {
        String verb = "advise_mr";
        boolean known = advice >= AdviseMrAdvice.PREFETCH && advice <= AdviseMrAdvice.PREFETCH_NO_FAULT;
        if (!known || (flags & ~AdviseMrFlags.FLUSH) != 0) {
            throw ContextOps.unsupported(verb);
        }
        if (advice == AdviseMrAdvice.PREFETCH_NO_FAULT && Fault.NO_FAULT_REFUSED.on()) {
            throw no(verb, Errno.EINVAL, "there is no such advice");
        }
        synchronized (Fabric.LOCK) {
            for (int i = 0; i < numSge; i++) {
                int errno = judge(pd, sgList[i]);
                if (errno != 0) {
                    throw no(verb, errno, "sgList[" + i + "]");
                }
            }
        }
    }

    private static int judge(ProtectionDomain pd, ScatterGatherElement sge) {
        Fabric.Region region = Fabric.KEYS.get(sge.lkey());
        if (region == null) {
            return Errno.ENOENT;
        }
        if (SharedOps.root(region.pd()) != SharedOps.root(pd) && !Fault.ADVISES_FOREIGN.on()) {
            return Errno.EPERM;
        }
        if ((region.access() & AccessFlags.ON_DEMAND) == 0) {
            return Errno.EINVAL;
        }
        boolean within = Fabric.slice(region, sge.addr(), sge.length()) != null;
        return within || Fault.ADVISES_BEYOND.on() ? 0 : Errno.EFAULT;
    }

    private DeviceMemory allocDm(AllocDmAttr attr) {
        ModelOps.known("alloc_dm", attr, Fault.IGNORES_DM_BITS.on() ? 1L << 30 : 0);
        if (attr.length() > MAX_DM) {
            throw no("alloc_dm", Errno.EINVAL, "at most " + MAX_DM);
        }
        return new Dm(ops.context(), attr.length());
    }

    private MemoryRegion regDmMr(ProtectionDomain pd, DeviceMemory dm, long offset, long length, int access) {
        synchronized (Fabric.LOCK) {
            long start = Fault.DM_OFFSET_IGNORED.on() ? 0 : offset;
            return LaterMemory.region(pd, ((Dm) dm).memory, 0, length, access, start);
        }
    }

    // ---- domains

    private ThreadDomain allocTd(TdInitAttr attr) {
        ModelOps.known("alloc_td", attr, 0);
        return new Td(ops.context());
    }

    private void deallocTd(ThreadDomain td) {
        assert td != null;
        if (++freed > 3 && Fault.TD_NEVER_FREED.on()) {
            throw no("dealloc_td", Errno.EIO, "it can't");
        }
    }

    private ParentDomain allocParentDomain(ParentDomainInitAttr attr) {
        long allocators = Traits.has(Capability.RING_ALLOCATORS) ? ParentDomainMask.ALLOCATORS : 0;
        ModelOps.known("alloc_parent_domain", attr, ParentDomainMask.PD_CONTEXT | allocators);
        return new Parent(attr);
    }
}
