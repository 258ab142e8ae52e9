/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.DataInOrderCaps;
import io.verbs4j.DataInOrderFlags;
import io.verbs4j.DeviceAttr;
import io.verbs4j.DeviceAttrEx;
import io.verbs4j.DeviceCap;
import io.verbs4j.GidEntry;
import io.verbs4j.GidType;
import io.verbs4j.PciAtomicSizes;
import io.verbs4j.QpType;
import io.verbs4j.TmCapFlags;
import io.verbs4j.ValuesEx;
import io.verbs4j.ValuesMask;
import io.verbs4j.WrOpcode;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the device reports about itself at level 3. */
class QueriesTest extends TwoSides {
    private static final int LIMITED = 1 << QpType.RC | 1 << QpType.UC | 1 << QpType.UD;

    @Override
    boolean overTheWire() {
        return false;
    }

    @Test
    void deviceReportsEachField() {
        make(side -> {});
        DeviceAttrEx ex = a.context.queryDeviceEx();
        DeviceAttr base = a.context.queryDevice();
        assertThat(ex.compMask()).as("fields filled by the device").isEqualTo((1L << ex.size()) - 1);
        assertThat(ex.origAttr()).usingRecursiveComparison().isEqualTo(base);
        assertThat(ex.deviceCapFlagsEx()).isEqualTo(base.deviceCaps());
        assertThat(ex.deviceCapFlagsEx() >>> Integer.SIZE << Integer.SIZE)
                .isEqualTo(DeviceCap.BLOCK_LIST
                        | DeviceCap.FLUSH_GLOBAL
                        | DeviceCap.FLUSH_PERSISTENT
                        | DeviceCap.ATOMIC_WRITE);
        assertThat(ex.maxFastRegLen()).isEqualTo(512);
        assertThat(ex.maskedAtomicSizes()).isEqualTo(PciAtomicSizes.SIZE_4_BYTE | PciAtomicSizes.SIZE_8_BYTE);
        assertThat(ex.sendOpsDriver()).isZero();
        assertThat(ex.deviceTraits() | ex.internalPorts())
                .as("deviceTraits and internalPorts")
                .isZero();
        assertThat(ex.physPortCntEx()).isEqualTo(1);
        assertThat(ex.completionTimestampMask()).isEqualTo(-1);
        assertThat(ex.hcaCoreClock()).isEqualTo(156_250);
        assertThat(ex.cqModerationMaxCqCount()).isEqualTo(65_535);
        assertThat(ex.cqModerationMaxCqPeriod()).isEqualTo(65_535);
        assertThat(ex.packetPacingQpRateLimitMin()).isEqualTo(1);
        assertThat(ex.packetPacingQpRateLimitMax()).isEqualTo(100_000_000);
        assertThat(ex.packetPacingSupportedQpts()).isEqualTo(LIMITED);
        assertThat(ex.rssRxHashFieldsMask()).isZero();
        assertThat(ex.tsoMaxTso() | ex.rssSupportedQpts() | ex.maxWqTypeRq() | ex.rawPacketCaps())
                .isZero();
        assertThat(ex.tmFlags()).isEqualTo(TmCapFlags.RC);
        assertThat(ex.tmMaxNumTags()).isEqualTo(4096);
        assertThat(ex.tmMaxOps()).isEqualTo(65_536);
        assertThat(ex.tmMaxSge()).isEqualTo(4);
        assertThat(ex.tmMaxRndvHdrSize()).isEqualTo(256);
        assertThat(ex.pciAtomicFetchAdd() | ex.pciAtomicSwap() | ex.pciAtomicCompareSwap())
                .isZero();
    }

    @Test
    void clockRunsAtReportedRate() throws InterruptedException {
        make(side -> {});
        long khz = a.context.queryDeviceEx().hcaCoreClock();
        ValuesEx first = a.context.queryValues(ValuesMask.RAW_CLOCK | ValuesMask.HWCLOCK_NS);
        long before = System.nanoTime();
        Thread.sleep(100);
        long took = System.nanoTime() - before;
        ValuesEx second = a.context.queryValues(ValuesMask.RAW_CLOCK | ValuesMask.HWCLOCK_NS);
        double nanos = (second.rawClock() - first.rawClock()) * 1e6 / khz;
        assertThat(nanos).isBetween(took * 0.99, took * 1.5 + 1e8);
        assertThat((double) (second.hwclockNs() - first.hwclockNs())).isBetween(nanos - 20, nanos + 20);
        assertThat(a.context.queryValues(ValuesMask.HWCLOCK_NS).has(ValuesEx.RAW_CLOCK))
                .isFalse();
    }

    @Test
    void gidQueriesAgree() throws SocketException {
        make(side -> {});
        List<GidEntry> table = a.context.queryGidTable();
        assertThat(table).hasSize(a.context.queryPort(1).gidTblLen());
        for (int i = 0; i < table.size(); i++) {
            GidEntry one = a.context.queryGidEx(1, i);
            for (GidEntry entry : List.of(one, table.get(i))) {
                assertThat(entry.compMask()).isEqualTo(31);
                assertThat(entry.gid()).isEqualTo(a.context.queryGid(1, i));
                assertThat(entry.gidIndex()).isEqualTo(i);
                assertThat(entry.portNum()).isEqualTo(1);
                assertThat(entry.gidType()).isEqualTo(GidType.ROCE_V2);
                NetworkInterface nic = NetworkInterface.getByIndex(entry.ndevIfindex());
                assertThat(nic).isNotNull();
                if (i == 0) {
                    assertThat(nic.isLoopback()).isTrue();
                } else {
                    assertThat(NetworkInterface.getByInetAddress(entry.gid().toInetAddress())
                                    .getIndex())
                            .isEqualTo(nic.getIndex());
                }
            }
        }
    }

    /** The processor and the JVM's copy guarantee no order. */
    @Test
    void orderOfDataIsReported() {
        int caps = DataInOrderFlags.RETURN_CAPS;
        int device = DataInOrderFlags.DEVICE_ONLY;
        make(side -> {});
        assertThat(a.qp.queryDataInOrder(WrOpcode.RDMA_WRITE, 0)).isZero();
        assertThat(a.qp.queryDataInOrder(WrOpcode.RDMA_WRITE, caps)).isZero();
        assertThat(a.qp.queryDataInOrder(WrOpcode.RDMA_READ, device)).isEqualTo(1);
        assertThat(a.qp.queryDataInOrder(WrOpcode.SEND, caps | device))
                .isEqualTo(DataInOrderCaps.WHOLE_MSG | DataInOrderCaps.ALIGNED_128_BYTES);
        assertThat(a.qp.queryDataInOrder(99, caps | device)).isZero();
        closeBoth();
        make(side -> side.qpType = QpType.UD);
        assertThat(a.qp.queryDataInOrder(WrOpcode.SEND, device)).isEqualTo(1);
        assertThat(a.qp.queryDataInOrder(WrOpcode.RDMA_WRITE, device)).isZero();
    }
}
