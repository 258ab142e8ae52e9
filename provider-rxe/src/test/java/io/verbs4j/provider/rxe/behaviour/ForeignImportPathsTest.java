/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.AccessFlags;
import io.verbs4j.AddressHandle;
import io.verbs4j.DeviceMemory;
import io.verbs4j.Errno;
import io.verbs4j.ExportedFd;
import io.verbs4j.FastRegister;
import io.verbs4j.FlushLevel;
import io.verbs4j.FlushType;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MemoryWindow;
import io.verbs4j.MrKeyInitAttr;
import io.verbs4j.MwBind;
import io.verbs4j.MwType;
import io.verbs4j.OpenAttr;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.VerbsLevel;
import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;
import io.verbs4j.core.Verbs;
import io.verbs4j.testsupport.Patience;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Using objects of another process: those of {@code owner}, used by {@code c}, whose peer is {@code b}. */
// Longer than 500 lines because its subclasses run all of it on the other paths, so each part would need three classes.
@EnabledOnOs(OS.LINUX)
@Timeout(Patience.TEST_SECONDS)
@ByPath(SidePath.LOCAL)
class ForeignImportPathsTest extends EachPath {
    private static final int DM_ACCESS = AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE | AccessFlags.ZERO_BASED;

    @TempDir
    Path folder;

    private OwnerProcess owner;
    private Side c;

    private void startImporting() throws IOException {
        startImporting(QpType.RC, false);
    }

    private void startImporting(int qpType, boolean withSrq) throws IOException {
        make(side -> side.qpType = qpType);
        prepare(qpType, withSrq);
        c.create();
        Side.connect(c, b);
    }

    private void prepare(int qpType, boolean withSrq) throws IOException {
        owner = new OwnerProcess();
        owner.fill(1);
        c = new Side(owner.open(), owner.pd, owner.mr);
        c.qpType = qpType;
        c.withSrq = withSrq;
        c.access |= AccessFlags.FLUSH_GLOBAL;
    }

    @AfterEach
    void end() {
        if (c != null) {
            c.close();
        }
        if (owner != null) {
            owner.close();
        }
    }

    /** A request of the peer to the owner's memory. */
    private SendWorkRequest toOwner(SendWorkRequest wr, int offset) {
        return wr.remoteAddr(owner.addr + offset).rkey(owner.rkey);
    }

    @Test
    void importedRegionHasKeysOfOwner() throws IOException {
        prepare(QpType.RC, false);

        assertThat(c.pd.isImported() && c.mr.isImported()).isTrue();
        assertThat(c.mr.addr()).isEqualTo(owner.addr);
        assertThat(c.mr.length()).isEqualTo(BYTES);
        assertThat(c.mr.lkey()).isEqualTo(owner.lkey);
        assertThat(c.mr.rkey()).isEqualTo(owner.rkey);
        assertThat(c.mr.access())
                .as("access without rights that need memory of this process")
                .isEqualTo(OwnerProgram.ACCESS & ~(AccessFlags.REMOTE_ATOMIC | AccessFlags.MW_BIND));
        assertThat(c.mr.pd()).isSameAs(c.pd);
        assertThat(c.pd.exportHandle()).isEqualTo(owner.pd);
        assertThat(c.mr.exportHandle()).isEqualTo(owner.mr);
    }

    @Test
    void domainIsBusyWhileImported() throws IOException {
        prepare(QpType.RC, false);
        ProtectionDomain first = c.context.importPd(owner.otherPd);
        ProtectionDomain second = c.context.importPd(owner.otherPd);

        assertThat(owner.ask("close otherpd")).isEqualTo("errno " + Errno.EBUSY);
        first.close();
        assertThat(owner.ask("close otherpd")).as("close with one handle left").isEqualTo("errno " + Errno.EBUSY);
        second.close();
        assertThat(owner.ask("close otherpd")).isEqualTo("ok");
        assertThat(ImportTest.errno(() -> c.context.importPd(owner.otherPd))).isEqualTo(Errno.EINVAL);
    }

