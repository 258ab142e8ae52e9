/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.verbs4j.AccessFlags;
import io.verbs4j.AdviseMrAdvice;
import io.verbs4j.AdviseMrFlags;
import io.verbs4j.AllocDmAttr;
import io.verbs4j.DeviceAttrEx;
import io.verbs4j.DeviceMemory;
import io.verbs4j.Errno;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MemoryWindow;
import io.verbs4j.MwBind;
import io.verbs4j.MwType;
import io.verbs4j.OdpGeneralCaps;
import io.verbs4j.OdpTransportCaps;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpAttr;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.RegMrAttrEx;
import io.verbs4j.ReregFlags;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.VerbsException;
import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;
import io.verbs4j.provider.rxe.DevicePorts;
import io.verbs4j.provider.rxe.memory.PageCounters;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.Pipe;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Memory with other addresses, from other places, or without any memory: {@code b}'s regions, used by {@code a} and by
 * {@code b} itself.
 */
@WithOneCopy
class MemoryPathsTest extends EachPath {
    private static final int PAGE = 4096;
    private static final int ZERO = Side.ALL_ACCESS & ~AccessFlags.MW_BIND | AccessFlags.ZERO_BASED;

    @TempDir
    Path folder;

    private static int errno(Runnable verb) {
        VerbsException e = catchThrowableOfType(VerbsException.class, verb::run);
        return e == null ? 0 : e.errno();
    }

    private static ScatterGatherElement piece(MemoryRegion mr, long addr, int bytes) {
        return new ScatterGatherElement().addr(addr).length(bytes).lkey(mr.lkey());
    }

    private SendWorkRequest request(int opcode, MemoryRegion there, long addr, int bytes) {
        return Side.wr(opcode, 1, a.sge(0, bytes)).remoteAddr(addr).rkey(there.rkey());
    }

    private void works(SendWorkRequest wr) {
        a.post(wr);
        a.next(wr.wrId(), WcStatus.SUCCESS);
    }

    private void isRefused(SendWorkRequest wr, int status) {
        a.post(wr);
        a.next(wr.wrId(), status);
        b.awaitState(QpState.ERR);
        a.qp.modify(new QpAttr().qpState(QpState.RESET));
        b.qp.modify(new QpAttr().qpState(QpState.RESET));
        Side.connect(a, b);
    }

    // ---- other addresses

    private ByteBuffer part(int at, int bytes) {
        return b.buffer.duplicate().position(at).limit(at + bytes).slice();
    }

    /** A region that begins at 1001, or 8 bytes before, under another address. */
    private MemoryRegion named(long name) {
        return b.opened(b.pd.regMrEx(new RegMrAttrEx()
                .addr(b.mr.addr() + 1000)
                .length(300_000)
                .access(Side.ALL_ACCESS)
                .iova(name)));
    }

    /** The same for a buffer, whose address nobody needs to know. */
    private MemoryRegion namedBuffer(long name) {
        return b.opened(b.pd.regMrEx(new RegMrAttrEx()
                .buffer(part(1000, 300_000))
                .access(Side.ALL_ACCESS)
                .iova(name)));
    }

    private MemoryRegion zeroBased() {
        return b.opened(b.pd.regMr(part(1000, 300_000), ZERO));
    }

    private void isAllThatItWasMadeOf(MemoryRegion mr, long name) {
        assertThat(mr.addr()).isEqualTo(name);
        assertThat(mr.length()).isEqualTo(300_000);
        works(request(WrOpcode.RDMA_WRITE, mr, name, 200_000));
        b.assertPattern(1000, 1, 0, 200_000);
        b.assertPattern(999, 2, 999, 1);
        works(request(WrOpcode.RDMA_WRITE, mr, name + 299_999, 1));
        b.assertPattern(300_999, 1, 0, 1);
        b.assertPattern(301_000, 2, 301_000, 1);
        b.fill(3);
        works(request(WrOpcode.RDMA_READ, mr, name, 300_000));
        a.assertPattern(0, 3, 1000, 300_000);
        works(request(WrOpcode.ATOMIC_FETCH_AND_ADD, mr, name + 8, 8).compareAdd(1));
        a.assertPattern(0, 3, 1008, 8);
        assertThat(b.buffer.get(1008)).isEqualTo((byte) (Side.pattern(3, 1008) + 1));
        isRefused(request(WrOpcode.RDMA_WRITE, mr, name + 299_999, 2), WcStatus.REM_ACCESS_ERR);
        isRefused(request(WrOpcode.RDMA_READ, mr, name - 1, 1), WcStatus.REM_ACCESS_ERR);
        isRefused(request(WrOpcode.RDMA_READ, mr, b.mr.addr() + 1000, 1), WcStatus.REM_ACCESS_ERR);
    }

