/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.AccessFlags;
import io.verbs4j.AddressHandle;
import io.verbs4j.AdviseMrAdvice;
import io.verbs4j.AllocDmAttr;
import io.verbs4j.DeviceMemory;
import io.verbs4j.Errno;
import io.verbs4j.FastRegister;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MemoryWindow;
import io.verbs4j.MrKeyInitAttr;
import io.verbs4j.MwBind;
import io.verbs4j.MwType;
import io.verbs4j.ParentDomain;
import io.verbs4j.ParentDomainInitAttr;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpType;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Using imported objects: those of {@code a}, used by {@code c}, whose peer is {@code b}. */
class ImportPathsTest extends EachPath {
    private static final int DM_ACCESS = AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE | AccessFlags.ZERO_BASED;

    @TempDir
    Path folder;

    private Side c;

    private void startImporting() {
        startImporting(QpType.RC, false);
    }

    private void startImporting(int qpType, boolean withSrq) {
        make(side -> side.qpType = qpType);
        c = a.opened(Side.importing(a));
        c.qpType = qpType;
        c.withSrq = withSrq;
        c.create();
        Side.connect(c, b);
    }

    private void writtenByPeer(long addr, int rkey) {
        b.post(Side.wr(WrOpcode.RDMA_WRITE, 6, b.sge(0, 10)).remoteAddr(addr).rkey(rkey));
        b.next(6, WcStatus.SUCCESS);
    }

    @Test
    void importedRegionHasKeysOfOwner() {
        make(side -> {});
        c = a.opened(Side.importing(a));

        assertThat(c.pd).isNotSameAs(a.pd);
        assertThat(c.pd.isImported() && c.mr.isImported()).isTrue();
        assertThat(a.pd.isImported() || a.mr.isImported()).isFalse();
        assertThat(c.mr.lkey()).isEqualTo(a.mr.lkey());
        assertThat(c.mr.rkey()).isEqualTo(a.mr.rkey());
        assertThat(c.mr.addr()).isEqualTo(a.mr.addr());
        assertThat(c.mr.length()).isEqualTo(a.mr.length());
        assertThat(c.mr.access()).isEqualTo(a.mr.access());
        assertThat(c.mr.pd()).isSameAs(c.pd);
    }

