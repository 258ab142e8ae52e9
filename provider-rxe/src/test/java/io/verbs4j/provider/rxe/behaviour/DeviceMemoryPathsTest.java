/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.AccessFlags;
import io.verbs4j.AllocDmAttr;
import io.verbs4j.DeviceMemory;
import io.verbs4j.Errno;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ReregFlags;
import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;

/** Memory of the device: copied, registered, and refused. */
@WithOneCopy
class DeviceMemoryPathsTest extends MemoryPaths {
    private DeviceMemory dm(long length) {
        return b.opened(b.context.allocDm(new AllocDmAttr().length(length)));
    }

    @Test
    void deviceMemoryIsCopiedAndRegistered() {
        start();
        DeviceMemory dm = dm(10_000);
        assertThat(dm.length()).isEqualTo(10_000);
        ByteBuffer direct = ByteBuffer.allocateDirect(6000);
        assertThat(dm.copyFrom(direct, 4000)).isZero();
        for (int i = 0; i < 6000; i++) {
            assertThat(direct.get(i)).isZero();
            direct.put(i, Side.pattern(5, i));
        }
        assertThat(dm.copyTo(1000, direct.position(1).limit(5001))).isZero();
        assertThat(direct.position()).isEqualTo(1);
        MemoryRegion mr = b.opened(b.pd.regDmMr(dm, 1000, 9000, ZERO));
        assertThat(mr.addr()).isZero();
        assertThat(mr.length()).isEqualTo(9000);
        works(request(WrOpcode.RDMA_READ, mr, 0, 5000));
        a.assertPattern(0, 5, 1, 5000);
        a.fill(1);
        works(request(WrOpcode.RDMA_WRITE, mr, 8900, 100));
        assertThat(dm.copyFrom(direct.clear().limit(100), 9900)).isZero();
        assertThat(direct.get(99)).isEqualTo(Side.pattern(1, 99));
        works(request(WrOpcode.ATOMIC_FETCH_AND_ADD, mr, 8, 8).compareAdd(1));
        b.post(Side.wr(WrOpcode.RDMA_WRITE, 2, piece(mr, 0, 100))
                .remoteAddr(a.mr.addr())
                .rkey(a.mr.rkey()));
        b.next(2, WcStatus.SUCCESS);
        isRefused(request(WrOpcode.RDMA_WRITE, mr, 8999, 2), WcStatus.REM_ACCESS_ERR);
        assertThat(errno(dm::close)).isEqualTo(Errno.EBUSY);
        assertThat(dm.copyFrom(direct, 0)).isZero();
        mr.close();
        dm.close();
        assertThat(dm.copyTo(0, direct)).isEqualTo(Errno.EINVAL);
    }

    @Test
    void copyFromTruncatedFileFails() throws IOException {
        start();
        DeviceMemory dm = dm(10 * PAGE);
        try (FileChannel file = FileChannel.open(
                folder.resolve("short"),
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE)) {
            MappedByteBuffer memory = file.map(FileChannel.MapMode.READ_WRITE, 0, 10 * PAGE);
            assertThat(dm.copyTo(0, memory)).isZero();
            file.truncate(PAGE);
            assertThat(dm.copyTo(0, memory)).isEqualTo(Errno.EFAULT);
            assertThat(dm.copyFrom(memory.slice(2 * PAGE, PAGE), 0)).isEqualTo(Errno.EFAULT);
            assertThat(dm.copyTo(0, memory.limit(PAGE))).isZero();
        }
    }

    @Test
    void invalidUsesOfDeviceMemoryAreRefused() {
        start();
        long most = b.context.queryDeviceEx().maxDmSize();
        assertThat(most).isPositive();
        DeviceMemory dm = dm(100);
        ByteBuffer direct = ByteBuffer.allocateDirect(101);
        assertThat(dm.copyTo(0, direct)).isEqualTo(Errno.EFAULT);
        assertThat(dm.copyTo(100, direct.limit(1))).isEqualTo(Errno.EFAULT);
        assertThat(dm.copyTo(-1, direct)).isEqualTo(Errno.EFAULT);
        assertThat(dm.copyTo(Long.MAX_VALUE, direct)).isEqualTo(Errno.EFAULT);
        assertThat(dm.copyTo(99, direct)).isZero();
        assertThat(dm.copyFrom(direct, 100)).isEqualTo(Errno.EFAULT);
        assertThat(dm.copyTo(0, null)).isEqualTo(Errno.EINVAL);
        assertThat(dm.copyTo(0, ByteBuffer.allocate(1))).isEqualTo(Errno.EINVAL);
        assertThat(dm.copyFrom(ByteBuffer.allocate(1), 0)).isEqualTo(Errno.EINVAL);
        assertThat(dm.copyFrom(direct.asReadOnlyBuffer(), 0)).isEqualTo(Errno.EINVAL);
        assertThat(dm.copyTo(0, direct.asReadOnlyBuffer())).isZero();
        assertThat(errno(() -> b.pd.regDmMr(dm, 0, 101, ZERO))).isEqualTo(Errno.EINVAL);
        assertThat(errno(() -> b.pd.regDmMr(dm, 0, 100, AccessFlags.LOCAL_WRITE)))
                .isEqualTo(Errno.EINVAL);
        assertThat(errno(() -> b.pd.regDmMr(dm, 0, 100, ZERO | AccessFlags.MW_BIND)))
                .isEqualTo(Errno.EOPNOTSUPP);
        b.pd.regDmMr(dm, 0, 100, ZERO | AccessFlags.RELAXED_ORDERING).close();
        assertThat(errno(() -> dm(most + 1))).isEqualTo(Errno.EINVAL);
        assertThat(errno(() -> dm(most))).as("all memory while some is in use").isEqualTo(Errno.ENOMEM);
        assertThat(errno(() -> b.context.allocDm(new AllocDmAttr().length(1).logAlignReq(40))))
                .isEqualTo(Errno.EINVAL);
        assertThat(errno(dm::exportDmabufFd)).isEqualTo(Errno.EOPNOTSUPP);
        dm.close();
        try (DeviceMemory all = b.context.allocDm(new AllocDmAttr().length(most).logAlignReq(12))) {
            assertThat(errno(() -> dm(1))).isEqualTo(Errno.ENOMEM);
            MemoryRegion mr = b.pd.regDmMr(all, 0, most, ZERO);
            assertThat(errno(() -> mr.rereg(ReregFlags.CHANGE_ACCESS, null, 0, 0, 0)))
                    .isEqualTo(Errno.EOPNOTSUPP);
            mr.close();
        }
    }

    @Test
    void deviceMemoryMayBeShorterThanItsAlignment() {
        start();
        for (int align = 0; align <= 12; align++) {
            try (DeviceMemory dm = b.context.allocDm(new AllocDmAttr().length(3).logAlignReq(align))) {
                assertThat(dm.copyTo(0, ByteBuffer.allocateDirect(3))).isZero();
            }
        }
    }
}