    @Test
    void peerUsesZeroBasedMemory() {
        start();
        isAllThatItWasMadeOf(zeroBased(), 0);
    }

    @Test
    void peerUsesMemoryWithOtherAddress() {
        start();
        isAllThatItWasMadeOf(named(0x7654_3210_fedc_b000L), 0x7654_3210_fedc_b000L);
    }

    /** Such an address may be at the upper end of the address space. */
    @Test
    void peerUsesMemoryWithHighestAddress() {
        start();
        isAllThatItWasMadeOf(named(-300_008), -300_008);
    }

    @Test
    void peerUsesBufferWithOtherAddress() {
        start();
        isAllThatItWasMadeOf(namedBuffer(0x1234_5000L), 0x1234_5000L);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 0x1_0000_0000_0000L, -400_000})
    void listsUseMemoryWithOtherAddress(long name) {
        start();
        MemoryRegion mr = name == 0 ? zeroBased() : named(name);
        b.post(Side.wr(WrOpcode.RDMA_WRITE, 2, piece(mr, name + 10, 5000), piece(mr, name, 10))
                .remoteAddr(a.mr.addr())
                .rkey(a.mr.rkey()));
        b.next(2, WcStatus.SUCCESS);
        a.assertPattern(0, 2, 1010, 5000);
        a.assertPattern(5000, 2, 1000, 10);
        a.fill(1);
        b.post(Side.wr(WrOpcode.RDMA_READ, 3, piece(mr, name + 100, 10), piece(mr, name, 90))
                .remoteAddr(a.mr.addr())
                .rkey(a.mr.rkey()));
        b.next(3, WcStatus.SUCCESS);
        b.assertPattern(1100, 1, 0, 10);
        b.assertPattern(1000, 1, 10, 90);
        assertThat(b.qp.postRecv(new RecvWorkRequest().wrId(4).sgList(piece(mr, name + 7, 3000))))
                .isZero();
        works(Side.wr(WrOpcode.SEND, 5, a.sge(0, 3000)));
        b.next(4, WcStatus.SUCCESS);
        b.assertPattern(1007, 1, 0, 3000);
        b.post(Side.wr(WrOpcode.RDMA_WRITE, 6, piece(mr, name + 1, 20))
                .sendFlags(SendFlags.SIGNALED | SendFlags.INLINE)
                .remoteAddr(a.mr.addr())
                .rkey(a.mr.rkey()));
        b.next(6, WcStatus.SUCCESS);
        assertThat(a.buffer.get(6)).isEqualTo(b.buffer.get(1007));
        b.post(Side.wr(WrOpcode.RDMA_WRITE, 7, piece(mr, name + 299_999, 2))
                .remoteAddr(a.mr.addr())
                .rkey(a.mr.rkey()));
        b.next(7, WcStatus.LOC_PROT_ERR);
    }

    /** What a processor can do atomically depends on the real address of the memory. */
    @Test
    void atomicsOnUnalignedMemoryFail() {
        start();
        MemoryRegion mr = b.opened(b.pd.regMr(part(1001, 100), ZERO));
        isRefused(request(WrOpcode.ATOMIC_FETCH_AND_ADD, mr, 0, 8).compareAdd(1), WcStatus.REM_INV_REQ_ERR);
        b.assertPattern(1001, 2, 1001, 8);
        assertThat(a.qp.postSend(request(WrOpcode.ATOMIC_FETCH_AND_ADD, mr, 7, 8)))
                .as("post with an unaligned address")
                .isEqualTo(Errno.EINVAL);
    }

    @Test
    void invalidAddressesAreRefused() {
        start();
        RegMrAttrEx attr = new RegMrAttrEx()
                .addr(b.mr.addr())
                .length(100)
                .access(AccessFlags.LOCAL_WRITE | AccessFlags.ZERO_BASED)
                .iova(1);
        assertThat(errno(() -> b.pd.regMrEx(attr))).isEqualTo(Errno.EINVAL);
        assertThat(errno(() -> b.pd.regMrEx(attr.access(0).iova(-50)))).isEqualTo(Errno.EINVAL);
        assertThat(errno(() -> b.pd.regMrEx(attr.iova(0).addr(8)))).isEqualTo(Errno.EFAULT);
        assertThat(errno(() ->
                        b.pd.regMrEx(attr.addr(b.mr.addr()).access(AccessFlags.LOCAL_WRITE | AccessFlags.HUGETLB))))
                .isEqualTo(Errno.EOPNOTSUPP);
    }

    @Test
    void reregisteredRegionChangesAddress() {
        start();
        MemoryRegion mr = named(0x1000_0000L);
        mr.rereg(ReregFlags.CHANGE_ACCESS, null, 0, 0, ZERO);
        isAllThatItWasMadeOf(mr, 0);
        b.fill(2);
        a.fill(1);
        mr.rereg(ReregFlags.CHANGE_ACCESS, null, 0, 0, Side.ALL_ACCESS);
        isAllThatItWasMadeOf(mr, 0x1000_0000L);
        b.fill(2);
        a.fill(1);
        mr.rereg(ReregFlags.CHANGE_TRANSLATION, null, b.mr.addr() + 8, 100, 0);
        assertThat(mr.addr()).isEqualTo(b.mr.addr() + 8);
        works(request(WrOpcode.RDMA_WRITE, mr, mr.addr(), 100));
        b.assertPattern(8, 1, 0, 100);
    }

    // ---- windows

    private void bind(MemoryWindow mw, MwBind bind, int status) {
        b.post(Side.wr(WrOpcode.BIND_MW, 70)
                .mw(mw)
                .mwRkey(MemoryWindow.incRkey(mw.rkey()))
                .mwBind(bind));
        b.next(70, status);
    }

    private SendWorkRequest through(MemoryWindow mw, int opcode, long addr, int bytes) {
        return Side.wr(opcode, 1, a.sge(0, bytes)).remoteAddr(addr).rkey(mw.rkey());
    }

    private static final int RIGHTS = AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ | AccessFlags.REMOTE_ATOMIC;

    @ParameterizedTest
    @ValueSource(longs = {0, 0x1_0000_0000_0000L})
    void windowCanBeZeroBased(long name) {
        start();
        MemoryRegion mr = name == 0 ? b.mr : named(name);
        long from = mr.addr();
        int at = name == 0 ? 0 : 1000;
        MemoryWindow mw = b.opened(b.pd.allocMw(MwType.TYPE_2));
        MwBind bind = new MwBind().mr(mr).addr(from + 16).length(4000);
        bind(mw, bind.mwAccessFlags(RIGHTS | AccessFlags.ZERO_BASED), WcStatus.SUCCESS);
        works(through(mw, WrOpcode.RDMA_WRITE, 0, 3000));
        b.assertPattern(at + 16, 1, 0, 3000);
        b.assertPattern(at + 15, 2, at + 15, 1);
        works(through(mw, WrOpcode.RDMA_WRITE, 3999, 1));
        b.assertPattern(at + 16 + 3999, 1, 0, 1);
        works(through(mw, WrOpcode.RDMA_READ, 0, 4000));
        works(through(mw, WrOpcode.ATOMIC_FETCH_AND_ADD, 0, 8));
        a.fill(1);
        b.post(Side.wr(WrOpcode.LOCAL_INV, 71).invalidateRkey(mw.rkey()));
        b.next(71, WcStatus.SUCCESS);
        bind(mw, bind.mwAccessFlags(RIGHTS), WcStatus.SUCCESS); // and no longer zero-based
        works(through(mw, WrOpcode.RDMA_WRITE, from + 16, 4000));
        isRefused(through(mw, WrOpcode.RDMA_WRITE, 0, 1), WcStatus.REM_ACCESS_ERR);
        bind(mw, bind.mwAccessFlags(RIGHTS | AccessFlags.ZERO_BASED), WcStatus.SUCCESS);
        isRefused(through(mw, WrOpcode.RDMA_WRITE, from + 16, 1), WcStatus.REM_ACCESS_ERR);
        bind(mw, bind.mwAccessFlags(RIGHTS | AccessFlags.ZERO_BASED), WcStatus.SUCCESS);
        isRefused(through(mw, WrOpcode.RDMA_WRITE, 3999, 2), WcStatus.REM_ACCESS_ERR);
    }

    /** The specification does not allow it. */
    @Test
    void windowOfZeroBasedMemoryIsRefused() {
        start();
        MemoryRegion mr = b.opened(b.pd.regMr(b.buffer, ZERO | AccessFlags.MW_BIND));
        MwBind bind = new MwBind().mr(mr).addr(0).length(100).mwAccessFlags(AccessFlags.REMOTE_READ);
        MemoryWindow one = b.opened(b.pd.allocMw(MwType.TYPE_1));
        assertThat(b.qp.bindMw(one, bind)).isEqualTo(Errno.EINVAL);
        bind(b.opened(b.pd.allocMw(MwType.TYPE_2)), bind, WcStatus.MW_BIND_ERR);
    }

    // ---- null regions

    @Test
    void nullRegionDropsWritesAndReadsZeros() {
        start();
        MemoryRegion none = b.opened(b.pd.allocNullMr());
        assertThat(none.addr()).isZero();
        assertThat(none.length()).isEqualTo(-1);
        assertThat(none.rkey()).isZero();
        b.post(Side.wr(WrOpcode.RDMA_WRITE, 2, b.sge(0, 100), piece(none, 5, 4000), b.sge(100, 100))
                .remoteAddr(a.mr.addr())
                .rkey(a.mr.rkey()));
        b.next(2, WcStatus.SUCCESS);
        a.assertPattern(0, 2, 0, 100);
        for (int i = 100; i < 4100; i++) {
            assertThat(a.buffer.get(i)).isZero();
        }
        a.assertPattern(4100, 2, 100, 100);
        a.assertPattern(4200, 1, 4200, 10);
        a.fill(1);
        b.post(Side.wr(WrOpcode.RDMA_READ, 3, b.sge(0, 10), piece(none, -5000, 4990), b.sge(10, 10))
                .remoteAddr(a.mr.addr())
                .rkey(a.mr.rkey()));
        b.next(3, WcStatus.SUCCESS);
        b.assertPattern(0, 1, 0, 10);
        b.assertPattern(10, 1, 5000, 10);
        b.assertPattern(20, 2, 20, 1000);
        assertThat(b.qp.postRecv(new RecvWorkRequest().wrId(4).sgList(piece(none, 0, 1 << 20), b.sge(0, 5))))
                .isZero();
        works(Side.wr(WrOpcode.SEND, 5, a.sge(0, 50_000)));
        assertThat(b.next(4, WcStatus.SUCCESS).byteLen()).isEqualTo(50_000);
        b.assertPattern(0, 1, 0, 5);
        b.post(Side.wr(WrOpcode.ATOMIC_FETCH_AND_ADD, 6, piece(none, 0, 8))
                .remoteAddr(a.mr.addr())
                .rkey(a.mr.rkey()));
        b.next(6, WcStatus.SUCCESS);
        isRefused(Side.wr(WrOpcode.RDMA_WRITE, 7, a.sge(0, 8)).rkey(none.lkey()), WcStatus.REM_ACCESS_ERR);
        assertThat(errno(() -> none.rereg(ReregFlags.CHANGE_ACCESS, null, 0, 0, 0)))
                .isEqualTo(Errno.EOPNOTSUPP);
    }

    /** Both sides use null regions. */
    @Test
    void nullRegionsSendAndReceive() {
        start();
        MemoryRegion mine = a.opened(a.pd.allocNullMr());
        MemoryRegion yours = b.opened(b.pd.allocNullMr());
        assertThat(b.qp.postRecv(new RecvWorkRequest()
                        .wrId(4)
                        .sgList(piece(yours, 0, 3), b.sge(0, 100), piece(yours, 0, 1 << 20))))
                .isZero();
        works(Side.wr(WrOpcode.SEND, 5, piece(mine, 77, 10_000), a.sge(0, 10)));
        assertThat(b.next(4, WcStatus.SUCCESS).byteLen()).isEqualTo(10_010);
        assertThat(b.buffer.get(0) | b.buffer.get(99)).isZero();
        b.assertPattern(100, 2, 100, 10);
    }

    // ---- descriptors

    private static int descriptor(Path file) throws IOException {
        try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
            for (Path fd : all.toList()) {
                if (Files.isSymbolicLink(fd) && Files.readSymbolicLink(fd).equals(file)) {
                    return Integer.parseInt(fd.getFileName().toString());
                }
            }
        }
        throw new AssertionError("no open descriptor of " + file);
    }

    private static RegMrAttrEx described(int fd, long offset, long length, long iova) {
        return new RegMrAttrEx()
                .fd(fd)
                .fdOffset(offset)
                .length(length)
                .iova(iova)
                .access(Side.ALL_ACCESS);
    }

    private static void assumeDescriptors() {
        Assumptions.assumeTrue(Files.isDirectory(Path.of("/proc/self/fd")), "no /proc/self/fd");
    }

    @Test
    void descriptorsMemoryIsUsed() throws IOException {
        assumeDescriptors();
        start();
        Path file = folder.toRealPath().resolve("memory");
        Files.write(file, new byte[100_000]);
        MemoryRegion mr;
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            int fd = descriptor(file);
            mr = b.opened(b.pd.regMrEx(described(fd, 5000, 90_000, 0x4000_0000L)));
            assertThat(errno(() -> b.pd.regMrEx(described(fd, 5000, 95_001, 0))))
                    .isEqualTo(Errno.EINVAL);
            assertThat(errno(() -> b.pd.regMrEx(described(fd, 100_001, 1, 0)))).isEqualTo(Errno.EINVAL);
            assertThat(errno(() -> b.pd.regMrEx(described(fd, Long.MAX_VALUE, Long.MAX_VALUE, 0))))
                    .isEqualTo(Errno.EINVAL);
            assertThat(errno(() -> b.pd.regMrEx(
                            described(fd, 0, 10, 0).access(AccessFlags.LOCAL_WRITE | AccessFlags.ON_DEMAND))))
                    .isEqualTo(Errno.EOPNOTSUPP);
            assertThat(channel.size()).as("size of the file").isEqualTo(100_000);
        }
        assertThat(mr.addr()).isEqualTo(0x4000_0000L); // after the descriptor was closed
        works(request(WrOpcode.RDMA_WRITE, mr, mr.addr() + 10, 50_000));
        byte[] written = Files.readAllBytes(file);
        assertThat(written).hasSize(100_000);
        assertThat(written[5009]).isZero();
        for (int i = 0; i < 50_000; i++) {
            assertThat(written[5010 + i]).isEqualTo(Side.pattern(1, i));
        }
        assertThat(written[55_010]).isZero();
        isRefused(request(WrOpcode.RDMA_WRITE, mr, mr.addr() + 89_999, 2), WcStatus.REM_ACCESS_ERR);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(0);
        }
        isRefused(request(WrOpcode.RDMA_WRITE, mr, mr.addr(), 50_000), WcStatus.REM_OP_ERR);
        works(a.to(Side.wr(WrOpcode.RDMA_WRITE, 1, a.sge(0, 10)), b, 0));
        assertThat(errno(() -> mr.rereg(ReregFlags.CHANGE_ACCESS, null, 0, 0, 0)))
                .isEqualTo(Errno.EOPNOTSUPP);
    }

    @Test
    void descriptorsWithoutMemoryAreRefused() throws IOException {
        assumeDescriptors();
        start();
        assertThat(errno(() -> b.pd.regMrEx(described(1 << 20, 0, 10, 0)))).isEqualTo(Errno.EBADF);
        assertThat(errno(() -> b.pd.regMrEx(described(-1, 0, 10, 0)))).isEqualTo(Errno.EINVAL);
        assertThat(errno(() -> b.pd.regMrEx(new RegMrAttrEx().fd(1).length(10).access(AccessFlags.LOCAL_WRITE))))
                .isEqualTo(Errno.EINVAL);
        Path file = folder.toRealPath().resolve("memory");
        Files.write(file, new byte[100]);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            assertThat(channel.isOpen()).isTrue();
            int fd = descriptor(file);
            assertThat(errno(() -> b.pd.regMrEx(described(fd, 0, 100, 0)))).isEqualTo(Errno.EACCES);
            b.pd.regMrEx(described(fd, 0, 100, 0).access(AccessFlags.REMOTE_READ))
                    .close();
        }
        Pipe pipe = Pipe.open();
        try (Pipe.SourceChannel source = pipe.source();
                Pipe.SinkChannel sink = pipe.sink();
                Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
            assertThat(source.isOpen() && sink.isOpen()).isTrue();
            List<Integer> pipes = all.filter(fd -> linksToPipe(fd))
                    .map(fd -> Integer.parseInt(fd.getFileName().toString()))
                    .toList();
            assertThat(pipes).hasSizeGreaterThan(1);
            for (int fd : pipes) {
                assertThat(errno(() -> b.pd.regMrEx(described(fd, 0, 10, 0)))).isEqualTo(Errno.EINVAL);
            }
        }
    }

    private static boolean linksToPipe(Path fd) {
        try {
            return Files.readSymbolicLink(fd).toString().startsWith("pipe:");
        } catch (IOException e) {
            return false;
        }
    }

    // ---- device memory

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

    // ---- on demand

    private PageCounters pages() {
        return DevicePorts.of(b.context.device()).keys().pages();
    }

    /** Allocates memory of its own that begins on a page boundary. */
    private MemoryRegion onDemand(int access) {
        ByteBuffer memory = ByteBuffer.allocateDirect(101 * PAGE).alignedSlice(PAGE);
        return b.opened(b.pd.regMr(memory.slice(0, 100 * PAGE), access | AccessFlags.ON_DEMAND));
    }

    private long faultsOf(SendWorkRequest wr) {
        long before = b.faults();
        works(wr);
        return b.faults() - before;
    }

    @Test
    void firstTouchOfEachPageFaults() {
        start();
        MemoryRegion mr = onDemand(Side.ALL_ACCESS);
        assertThat(faultsOf(request(WrOpcode.RDMA_WRITE, mr, mr.addr() + PAGE - 1, 2)))
                .isEqualTo(2);
        assertThat(faultsOf(request(WrOpcode.RDMA_READ, mr, mr.addr(), 2 * PAGE)))
                .isZero();
        assertThat(faultsOf(request(WrOpcode.RDMA_READ, mr, mr.addr() + PAGE, 70 * PAGE)))
                .isEqualTo(69);
        assertThat(faultsOf(request(WrOpcode.ATOMIC_FETCH_AND_ADD, mr, mr.addr() + 80 * PAGE, 8)))
                .isEqualTo(1);
        assertThat(b.qp.postRecv(new RecvWorkRequest().wrId(4).sgList(piece(mr, mr.addr() + 90 * PAGE, 3 * PAGE))))
                .isZero();
        assertThat(faultsOf(Side.wr(WrOpcode.SEND, 5, a.sge(0, 2 * PAGE)))).isEqualTo(2);
        b.next(4, WcStatus.SUCCESS);
        assertThat(faultsOf(a.to(Side.wr(WrOpcode.RDMA_WRITE, 1, a.sge(0, 100)), b, 0)))
                .as("faults in memory not registered ON_DEMAND")
                .isZero();
    }

    @Test
    void datagramsFaultPagesIn() {
        make(side -> side.qpType = QpType.UD);
        for (Side side : new Side[] {a, b}) {
            side.toInit();
            side.toRtr(null, 0, 0);
            side.toRts(1);
        }
        MemoryRegion from = a.onDemand();
        MemoryRegion into = b.onDemand();
        assertThat(b.qp.postRecv(new RecvWorkRequest().wrId(1).sgList(ScatterGatherElement.of(into, 0, 5000))))
                .isZero();
        long faults = b.faults();
        a.post(Side.wr(WrOpcode.SEND, 2, ScatterGatherElement.of(from, 0, 4096))
                .ah(a.opened(a.pd.createAh(a.path(b.gid()))))
                .remoteQpn(b.qp.qpNum())
                .remoteQkey(Side.QKEY));
        a.next(2, WcStatus.SUCCESS);
        b.next(1, WcStatus.SUCCESS);
        b.assertPattern(40, 1, 0, 4096);
        assertThat(b.faults() - faults).isBetween(2L, 5L); // depends on alignment; counts both sides of one device
    }

    @Test
    void prefetchSavesFaults() {
        start();
        MemoryRegion mr = onDemand(Side.ALL_ACCESS);
        long faults = b.faults();
        long prefetched = pages().prefetched();
        b.pd.adviseMr(
                AdviseMrAdvice.PREFETCH,
                AdviseMrFlags.FLUSH,
                piece(mr, mr.addr(), 10 * PAGE),
                piece(mr, mr.addr() + 5 * PAGE, 10 * PAGE));
        assertThat(pages().prefetched() - prefetched).isEqualTo(15);
        b.pd.adviseMr(AdviseMrAdvice.PREFETCH_WRITE, 0, piece(mr, mr.addr() + 15 * PAGE, 1));
        assertThat(pages().prefetched() - prefetched).isEqualTo(16);
        b.pd.adviseMr(AdviseMrAdvice.PREFETCH, 0, piece(mr, mr.addr(), 0));
        assertThat(b.faults()).isEqualTo(faults);
        assertThat(faultsOf(request(WrOpcode.RDMA_WRITE, mr, mr.addr(), 16 * PAGE)))
                .isZero();
        assertThat(faultsOf(request(WrOpcode.RDMA_WRITE, mr, mr.addr(), 16 * PAGE + 1)))
                .isEqualTo(1);
        assertThat(DevicePorts.of(b.context.device()).counters()).containsEntry("page_prefetch", pages().prefetched());
    }

    /** Pages of a file are not in the page tables before somebody touches them. */
    @Test
    void prefetchWithoutFaultNotesPresentPagesOnly() throws IOException {
        Assumptions.assumeTrue(Files.isReadable(Path.of("/proc/self/pagemap")), "no /proc/self/pagemap");
        start();
        Path file = folder.resolve("pages");
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MappedByteBuffer memory = channel.map(FileChannel.MapMode.READ_WRITE, 0, 1000L * PAGE);
            MemoryRegion mr = b.opened(b.pd.regMr(memory, Side.ALL_ACCESS | AccessFlags.ON_DEMAND));
            memory.put(600 * PAGE, (byte) 1);
            long prefetched = pages().prefetched();
            b.pd.adviseMr(AdviseMrAdvice.PREFETCH_NO_FAULT, 0, piece(mr, mr.addr(), 1000 * PAGE));
            assertThat(pages().prefetched() - prefetched).isBetween(1L, 100L); // neighbours may be present
            assertThat(faultsOf(request(WrOpcode.RDMA_WRITE, mr, mr.addr() + 600 * PAGE, 1)))
                    .isZero();
            assertThat(faultsOf(request(WrOpcode.RDMA_WRITE, mr, mr.addr() + 10 * PAGE, 1)))
                    .isEqualTo(1);
            b.pd.adviseMr(AdviseMrAdvice.PREFETCH_WRITE, 0, piece(mr, mr.addr(), 1000 * PAGE));
            assertThat(memory.get(600 * PAGE)).as("byte after PREFETCH_WRITE").isEqualTo(Side.pattern(1, 0));
            mr.close();
        }
    }

    @Test
    void invalidAdviceIsRefused() {
        start();
        MemoryRegion mr = onDemand(AccessFlags.REMOTE_READ);
        long prefetched = pages().prefetched();
        ScatterGatherElement fine = piece(mr, mr.addr(), PAGE);
        int advice = AdviseMrAdvice.PREFETCH;
        assertThat(errno(() -> b.pd.adviseMr(advice, 0, fine, piece(mr, mr.addr() + 99 * PAGE, PAGE + 1))))
                .isEqualTo(Errno.EFAULT);
        assertThat(errno(() -> b.pd.adviseMr(advice, 0, fine, piece(mr, mr.addr() - 1, 1))))
                .isEqualTo(Errno.EFAULT);
        assertThat(errno(() -> b.pd.adviseMr(
                        advice,
                        0,
                        fine,
                        new ScatterGatherElement().addr(mr.addr()).lkey(mr.lkey() ^ 1))))
                .isEqualTo(Errno.ENOENT);
        assertThat(errno(() -> b.pd.adviseMr(advice, 0, fine, b.sge(0, 1)))).isEqualTo(Errno.EINVAL);
        assertThat(errno(() -> b.pd.adviseMr(advice, 0, fine, piece(mr, mr.addr(), -1))))
                .isEqualTo(Errno.EINVAL);
        assertThat(errno(() -> b.pd.adviseMr(AdviseMrAdvice.PREFETCH_WRITE, 0, fine)))
                .isEqualTo(Errno.EPERM);
        try (ProtectionDomain other = b.context.allocPd()) {
            assertThat(errno(() -> other.adviseMr(advice, 0, fine))).isEqualTo(Errno.EPERM);
        }
        assertThat(errno(() -> b.pd.adviseMr(77, 0, fine))).isEqualTo(Errno.EOPNOTSUPP);
        assertThat(errno(() -> b.pd.adviseMr(advice, 2, fine))).isEqualTo(Errno.EOPNOTSUPP);
        assertThat(errno(() -> b.pd.adviseMr(advice, 0))).isEqualTo(Errno.EINVAL);
        assertThat(pages().prefetched())
                .as("prefetched pages after refused calls")
                .isEqualTo(prefetched);
    }

    // ---- reported capabilities

    @Test
    void reportedCapabilitiesAreTrue() {
        make(side -> {});
        DeviceAttrEx ex = b.context.queryDeviceEx();
        int told = ex.mrAccessFlags();
        for (int bit = 0; bit < 30; bit++) {
            int right = 1 << bit;
            if (right == AccessFlags.FLUSH_PERSISTENT) {
                continue; // requires memory of a file
            }
            int access = AccessFlags.LOCAL_WRITE | right;
            int answer = errno(() -> b.pd.regMr(b.buffer, access).close());
            assertThat(answer).as(AccessFlags.toString(right)).isEqualTo((told & right) != 0 ? 0 : Errno.EOPNOTSUPP);
        }
        assertThat(ex.odpGeneralCaps()).isEqualTo(OdpGeneralCaps.SUPPORT);
        assertThat(errno(() -> b.pd.regMr(0, -1, AccessFlags.ON_DEMAND)))
                .as("implicit region")
                .isEqualTo(Errno.EOPNOTSUPP);
        int six = 63;
        assertThat(ex.odpRcCaps() & six).isEqualTo(six);
        assertThat(ex.xrcOdpCaps() & six).isEqualTo(six);
        assertThat(ex.odpUcCaps() & six)
                .isEqualTo(OdpTransportCaps.SEND
                        | OdpTransportCaps.RECV
                        | OdpTransportCaps.WRITE
                        | OdpTransportCaps.SRQ_RECV);
        assertThat(ex.odpUdCaps() & six)
                .isEqualTo(OdpTransportCaps.SEND | OdpTransportCaps.RECV | OdpTransportCaps.SRQ_RECV);
    }
}