    @Test
    void memoryOfTheOwnerIsSentAndWritten() {
        startImporting();
        b.recv(1, 0, 5000);

        c.post(Side.wr(WrOpcode.SEND, 2, c.sge(0, 5000)));
        c.next(2, WcStatus.SUCCESS);
        b.next(1, WcStatus.SUCCESS);
        b.assertPattern(0, 1, 0, 5000);
        c.post(c.to(Side.wr(WrOpcode.RDMA_READ, 3, c.sge(7000, 3000)), b, 6000));
        c.next(3, WcStatus.SUCCESS);
        a.assertPattern(7000, 2, 6000, 3000);
        b.post(b.to(Side.wr(WrOpcode.RDMA_WRITE, 4, b.sge(20_000, 3000)), a, 30_000));
        b.next(4, WcStatus.SUCCESS);
        a.assertPattern(30_000, 2, 20_000, 3000);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void messagesArriveInTheOwnersMemory(boolean withSrq) {
        startImporting(QpType.RC, withSrq);
        c.recv(1, 100, 3000);

        b.post(Side.wr(WrOpcode.SEND, 2, b.sge(0, 3000)));
        b.next(2, WcStatus.SUCCESS);
        c.next(1, WcStatus.SUCCESS);
        a.assertPattern(100, 2, 0, 3000);
    }

    /** XRC messages go to memory of the shared receive queue's domain. */
    @Test
    void messagesByXrcArriveInTheOwnersMemory() {
        make(side -> side.qpType = side == b ? QpType.XRC_SEND : QpType.RC);
        c = a.opened(Side.importing(a));
        c.qpType = QpType.XRC_RECV;
        c.file = folder.resolve("domain");
        c.create();
        Side.connect(c, b);
        c.recv(1, 100, 3000);

        b.post(Side.wr(WrOpcode.SEND, 2, b.sge(0, 3000)).remoteSrqn(c.srq.srqNum()));
        b.next(2, WcStatus.SUCCESS);
        c.next(1, WcStatus.SUCCESS);
        a.assertPattern(100, 2, 0, 3000);
    }

    @Test
    void objectsMadeInImportedDomainBelongToIt() {
        startImporting();
        MemoryRegion own = c.opened(c.pd.regMr(ByteBuffer.allocateDirect(200), Side.ALL_ACCESS));
        ParentDomain parent = c.opened(c.context.allocParentDomain(new ParentDomainInitAttr().pd(c.pd)));
        MemoryRegion ofParent = c.opened(parent.regMr(ByteBuffer.allocateDirect(200), Side.ALL_ACCESS));

        for (MemoryRegion mr : new MemoryRegion[] {own, ofParent, c.mr}) {
            writtenByPeer(mr.addr(), mr.rkey());
            c.post(c.to(Side.wr(WrOpcode.RDMA_WRITE, 1, ScatterGatherElement.of(mr, 0, 100)), b, 0));
            c.next(1, WcStatus.SUCCESS);
            MwBind bind = new MwBind().mr(mr).addr(mr.addr()).length(100).mwAccessFlags(AccessFlags.REMOTE_WRITE);
            MemoryWindow two = c.pd.allocMw(MwType.TYPE_2);
            c.post(Side.wr(WrOpcode.BIND_MW, 2)
                    .mw(two)
                    .mwRkey(MemoryWindow.incRkey(two.rkey()))
                    .mwBind(bind));
            c.next(2, WcStatus.SUCCESS);
            writtenByPeer(mr.addr(), two.rkey());
            two.close();
            MemoryWindow one = c.pd.allocMw(MwType.TYPE_1);
            assertThat(c.qp.bindMw(one, bind.wrId(3).sendFlags(SendFlags.SIGNALED)))
                    .isZero();
            c.next(3, WcStatus.SUCCESS);
            writtenByPeer(mr.addr(), one.rkey());
            one.close();
        }
    }

    @Test
    void importedDomainAcceptsFastRegisterAndAdvice() {
        startImporting();
        MemoryRegion key = c.opened(c.pd.allocMrKey(new MrKeyInitAttr().maxEntries(2)));
        c.post(Side.wr(WrOpcode.REG_MR, 1, c.sge(0, 100), c.sge(500, 100))
                .fastRegister(new FastRegister()
                        .mr(key)
                        .key(MemoryWindow.incRkey(key.rkey()))
                        .addr(4096)
                        .access(AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE)));
        c.next(1, WcStatus.SUCCESS);
        writtenByPeer(4196, key.rkey());
        a.assertPattern(500, 2, 0, 10);

        MemoryRegion paged = a.onDemand();
        MemoryRegion imported = c.opened(c.pd.importMr(paged.exportHandle()));
        c.pd.adviseMr(AdviseMrAdvice.PREFETCH, 0, ScatterGatherElement.of(imported, 0, 100));
    }

    @Test
    void importedDomainSendsDatagrams() {
        startImporting(QpType.UD, false);
        AddressHandle ah = c.opened(c.pd.createAh(c.path(b.gid())));
        SendWorkRequest wr = Side.wr(WrOpcode.SEND, 2, c.sge(0, 60))
                .ah(ah)
                .remoteQpn(b.qp.qpNum())
                .remoteQkey(Side.QKEY);
        b.recv(1, 0, 100);

        assertThat(c.qp.explain(wr)).isNull();
        c.post(wr);
        c.next(2, WcStatus.SUCCESS);
        b.next(1, WcStatus.SUCCESS);
        b.assertPattern(40, 1, 0, 60);
    }

    /** Sharing a context does not share all of its domains. */
    @Test
    void otherDomainsOfTheImporterCantUseTheKeys() {
        startImporting();
        ProtectionDomain other = c.opened(c.context.allocPd());
        MemoryRegion foreign = c.opened(other.regMr(ByteBuffer.allocateDirect(100), Side.ALL_ACCESS));

        c.post(c.to(Side.wr(WrOpcode.RDMA_WRITE, 1, ScatterGatherElement.of(foreign, 0, 5)), b, 0));
        c.next(1, WcStatus.LOC_PROT_ERR);
    }

    @Test
    void keysEndWhenTheOwnerDeregisters() {
        startImporting();
        MemoryRegion mr = a.pd.regMr(ByteBuffer.allocateDirect(100), Side.ALL_ACCESS);
        MemoryRegion imported = c.opened(c.pd.importMr(mr.exportHandle()));
        SendWorkRequest wr = c.to(Side.wr(WrOpcode.RDMA_WRITE, 1, ScatterGatherElement.of(imported, 0, 5)), b, 0);
        c.post(wr);
        c.next(1, WcStatus.SUCCESS);

        mr.close();
        c.post(wr);
        c.next(1, WcStatus.LOC_PROT_ERR);
    }

    @Test
    void unimportLeavesTheRegion() {
        startImporting();
        MemoryRegion once = c.pd.importMr(a.mr.exportHandle());

        once.close();
        c.post(c.to(Side.wr(WrOpcode.RDMA_WRITE, 1, c.sge(0, 500)), b, 0));
        c.next(1, WcStatus.SUCCESS);
        b.assertPattern(0, 1, 0, 500);
    }

    @Test
    void deviceMemoryIsShared() {
        startImporting();
        DeviceMemory dm = a.context.allocDm(new AllocDmAttr().length(256));
        DeviceMemory imported = c.context.importDm(dm.exportHandle(), 128);
        ByteBuffer bytes = ByteBuffer.allocateDirect(64);
        bytes.putLong(0, 0x1122_3344_5566_7788L);

        assertThat(imported.length()).isEqualTo(128);
        assertThat(imported.copyTo(64, bytes)).isZero();
        ByteBuffer read = ByteBuffer.allocateDirect(64);
        assertThat(dm.copyFrom(read, 64)).isZero();
        assertThat(read.getLong(0)).isEqualTo(bytes.getLong(0));
        assertThat(imported.copyTo(65, bytes))
                .as("copy past the requested length")
                .isEqualTo(Errno.EFAULT);
        assertThat(imported.copyFrom(read, 65)).isEqualTo(Errno.EFAULT);
        MemoryRegion mr = c.pd.regDmMr(imported, 0, 128, DM_ACCESS);
        b.post(Side.wr(WrOpcode.RDMA_WRITE, 1, b.sge(0, 32)).remoteAddr(8).rkey(mr.rkey()));
        b.next(1, WcStatus.SUCCESS);
        assertThat(dm.copyFrom(read, 8)).isZero();
        for (int i = 0; i < 32; i++) {
            assertThat(read.get(i)).isEqualTo(Side.pattern(2, i));
        }
        assertThat(ImportTest.errno(dm::close))
                .as("close while the importer's region uses it")
                .isEqualTo(Errno.EBUSY);
        assertThat(dm.copyFrom(read, 8)).as("copy after the refused close").isZero();
        mr.close();
        dm.close();
        assertThat(imported.copyTo(0, bytes))
                .as("copy after the owner freed it")
                .isEqualTo(Errno.EINVAL);
        assertThat(ImportTest.errno(() -> c.pd.regDmMr(imported, 0, 8, DM_ACCESS)))
                .isEqualTo(Errno.EINVAL);
        imported.close();
    }

    /** Even though the objects they refer to still exist. */
    @Test
    void closedHandlesAreRefused() {
        startImporting();
        MemoryRegion mr = c.pd.importMr(a.mr.exportHandle());
        MemoryWindow window = c.opened(c.pd.allocMw(MwType.TYPE_1));
        MemoryWindow second = c.opened(c.pd.allocMw(MwType.TYPE_2));
        MwBind bind = new MwBind().mr(mr).addr(mr.addr()).length(8).mwAccessFlags(AccessFlags.REMOTE_WRITE);
        SendWorkRequest request = Side.wr(WrOpcode.BIND_MW, 2)
                .mw(second)
                .mwRkey(MemoryWindow.incRkey(second.rkey()))
                .mwBind(bind);
        assertThat(c.qp.bindMw(window, bind)).isZero();
        mr.close();
        assertThat(c.qp.bindMw(window, bind)).isEqualTo(Errno.EINVAL);
        assertThat(c.qp.postSend(request)).isEqualTo(Errno.EINVAL);

        DeviceMemory dm = c.opened(c.context.allocDm(new AllocDmAttr().length(64)));
        DeviceMemory imported = c.context.importDm(dm.exportHandle(), 64);
        ByteBuffer bytes = ByteBuffer.allocateDirect(8);
        assertThat(imported.copyTo(0, bytes)).isZero();
        imported.close();
        assertThat(imported.copyTo(0, bytes)).isEqualTo(Errno.EINVAL);
        assertThat(imported.copyFrom(bytes, 0)).isEqualTo(Errno.EINVAL);
        assertThat(dm.copyTo(0, bytes)).isZero();
    }
}