    @Test
    void importedContextIsExportedAsItsOrigin() throws IOException {
        prepare(QpType.RC, false);
        try (ExportedFd fd = c.context.exportDevice();
                Side third = new Side(
                        Verbs.open(c.context.device(), VerbsLevel.CURRENT, new OpenAttr().importFd(fd.fd())),
                        owner.pd,
                        owner.mr);
                ProtectionDomain own = c.context.allocPd();
                MemoryRegion ofOwn = c.pd.regMr(ByteBuffer.allocateDirect(8), 0)) {
            assertThat(third.mr.lkey()).isEqualTo(c.mr.lkey());
            third.create();
            Side.connectToItself(third);
            third.post(third.to(Side.wr(WrOpcode.RDMA_WRITE, 1, third.sge(0, 100)), third, 500));
            third.next(1, WcStatus.SUCCESS);
            owner.assertPattern(500, 1, 0, 100);
            assertThat(ImportTest.errno(own::exportHandle)).isEqualTo(Errno.EOPNOTSUPP);
            assertThat(ImportTest.errno(ofOwn::exportHandle)).isEqualTo(Errno.EOPNOTSUPP);
        }
    }

    @Test
    void importsOfWrongLengthOrKindAreRefused() throws IOException {
        prepare(QpType.RC, false);
        assertThat(ImportTest.errno(() -> c.context.importPd(owner.mr))).isEqualTo(Errno.EINVAL);
        assertThat(ImportTest.errno(() -> c.context.importDm(owner.pd, 1))).isEqualTo(Errno.EINVAL);
        assertThat(ImportTest.errno(() -> c.context.importDm(owner.dm, 4097))).isEqualTo(Errno.EINVAL);
        assertThat(ImportTest.errno(() -> c.pd.importMr(owner.dm))).isEqualTo(Errno.EINVAL);
        try (ProtectionDomain other = c.context.importPd(owner.otherPd)) {
            assertThat(ImportTest.errno(() -> other.importMr(owner.mr))).isEqualTo(Errno.EINVAL);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5000, 300_000})
    void memoryOfTheOwnerIsSent(int bytes) throws IOException {
        startImporting();
        b.recv(1, 0, bytes);

        c.post(Side.wr(WrOpcode.SEND, 2, c.sge(7, bytes)));
        c.next(2, WcStatus.SUCCESS);
        b.next(1, WcStatus.SUCCESS);
        b.assertPattern(0, 1, 7, bytes);
        c.post(c.to(Side.wr(WrOpcode.RDMA_WRITE, 3, c.sge(11, bytes)), b, 400_000));
        c.next(3, WcStatus.SUCCESS);
        b.assertPattern(400_000, 1, 11, bytes);
        b.post(toOwner(Side.wr(WrOpcode.RDMA_READ, 4, b.sge(700_001, bytes)), 13));
        b.next(4, WcStatus.SUCCESS);
        b.assertPattern(700_001, 1, 13, bytes);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5000, 300_000})
    void memoryOfTheOwnerIsWritten(int bytes) throws IOException {
        startImporting();

        c.post(c.to(Side.wr(WrOpcode.RDMA_READ, 1, c.sge(7, bytes)), b, 6));
        c.next(1, WcStatus.SUCCESS);
        owner.assertPattern(7, 2, 6, bytes);
        b.post(toOwner(Side.wr(WrOpcode.RDMA_WRITE, 2, b.sge(20, bytes)), 400_000));
        b.next(2, WcStatus.SUCCESS);
        owner.assertPattern(400_000, 2, 20, bytes);
        owner.assertPattern(0, 1, 0, 7);
        owner.assertPattern(400_000 + bytes, 1, 400_000 + bytes, 100);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void messagesArriveInTheOwnersMemory(boolean withSrq) throws IOException {
        startImporting(QpType.RC, withSrq);
        for (int bytes : new int[] {3, 3000, 300_000}) {
            c.recv(1, 100, bytes);
            b.post(Side.wr(WrOpcode.SEND, 2, b.sge(5, bytes)));
            b.next(2, WcStatus.SUCCESS);
            c.next(1, WcStatus.SUCCESS);
            owner.assertPattern(100, 2, 5, bytes);
        }
    }

    @Test
    void messagesByUcArriveInTheOwnersMemory() throws IOException {
        startImporting(QpType.UC, false);
        c.recv(1, 100, 3000);
        b.recv(1, 0, 3000);

        b.post(Side.wr(WrOpcode.SEND, 2, b.sge(5, 3000)));
        b.next(2, WcStatus.SUCCESS);
        c.next(1, WcStatus.SUCCESS);
        owner.assertPattern(100, 2, 5, 3000);
        c.post(Side.wr(WrOpcode.SEND, 3, c.sge(4000, 3000)));
        c.next(3, WcStatus.SUCCESS);
        b.next(1, WcStatus.SUCCESS);
        b.assertPattern(0, 1, 4000, 3000);
    }

    @Test
    void messagesByXrcArriveInTheOwnersMemory() throws IOException {
        make(side -> side.qpType = side == b ? QpType.XRC_SEND : QpType.RC);
        prepare(QpType.XRC_RECV, false);
        c.file = folder.resolve("domain");
        c.create();
        Side.connect(c, b);
        c.recv(1, 100, 30_000);

        b.post(Side.wr(WrOpcode.SEND, 2, b.sge(0, 30_000)).remoteSrqn(c.srq.srqNum()));
        b.next(2, WcStatus.SUCCESS);
        c.next(1, WcStatus.SUCCESS);
        owner.assertPattern(100, 2, 0, 30_000);
    }

    @Test
    void datagramsUseMemoryOfOwner() throws IOException {
        startImporting(QpType.UD, false);
        AddressHandle to = c.opened(c.pd.createAh(c.path(b.gid())));
        AddressHandle back = b.opened(b.pd.createAh(b.path(c.gid())));
        b.recv(1, 0, 1000);
        c.recv(1, 0, 1000);

        c.post(Side.wr(WrOpcode.SEND, 2, c.sge(3, 600))
                .ah(to)
                .remoteQpn(b.qp.qpNum())
                .remoteQkey(Side.QKEY));
        c.next(2, WcStatus.SUCCESS);
        b.next(1, WcStatus.SUCCESS);
        b.assertPattern(40, 1, 3, 600);
        b.post(Side.wr(WrOpcode.SEND, 3, b.sge(2000, 600))
                .ah(back)
                .remoteQpn(c.qp.qpNum())
                .remoteQkey(Side.QKEY));
        b.next(3, WcStatus.SUCCESS);
        c.next(1, WcStatus.SUCCESS);
        owner.assertPattern(40, 2, 2000, 600);
    }

    @Test
    void piecesAndInlineDataOfOwnerAreSent() throws IOException {
        startImporting();
        MemoryRegion own = c.opened(c.pd.regMr(ByteBuffer.allocateDirect(100).put(0, (byte) 77), Side.ALL_ACCESS));
        ScatterGatherElement first = ScatterGatherElement.of(own, 0, 1);

        c.post(c.to(Side.wr(WrOpcode.RDMA_WRITE, 1, c.sge(0, 10), first, c.sge(50, 2000)), b, 0));
        c.next(1, WcStatus.SUCCESS);
        b.assertPattern(0, 1, 0, 10);
        assertThat(b.buffer.get(10)).isEqualTo((byte) 77);
        b.assertPattern(11, 1, 50, 2000);
        c.post(c.to(Side.wr(WrOpcode.RDMA_WRITE, 2, c.sge(90, 60)), b, 5000)
                .sendFlags(SendFlags.SIGNALED | SendFlags.INLINE));
        c.next(2, WcStatus.SUCCESS);
        b.assertPattern(5000, 1, 90, 60);
    }

    /** Both ends of a message are in the other process, so this process copies every byte. */
    @Test
    void memoryOfTheOwnerIsCopiedWithinIt() throws IOException {
        make(side -> {});
        prepare(QpType.RC, false);
        c.create();
        Side.connectToItself(c);

        c.post(toOwner(Side.wr(WrOpcode.RDMA_WRITE, 1, c.sge(5, 200_000)), 300_000));
        c.next(1, WcStatus.SUCCESS);
        owner.assertPattern(300_000, 1, 5, 200_000);
        MemoryRegion nothing = c.opened(c.pd.allocNullMr());
        c.post(toOwner(
                Side.wr(
                        WrOpcode.RDMA_WRITE,
                        2,
                        new ScatterGatherElement().addr(0).length(150_000).lkey(nothing.lkey())),
                300_000));
        c.next(2, WcStatus.SUCCESS);
        assertThat(owner.ask("byte 300000")).isEqualTo("0");
        assertThat(owner.ask("byte 449999")).isEqualTo("0");
        owner.assertPattern(450_000, 1, 150_005, 50_000);
    }

    @Test
    void atomicsOfThePeerAreRefused() throws IOException {
        startImporting();
        b.post(toOwner(Side.wr(WrOpcode.ATOMIC_FETCH_AND_ADD, 1, b.sge(0, 8)), 8)
                .compareAdd(1));
        b.next(1, WcStatus.REM_ACCESS_ERR);
        owner.assertPattern(0, 1, 0, 100);
    }

    @Test
    void atomicWritesOfThePeerAreRefused() throws IOException {
        startImporting();
        b.post(toOwner(Side.wr(WrOpcode.ATOMIC_WRITE, 1), 8).atomicWriteValue(7));
        b.next(1, WcStatus.REM_INV_REQ_ERR);
        owner.assertPattern(0, 1, 0, 100);
    }

    /** The result of an atomic of the importer is ordinary data. */
    @Test
    void resultOfAnAtomicIsWritten() throws IOException {
        startImporting();
        long word = b.buffer.order(ByteOrder.nativeOrder()).getLong(0);
        c.post(c.to(Side.wr(WrOpcode.ATOMIC_FETCH_AND_ADD, 1, c.sge(8, 8)), b, 0)
                .compareAdd(5));
        c.next(1, WcStatus.SUCCESS);

        owner.assertPattern(8, 2, 0, 8);
        assertThat(b.buffer.getLong(0)).isEqualTo(word + 5);
    }

    @Test
    void windowsAndFastRegistersNeedMemoryOfThisProcess() throws IOException {
        startImporting();
        MemoryRegion key = c.opened(c.pd.allocMrKey(new MrKeyInitAttr().maxEntries(2)));
        MemoryWindow one = c.opened(c.pd.allocMw(MwType.TYPE_1));
        MwBind bind = new MwBind()
                .mr(c.mr)
                .addr(c.mr.addr())
                .length(100)
                .mwAccessFlags(AccessFlags.REMOTE_WRITE)
                .wrId(3)
                .sendFlags(SendFlags.SIGNALED);

        assertThat(c.qp.bindMw(one, bind)).isNotZero();
        c.post(Side.wr(WrOpcode.REG_MR, 1, c.sge(0, 100))
                .fastRegister(new FastRegister()
                        .mr(key)
                        .key(MemoryWindow.incRkey(key.rkey()))
                        .addr(4096)
                        .access(AccessFlags.LOCAL_WRITE)));
        c.next(1, WcStatus.LOC_PROT_ERR);
    }

    @Test
    void windowsOfType2NeedMemoryOfThisProcess() throws IOException {
        startImporting();
        MemoryWindow two = c.opened(c.pd.allocMw(MwType.TYPE_2));
        c.post(Side.wr(WrOpcode.BIND_MW, 1)
                .mw(two)
                .mwRkey(MemoryWindow.incRkey(two.rkey()))
                .mwBind(new MwBind().mr(c.mr).addr(c.mr.addr()).length(100).mwAccessFlags(AccessFlags.REMOTE_WRITE)));
        c.next(1, WcStatus.MW_BIND_ERR);
    }

    @Test
    void otherDomainsOfTheImporterCantUseTheKeys() throws IOException {
        startImporting();
        Side other = new Side(c.context.device(), 100);
        try (other) {
            other.create();
            Side.connectToItself(other);
            other.post(other.to(Side.wr(WrOpcode.RDMA_WRITE, 1, c.sge(0, 5)), other, 0));
            other.next(1, WcStatus.LOC_PROT_ERR);
        }
        MemoryRegion foreign = c.pd.importMr(owner.mr);
        assertThat(foreign.lkey()).as("lkey of the second handle").isEqualTo(c.mr.lkey());
        foreign.close();
        c.post(c.to(Side.wr(WrOpcode.RDMA_WRITE, 2, c.sge(0, 500)), b, 0));
        c.next(2, WcStatus.SUCCESS);
    }

    @Test
    void lkeyEndsWhenTheOwnerDeregisters() throws IOException {
        startImporting();
        SendWorkRequest wr = c.to(Side.wr(WrOpcode.RDMA_WRITE, 1, c.sge(0, 5000)), b, 0);
        c.post(wr);
        c.next(1, WcStatus.SUCCESS);

        assertThat(owner.ask("close mr")).isEqualTo("ok");
        c.post(wr);
        c.next(1, WcStatus.LOC_PROT_ERR);
        assertThat(ImportTest.errno(() -> c.pd.importMr(owner.mr))).isEqualTo(Errno.EINVAL);
    }

    @Test
    void rkeyEndsWhenTheOwnerDeregisters() throws IOException {
        startImporting();
        SendWorkRequest wr = toOwner(Side.wr(WrOpcode.RDMA_WRITE, 1, b.sge(0, 5000)), 0);
        b.post(wr);
        b.next(1, WcStatus.SUCCESS);

        assertThat(owner.ask("close mr")).isEqualTo("ok");
        b.post(wr);
        b.next(1, WcStatus.REM_ACCESS_ERR);
    }

    @Test
    void receivesFailWhenTheOwnerHasDeregistered() throws IOException {
        startImporting();
        c.recv(1, 0, 5000);
        assertThat(owner.ask("close mr")).isEqualTo("ok");
        b.post(Side.wr(WrOpcode.SEND, 2, b.sge(0, 5000)));
        c.next(1, WcStatus.LOC_PROT_ERR);
        b.next(2, WcStatus.REM_OP_ERR);
    }

    @Test
    void reregisteredRegionCanBeImportedAgain() throws IOException {
        startImporting();
        int before = owner.lkey;
        owner.learn(owner.ask("rereg"));
        assertThat(owner.lkey).isNotEqualTo(before);
        MemoryRegion again = c.opened(c.pd.importMr(owner.mr));
        assertThat(again.lkey()).isEqualTo(owner.lkey);
        assertThat(again.rkey()).isEqualTo(owner.rkey);
        assertThat(c.mr.lkey()).as("lkey of the older handle").isEqualTo(before);

        b.post(toOwner(Side.wr(WrOpcode.RDMA_WRITE, 1, b.sge(0, 5000)), 0));
        b.next(1, WcStatus.SUCCESS);
        owner.assertPattern(0, 2, 0, 5000);
        c.post(c.to(Side.wr(WrOpcode.RDMA_WRITE, 2, ScatterGatherElement.of(again, 0, 5000)), b, 10_000));
        c.next(2, WcStatus.SUCCESS);
        b.assertPattern(10_000, 2, 0, 5000);
        c.post(c.to(Side.wr(WrOpcode.RDMA_WRITE, 3, c.sge(0, 5)), b, 0));
        c.next(3, WcStatus.LOC_PROT_ERR);
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 300_000})
    void sendsFailWhenTheOwnerIsKilled(int bytes) throws Exception {
        startImporting();
        owner.kill();
        c.post(c.to(Side.wr(WrOpcode.RDMA_WRITE, 1, c.sge(0, bytes)), b, 0));
        c.next(1, WcStatus.LOC_PROT_ERR);
        c.awaitState(QpState.ERR);
        b.assertPattern(0, 2, 0, bytes);
        assertThat(ImportTest.errno(() -> c.pd.importMr(owner.mr))).isEqualTo(Errno.ESRCH);
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 300_000})
    void receivesFailWhenTheOwnerIsKilled(int bytes) throws Exception {
        startImporting();
        c.recv(1, 0, bytes);
        owner.kill();
        b.post(Side.wr(WrOpcode.SEND, 2, b.sge(0, bytes)));
        c.next(1, WcStatus.LOC_PROT_ERR);
        b.next(2, WcStatus.REM_OP_ERR);
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 300_000})
    void peersFailWhenTheOwnerIsKilled(int bytes) throws Exception {
        startImporting();
        owner.kill();
        b.post(toOwner(Side.wr(WrOpcode.RDMA_WRITE, 1, b.sge(0, bytes)), 0));
        b.next(1, WcStatus.REM_OP_ERR);
    }

    @Test
    void readsOfPeersFailWhenTheOwnerIsKilled() throws Exception {
        startImporting();
        owner.kill();
        b.post(toOwner(Side.wr(WrOpcode.RDMA_READ, 1, b.sge(0, 5000)), 0));
        b.next(1, WcStatus.REM_OP_ERR);
        b.assertPattern(0, 2, 0, 5000);
    }

    @Test
    void deviceMemoryIsShared() throws IOException {
        startImporting();
        DeviceMemory imported = c.context.importDm(owner.dm, 128);
        ByteBuffer bytes = ByteBuffer.allocateDirect(64).put(0, (byte) 11).put(63, (byte) 12);
        ByteBuffer read = ByteBuffer.allocateDirect(64);

        assertThat(imported.exportHandle()).isEqualTo(owner.dm);
        assertThat(imported.copyTo(64, bytes)).isZero();
        assertThat(owner.ask("dmbyte 64")).isEqualTo("0 11");
        assertThat(owner.ask("dmbyte 127")).isEqualTo("0 12");
        assertThat(imported.copyFrom(read, 64)).isZero();
        assertThat(read.get(0)).isEqualTo((byte) 11);
        assertThat(read.get(63)).isEqualTo((byte) 12);
        assertThat(imported.copyTo(65, bytes))
                .as("copy past the requested length")
                .isEqualTo(Errno.EFAULT);
        MemoryRegion mr = c.pd.regDmMr(imported, 0, 128, DM_ACCESS);
        b.post(Side.wr(WrOpcode.RDMA_WRITE, 1, b.sge(0, 32)).remoteAddr(8).rkey(mr.rkey()));
        b.next(1, WcStatus.SUCCESS);
        assertThat(owner.ask("dmbyte 9")).isEqualTo("0 " + Side.pattern(2, 1));
        assertThat(ImportTest.errno(() -> c.pd.regDmMr(imported, 0, 8, DM_ACCESS | AccessFlags.REMOTE_ATOMIC)))
                .isEqualTo(Errno.EOPNOTSUPP);
        assertThat(owner.ask("close dm")).as("close while a region uses it").isEqualTo("errno " + Errno.EBUSY);
        assertThat(imported.copyTo(64, bytes))
                .as("copy after the refused close")
                .isZero();
        mr.close();
        assertThat(owner.ask("close dm")).isEqualTo("ok");
        assertThat(imported.copyTo(0, bytes))
                .as("copy after the owner freed it")
                .isEqualTo(Errno.EINVAL);
        assertThat(imported.copyFrom(read, 0)).isEqualTo(Errno.EINVAL);
        assertThat(ImportTest.errno(() -> c.pd.regDmMr(imported, 0, 8, DM_ACCESS)))
                .isEqualTo(Errno.EINVAL);
        imported.close();
    }

    @Test
    void fastRegistersNeedDeviceMemoryOfThisProcess() throws IOException {
        startImporting();
        DeviceMemory imported = c.opened(c.context.importDm(owner.dm, 128));
        MemoryRegion mr = c.opened(c.pd.regDmMr(imported, 0, 128, DM_ACCESS));
        MemoryRegion key = c.opened(c.pd.allocMrKey(new MrKeyInitAttr().maxEntries(2)));
        c.post(Side.wr(WrOpcode.REG_MR, 1, ScatterGatherElement.of(mr, 0, 100))
                .fastRegister(new FastRegister()
                        .mr(key)
                        .key(MemoryWindow.incRkey(key.rkey()))
                        .addr(4096)
                        .access(AccessFlags.LOCAL_WRITE)));
        c.next(1, WcStatus.LOC_PROT_ERR);
    }

    @Test
    void flushesAreAnswered() throws IOException {
        startImporting();
        b.post(toOwner(Side.wr(WrOpcode.RDMA_WRITE, 1, b.sge(0, 500)), 0));
        b.next(1, WcStatus.SUCCESS);
        for (int level : new int[] {FlushLevel.RANGE, FlushLevel.MR}) {
            b.post(toOwner(Side.wr(WrOpcode.FLUSH, 2), 0)
                    .flushType(FlushType.GLOBAL)
                    .flushLevel(level)
                    .flushLength(500));
            b.next(2, WcStatus.SUCCESS);
        }
        owner.assertPattern(0, 2, 0, 500);
    }
}
