/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import static io.verbs4j.compat.kit.DmRig.BYTES;
import static io.verbs4j.compat.kit.DmRig.RIGHTS;

import io.verbs4j.Context;
import io.verbs4j.DeviceMemory;
import io.verbs4j.Errno;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;
import java.nio.ByteBuffer;

/** R18 again: memory on the device. All offsets and lengths are multiples of 8, which every device supports. */
interface DmRules {
    @Rule(
            id = "R18.09",
            since = 3,
            says = "what is copied to the device is there, within its bounds: EFAULT beyond them",
            look = {"the function in the slot ALLOC_DM", "DeviceMemory.copyTo", "DeviceMemory.copyFrom"},
            man = "ibv_alloc_dm(3), ibv_memcpy_to_dm(3), and the Javadoc of DeviceMemory",
            needs = {Capability.RC, Capability.DEVICE_MEMORY})
    default void r1809Copies(DmRig rig) {
        Context context = rig.open();
        long most = context.queryDeviceEx().maxDmSize();
        if (most < Long.MAX_VALUE) {
            Seen.refuses("allocDm of more than maxDmSize", () -> rig.dm(context, most + 1), Errno.EINVAL, Errno.ENOMEM);
        }
        DeviceMemory dm = rig.dm(context, BYTES);
        Seen.atLeast("length()", BYTES, dm.length());
        ByteBuffer from = DmRig.numbered(64);
        from.position(8);
        Seen.errno("copyTo", 0, dm.copyTo(BYTES - 56, from));
        Seen.equal("position() of the copied buffer", 8, from.position());
        ByteBuffer to = ByteBuffer.allocateDirect(64);
        Seen.errno("copyFrom", 0, dm.copyFrom(to.limit(56), BYTES - 56));
        for (int i = 0; i < 56; i++) {
            Seen.equal("byte " + i + " after copying there and back", from.get(8 + i), to.get(i));
        }
        long end = dm.length();
        Seen.errno("copyTo beyond the end", Errno.EFAULT, dm.copyTo(end - 48, from));
        Seen.errno("copyFrom beyond the end", Errno.EFAULT, dm.copyFrom(to, end));
        Seen.errno("copyTo of null", Errno.EINVAL, dm.copyTo(0, null));
        Seen.errno("copyTo of a buffer that is not direct", Errno.EINVAL, dm.copyTo(0, ByteBuffer.allocate(8)));
        Seen.errno("copyFrom into a read-only buffer", Errno.EINVAL, dm.copyFrom(to.asReadOnlyBuffer(), 0));
        dm.close();
        Seen.errno("copyTo after close", Errno.EINVAL, dm.copyTo(0, from));
        Seen.errno("copyFrom after close", Errno.EINVAL, dm.copyFrom(to, 0));
    }

    @Rule(
            id = "R18.10",
            since = 3,
            says = "a region of the device's memory is that part of it, by addresses from 0, for the peer and for"
                    + " its own side",
            look = {"the function in the slot REG_DM_MR", "the function in the slot FREE_DM"},
            man = "ibv_reg_dm_mr(3), and the Javadoc of ProtectionDomain.regDmMr",
            needs = {Capability.RC, Capability.RDMA_WRITE, Capability.DEVICE_MEMORY})
    default void r1810Region(DmRig rig) {
        rig.start();
        DeviceMemory dm = rig.dm(rig.b.context, BYTES);
        Seen.errno("copyTo", 0, dm.copyTo(0, ByteBuffer.allocateDirect(BYTES)));
        MemoryRegion mr = rig.made(MemoryRegion.class, rig.b.pd.regDmMr(dm, 64, 512, RIGHTS));
        Seen.equal("addr() of a region of the device's memory", 0L, mr.addr());
        Seen.equal("length()", 512L, mr.length());
        Seen.refuses("close of device memory with a region", dm::close, Errno.EBUSY);
        rig.written(1, mr, 16, 128);
        ByteBuffer seen = ByteBuffer.allocateDirect(BYTES);
        Seen.errno("copyFrom", 0, dm.copyFrom(seen, 0));
        Seen.holds("the device's memory", seen, 64 + 16, rig.a.memory, 0, 128);
        Seen.equal("the byte before", (byte) 0, seen.get(79));
        Seen.equal("the byte after", (byte) 0, seen.get(80 + 128));
        ScatterGatherElement own =
                new ScatterGatherElement().addr(16).length(128).lkey(mr.lkey());
        rig.b.post(rig.b
                .wr(WrOpcode.RDMA_WRITE, 2, own)
                .remoteAddr(rig.a.mr.addr() + 9000)
                .rkey(rig.a.mr.rkey()));
        rig.b.next(2, WcStatus.SUCCESS);
        Seen.holds("the data written from the device's memory", rig.a.memory.buffer, 9000, rig.a.memory, 0, 128);
        rig.fails(rig.write(3, mr, 512 - 4, 8), WcStatus.REM_ACCESS_ERR);
        mr.close();
        dm.close();
    }
}
