/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.verbs;

import static io.verbs4j.core.Failures.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.doReturn;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoInteractions;
import static org.mockito.Mockito.when;

import io.verbs4j.AttrArray;
import io.verbs4j.CompletionChannel;
import io.verbs4j.CompletionQueue;
import io.verbs4j.ContextSlot;
import io.verbs4j.CqCreateFlags;
import io.verbs4j.CqInitAttrEx;
import io.verbs4j.CqInitAttrMask;
import io.verbs4j.DataInOrderCaps;
import io.verbs4j.DataInOrderFlags;
import io.verbs4j.DeviceAttr;
import io.verbs4j.DeviceAttrEx;
import io.verbs4j.Ece;
import io.verbs4j.Errno;
import io.verbs4j.Gid;
import io.verbs4j.GidEntry;
import io.verbs4j.GidType;
import io.verbs4j.LinkLayer;
import io.verbs4j.ModifyCqAttr;
import io.verbs4j.PortAttr;
import io.verbs4j.QpRateLimitAttr;
import io.verbs4j.QpState;
import io.verbs4j.QueryDeviceExInput;
import io.verbs4j.QueuePair;
import io.verbs4j.ValuesEx;
import io.verbs4j.ValuesMask;
import io.verbs4j.WcExFlags;
import io.verbs4j.WrOpcode;
import io.verbs4j.core.Fakes;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** The library's part of level 3, over a provider that has it, lacks some of it, or does not keep its word. */
class CompletionVerbsTest {
    private static final int CAPS = DataInOrderFlags.RETURN_CAPS;

    private final CompletionRig rig = new CompletionRig();

    // ---- create_cq_ex

    @Test
    void extendedQueueKeepsItsChannelAndFlags() {
        when(rig.ops.createCompChannel()).thenAnswer(i -> new Fakes.FakeChannel(rig.context));
        CompletionChannel channel = rig.context.createCompChannel();
        CqInitAttrEx attr = new CqInitAttrEx()
                .cqe(7)
                .userContext("mine")
                .channel(channel)
                .wcFlags(WcExFlags.STANDARD | WcExFlags.COMPLETION_TIMESTAMP)
                .flags(CqCreateFlags.IGNORE_OVERRUN);

        CompletionQueue cq = rig.context.createCqEx(attr);

        verify(rig.createCqEx).createCqEx(attr);
        assertThat(cq.wcFlags()).isEqualTo(0xff);
        assertThat(cq.userContext()).isEqualTo("mine");
        assertFails(Errno.EBUSY, channel::close, "destroy_comp_channel");
        cq.close();
        channel.close();
        verify(rig.ops).destroyCq(cq);
    }

    @Test
    void attributesForTheProviderReachIt() {
        CqInitAttrEx attr = new CqInitAttrEx().cqe(1).wcFlags(1L << 50).flags(1 << 30);
        attr.masks(attr.compMask() | 1L << 17, 0);
        rig.context.createCqEx(attr);
        verify(rig.createCqEx).createCqEx(attr);
    }

    @Test
    void libraryRefusesUnknownBitsOfItsRange() {
        CqInitAttrEx later = new CqInitAttrEx().cqe(1);
        later.masks(1L << 40, 0);
        assertFails(
                Errno.EOPNOTSUPP,
                () -> rig.context.createCqEx(later),
                "create_cq_ex",
                "0x10000000000",
                "level 4",
                "FLAGS");
        assertFails(Errno.EINVAL, () -> rig.context.createCqEx(null), "create_cq_ex", "attr is null");
        assertFails(Errno.EINVAL, () -> rig.context.createCqEx(new CqInitAttrEx()), "create_cq_ex", "cqe is 0");
        assertFails(
                Errno.EINVAL,
                () -> rig.context.createCqEx(new CqInitAttrEx().cqe(1).compVector(1)),
                "create_cq_ex",
                "compVector is 1");
        CqInitAttrEx empty = new CqInitAttrEx().cqe(1);
        empty.masks(CqInitAttrMask.VENDOR, 0);
        assertFails(Errno.EINVAL, () -> rig.context.createCqEx(empty), "create_cq_ex", "vendor is null");
        verifyNoInteractions(rig.createCqEx);
    }

    @Test
    void queueWithOtherFlagsThanRequestedIsBroken() {
        doAnswer(i -> new Fakes.FakeCq(rig.context, 4, null, null))
                .when(rig.createCqEx)
                .createCqEx(any());
        CqInitAttrEx attr = new CqInitAttrEx().cqe(4).wcFlags(WcExFlags.IMM);
        assertFails(Errno.EIO, () -> rig.context.createCqEx(attr), "create_cq_ex", "wcFlags");
    }

    @Test
    void oldVerbCreatesPlainQueues() {
        CompletionRig old = new CompletionRig(ContextSlot.CREATE_CQ_EX);

        CompletionQueue cq = old.context.createCqEx(
                new CqInitAttrEx().cqe(9).userContext(this).wcFlags(WcExFlags.STANDARD));

        verify(old.ops).createCq(9, this, null, 0);
        assertThat(cq.wcFlags()).isZero();
        assertThat(cq.startPoll(null)).isEqualTo(Errno.EOPNOTSUPP);
        for (CqInitAttrEx more : List.of(
                new CqInitAttrEx().cqe(9).wcFlags(WcExFlags.COMPLETION_TIMESTAMP),
                new CqInitAttrEx().cqe(9).flags(0))) {
            assertFails(
                    Errno.EOPNOTSUPP,
                    () -> old.context.createCqEx(more),
                    "the device can't: create_cq_ex came with level 3",
                    "provider 'ext' of level 4");
        }
        assertFails(Errno.EOPNOTSUPP, () -> old.context.createCqEx(null), "create_cq_ex");
    }

    // ---- modify_cq

    @Test
    void moderationReachesProviderWithinItsRange() {
        CompletionQueue cq = rig.cq();
        ModifyCqAttr attr = new ModifyCqAttr().cqCount(0xffff).cqPeriod(0);
        cq.modify(attr);
        verify(rig.modifyCq).modifyCq(cq, attr);
        assertFails(Errno.EINVAL, () -> cq.modify(new ModifyCqAttr()), "modify_cq", "the mask is 0");
        assertFails(Errno.EINVAL, () -> cq.modify(null), "modify_cq", "attr is null");
        assertFails(Errno.EINVAL, () -> cq.modify(new ModifyCqAttr().cqCount(1 << 16)), "cqCount is 65536");
        assertFails(Errno.EINVAL, () -> cq.modify(new ModifyCqAttr().cqPeriod(-1)), "cqPeriod is -1");
        cq.close();
        assertFails(Errno.EINVAL, () -> cq.modify(attr), "modify_cq");
        CompletionRig without = new CompletionRig(ContextSlot.MODIFY_CQ);
        CompletionQueue other = without.cq();
        assertFails(Errno.EOPNOTSUPP, () -> other.modify(attr), "the device can't: modify_cq came with level 3");
    }

    // ---- query_values

    private void clock(ValuesEx values, long wanted, Long ticks, Long nanos) {
        if (ticks != null && (wanted & ValuesMask.RAW_CLOCK) != 0) {
            values.offer(ValuesEx.RAW_CLOCK, ticks);
        }
        if (nanos != null && (wanted & ValuesMask.HWCLOCK_NS) != 0) {
            values.offer(ValuesEx.HWCLOCK_NS, nanos);
        }
    }

    private ValuesEx read(Long ticks, Long nanos, long wanted) {
        doAnswer(i -> {
                    clock(i.getArgument(1), i.getArgument(0), ticks, nanos);
                    return null;
                })
                .when(rig.queryValues)
                .queryValues(anyLong(), any());
        return rig.context.queryValues(wanted);
    }

    @Test
    void ticksAreConvertedIfProviderHasNoTime() {
        rig.clockRate = 156_250; // a tick is 6.4 ns
        ValuesEx both = read(1_000_000_007L, null, ValuesMask.RAW_CLOCK | ValuesMask.HWCLOCK_NS);
        assertThat(both.rawClock()).isEqualTo(1_000_000_007L);
        assertThat(both.hwclockNs()).isEqualTo(6_400_000_044L);
        ValuesEx time = read(1_000_000_007L, null, ValuesMask.HWCLOCK_NS);
        assertThat(time.compMask()).as("values that were not requested").isEqualTo(ValuesMask.HWCLOCK_NS);
        assertThat(time.hwclockNs()).isEqualTo(6_400_000_044L);
    }

    /**
     * A value of a later level is the provider's and the program's alone: the provider gets the program's own object.
     */
    @Test
    void valuesOfLaterLevelsReachProvider() {
        AtomicReference<ValuesEx> given = new AtomicReference<>();
        doAnswer(i -> {
                    assertThat(i.<Long>getArgument(0)).isEqualTo(1L << 40 | ValuesMask.RAW_CLOCK);
                    given.set(i.getArgument(1));
                    return given.get().offer(ValuesEx.RAW_CLOCK, 5L);
                })
                .when(rig.queryValues)
                .queryValues(anyLong(), any());
        ValuesEx values = rig.context.queryValues(1L << 40 | ValuesMask.RAW_CLOCK);
        assertThat(values).isSameAs(given.get());
        assertThat(values.rawClock()).isEqualTo(5);
    }

    /** No program meets the exception of a cast. */
    @Test
    void fieldOfWrongTypeIsProvidersDefect() {
        doAnswer(i -> i.<DeviceAttrEx>getArgument(1).offer(DeviceAttrEx.HCA_CORE_CLOCK, 1_000_000))
                .when(rig.queryDeviceEx)
                .queryDeviceEx(any(), any());
        String[] words = {"provider 'ext' failed with", "field 6 of DeviceAttrEx takes Long, not Integer", "a bug in"};
        assertFails(Errno.EIO, () -> rig.context.queryDeviceEx(), words);
        assertFails(Errno.EIO, () -> read(1000L, null, ValuesMask.HWCLOCK_NS), words);
        doAnswer(i -> i.<ValuesEx>getArgument(1).offer(ValuesEx.RAW_CLOCK, 1000))
                .when(rig.queryValues)
                .queryValues(anyLong(), any());
        assertFails(
                Errno.EIO,
                () -> rig.context.queryValues(ValuesMask.RAW_CLOCK),
                "field 0 of ValuesEx takes Long, not Integer");
        doAnswer(i -> i.<GidEntry>getArgument(3).offer(GidEntry.GID, "fe80::1"))
                .when(rig.queryGidEx)
                .queryGidEx(anyInt(), anyInt(), anyInt(), any());
        assertFails(Errno.EIO, () -> rig.context.queryGidEx(1, 0), "field 0 of GidEntry takes Gid, not String");
    }

    @Test
    void providersOwnTimeIsPreferred() {
        rig.clockRate = 156_250;
        assertThat(read(1000L, 77L, ValuesMask.HWCLOCK_NS).hwclockNs()).isEqualTo(77);
        verify(rig.queryDeviceEx, never()).queryDeviceEx(any(), any());
    }

    @Test
    void unknownValuesAreMissingInMaskOrRefused() {
        ValuesEx values = read(5L, null, ValuesMask.RAW_CLOCK | ValuesMask.HWCLOCK_NS | 1L << 40);
        assertThat(values.has(ValuesEx.RAW_CLOCK)).isTrue();
        assertThat(values.has(ValuesEx.HWCLOCK_NS)).as("a clock without a rate").isFalse();
        assertFails(
                Errno.EOPNOTSUPP,
                () -> read(null, null, ValuesMask.RAW_CLOCK),
                "query_values",
                "has none of RAW_CLOCK");
        assertFails(Errno.EINVAL, () -> rig.context.queryValues(0), "query_values", "wanted is 0");
        CompletionRig without = new CompletionRig(ContextSlot.QUERY_VALUES);
        assertFails(
                Errno.EOPNOTSUPP,
                () -> without.context.queryValues(1),
                "the device can't: query_values came with level 3");
    }

    // ---- query_device_ex

    @Test
    void extendedQueryReachesDevice() {
        rig.clockRate = 5;
        DeviceAttrEx attr = rig.context.queryDeviceEx();
        assertThat(attr.origAttr().physPortCnt()).isEqualTo(2);
        assertThat(attr.hcaCoreClock()).isEqualTo(5);
        assertThat(attr.physPortCntEx()).as("from the attributes of level 1").isEqualTo(2);
        assertThat(attr.deviceCapFlagsEx()).isEqualTo(1L << 40 | 1);
        assertThat(attr.has(DeviceAttrEx.MAX_DM_SIZE)).isFalse();
        assertThat(attr.maxDmSize()).isZero();
        assertFails(Errno.EINVAL, () -> rig.context.queryDeviceEx(null), "query_device_ex", "input is null");
        QueryDeviceExInput input = new QueryDeviceExInput();
        input.masks(1L << 40, 0);
        assertFails(Errno.EOPNOTSUPP, () -> rig.context.queryDeviceEx(input), "query_device_ex", "0x10000000000");
        doAnswer(i -> null).when(rig.queryDeviceEx).queryDeviceEx(any(), any());
        assertFails(Errno.EIO, rig.context::queryDeviceEx, "query_device_ex", "level 1");
    }

    @Test
    void oldQueryServesExtendedOne() {
        CompletionRig old = new CompletionRig(ContextSlot.QUERY_DEVICE_EX);
        doAnswer(i -> i.<DeviceAttr>getArgument(0)
                        .deviceCaps(1L << 40 | 1)
                        .physPortCnt(3)
                        .maxQp(9))
                .when(old.ops)
                .queryDevice(any());
        DeviceAttrEx attr = old.context.queryDeviceEx();
        assertThat(attr.origAttr().maxQp()).isEqualTo(9);
        assertThat(attr.deviceCapFlagsEx()).isEqualTo(1L << 40 | 1);
        assertThat(attr.physPortCntEx()).isEqualTo(3);
        assertThat(attr.has(DeviceAttrEx.HCA_CORE_CLOCK)).isFalse();
        QueryDeviceExInput input = new QueryDeviceExInput();
        input.masks(1, 0);
        assertFails(Errno.EOPNOTSUPP, () -> old.context.queryDeviceEx(input), "query_device_ex");
    }

    // ---- GIDs

    @Test
    void gidIsReadWithItsType() {
        doAnswer(i -> {
                    GidEntry entry = i.getArgument(3);
                    entry.offer(GidEntry.GID, Gid.of(1, 2));
                    return entry.offer(GidEntry.GID_TYPE, GidType.ROCE_V1);
                })
                .when(rig.queryGidEx)
                .queryGidEx(anyInt(), anyInt(), anyInt(), any());
        GidEntry entry = rig.context.queryGidEx(2, 3);
        verify(rig.queryGidEx).queryGidEx(2, 3, 0, entry);
        assertThat(entry.gidType()).isEqualTo(GidType.ROCE_V1);
        assertFails(Errno.EINVAL, () -> rig.context.queryGidEx(0, 3), "query_gid_ex", "portNum is 0");
        assertFails(Errno.EINVAL, () -> rig.context.queryGidEx(1, -1), "query_gid_ex", "gidIndex is -1");
        doAnswer(i -> null).when(rig.queryGidEx).queryGidEx(anyInt(), anyInt(), anyInt(), any());
        assertFails(Errno.EIO, () -> rig.context.queryGidEx(1, 0), "query_gid_ex", "did not fill in the GID");
    }

    private static void ports(CompletionRig of, int linkLayer, int... lengths) {
        doAnswer(i -> i.<PortAttr>getArgument(1).linkLayer(linkLayer).gidTblLen(lengths[i.<Integer>getArgument(0) - 1]))
                .when(of.ops)
                .queryPort(anyInt(), any());
    }

    @Test
    void gidTableHasEntriesOfAllPorts() {
        ports(rig, LinkLayer.ETHERNET, 2, 5);
        when(rig.queryGidTable.queryGidTable(anyInt(), any())).thenAnswer(i -> {
            AttrArray entries = i.getArgument(1);
            assertThat(entries.length()).isEqualTo(7);
            for (int word = 0; word < 8; word++) {
                entries.offer(1, word, 10 + word);
            }
            return 2;
        });
        List<GidEntry> table = rig.context.queryGidTable();
        assertThat(table).hasSize(2);
        assertThat(table.get(1).gid()).isEqualTo(Gid.of(10, 11));
        assertThat(table.get(1).gidIndex()).isEqualTo(12);
        assertThat(table.get(1).portNum()).isEqualTo(13);
        assertThat(table.get(1).gidType()).isEqualTo(14);
        assertThat(table.get(1).ndevIfindex()).isEqualTo(15);
        doReturn(8).when(rig.queryGidTable).queryGidTable(anyInt(), any());
        assertFails(Errno.EIO, rig.context::queryGidTable, "query_gid_table", "8 of 7");
    }

    @Test
    void oldQueryServesGidsAndTheirTable() {
        CompletionRig old =
                new CompletionRig(ContextSlot.QUERY_GID_EX, ContextSlot.QUERY_GID_TABLE, ContextSlot.QUERY_DEVICE_EX);
        doAnswer(i -> i.<DeviceAttr>getArgument(0).physPortCnt(2)).when(old.ops).queryDevice(any());
        ports(old, LinkLayer.ETHERNET, 2, 1);
        Gid v4 = Gid.of(0, 0xffff_0a00_0001L);
        Gid v6 = Gid.of(0xfe80L << 48, 1);
        when(old.ops.queryGid(1, 0)).thenReturn(v4);
        when(old.ops.queryGid(1, 1)).thenReturn(Gid.ZERO);
        when(old.ops.queryGid(2, 0)).thenReturn(v6);
        List<GidEntry> table = old.context.queryGidTable();
        assertThat(table).extracting(GidEntry::gid).containsExactly(v4, v6);
        assertThat(table).extracting(GidEntry::portNum).containsExactly(1, 2);
        assertThat(table.get(0).gidType()).isEqualTo(GidType.ROCE_V2);
        assertThat(table.get(1).has(GidEntry.GID_TYPE))
                .as("an IPv6 address may be of either")
                .isFalse();
        assertFails(Errno.ENODATA, () -> old.context.queryGidEx(1, 1), "query_gid_ex", "entry 1 of port 1 is empty");
        ports(old, LinkLayer.INFINIBAND, 2, 1);
        assertThat(old.context.queryGidEx(2, 0).gidType()).isEqualTo(GidType.IB);
        assertThat(old.context.queryGidEx(2, 0).has(GidEntry.GID_TYPE)).isTrue();
    }

    // ---- queue pairs

    @Test
    void dataOrderIsReturnedInRequestedForm() {
        QueuePair qp = rig.qp();
        int deviceOnly = DataInOrderFlags.DEVICE_ONLY;
        doReturn(DataInOrderCaps.WHOLE_MSG).when(rig.dataInOrder).queryQpDataInOrder(any(), anyInt(), anyInt());
        assertThat(qp.queryDataInOrder(WrOpcode.RDMA_WRITE, deviceOnly)).isEqualTo(1);
        verify(rig.dataInOrder).queryQpDataInOrder(qp, WrOpcode.RDMA_WRITE, deviceOnly);
        assertThat(qp.queryDataInOrder(WrOpcode.RDMA_WRITE, CAPS)).isEqualTo(3);
        doReturn(DataInOrderCaps.ALIGNED_128_BYTES).when(rig.dataInOrder).queryQpDataInOrder(any(), anyInt(), anyInt());
        assertThat(qp.queryDataInOrder(WrOpcode.SEND, 0)).isZero();
        assertThat(qp.queryDataInOrder(WrOpcode.SEND, CAPS)).isEqualTo(2);
        QueuePair old = new CompletionRig(ContextSlot.QUERY_QP_DATA_IN_ORDER).qp();
        assertThat(old.queryDataInOrder(WrOpcode.SEND, CAPS)).isZero();
        qp.close();
        assertFails(Errno.EINVAL, () -> qp.queryDataInOrder(WrOpcode.SEND, 0), "query_qp_data_in_order");
    }

    @Test
    void rateIsLimitedInRts() {
        QueuePair qp = rig.qp();
        QpRateLimitAttr attr =
                new QpRateLimitAttr().rateLimit(100).maxBurstSz(4).typicalPktSz(0xffff);
        qp.modifyRateLimit(attr);
        verify(rig.rateLimit).modifyQpRateLimit(qp, attr);
        qp.modifyRateLimit(new QpRateLimitAttr());
        QpRateLimitAttr fast = new QpRateLimitAttr().rateLimit(3_000_000_000L).maxBurstSz(0xffff_ffffL);
        qp.modifyRateLimit(fast); // 3 Tb/s
        verify(rig.rateLimit).modifyQpRateLimit(qp, fast);
        assertThat(fast.rateLimit()).isEqualTo(3_000_000_000L);
        assertFails(Errno.EINVAL, () -> qp.modifyRateLimit(null), "modify_qp_rate_limit", "attr is null");
        for (QpRateLimitAttr wrong : List.of(
                new QpRateLimitAttr().maxBurstSz(1),
                new QpRateLimitAttr().typicalPktSz(1),
                new QpRateLimitAttr().rateLimit(-1),
                new QpRateLimitAttr().rateLimit(1).maxBurstSz(-1),
                new QpRateLimitAttr().rateLimit(1).typicalPktSz(1 << 16))) {
            assertFails(Errno.EINVAL, () -> qp.modifyRateLimit(wrong), "modify_qp_rate_limit");
        }
        rig.state = QpState.SQD;
        assertFails(Errno.EINVAL, () -> qp.modifyRateLimit(attr), "modify_qp_rate_limit", "in state SQD", "RTS");
        QueuePair old = new CompletionRig(ContextSlot.MODIFY_QP_RATE_LIMIT).qp();
        assertFails(Errno.EOPNOTSUPP, () -> old.modifyRateLimit(attr), "modify_qp_rate_limit came with level 3");
    }

    @Test
    void connectionOptionsAreSetBeforeConnecting() {
        Ece ece = new Ece().vendorId(0x15b3).options(7);
        rig.state = QpState.RESET;
        QueuePair qp = rig.qp();

        qp.setEce(ece);
        verify(rig.setEce).setEce(qp, ece);
        rig.state = QpState.INIT;
        qp.setEce(ece);
        verify(rig.setEce, times(2)).setEce(qp, ece);
        for (int late = QpState.RTR; late <= QpState.ERR; late++) {
            rig.state = late;
            assertFails(
                    Errno.EINVAL,
                    () -> qp.setEce(ece),
                    "set_ece",
                    "in state " + QpState.toString(late),
                    "RESET and INIT");
        }
        verify(rig.setEce, times(2)).setEce(any(), any());
        rig.state = QpState.INIT;
        assertFails(Errno.EINVAL, () -> qp.setEce(null), "set_ece", "ece is null");
        assertFails(Errno.EOPNOTSUPP, () -> qp.setEce(new Ece().options(1)), "set_ece", "vendorId is 0");
        Ece unknown = new Ece().vendorId(1);
        unknown.masks(1L << 40, 0);
        assertFails(Errno.EOPNOTSUPP, () -> qp.setEce(unknown), "set_ece", "0x10000000000");
        Ece vendors = new Ece().vendorId(1);
        vendors.masks(1, 0);
        qp.setEce(vendors);
        verify(rig.setEce).setEce(qp, vendors);
        qp.close();
        assertFails(Errno.EINVAL, () -> qp.setEce(ece), "set_ece", "closed");
        QueuePair without = new CompletionRig(ContextSlot.SET_ECE).qp();
        assertFails(Errno.EOPNOTSUPP, () -> without.setEce(ece), "set_ece came with level 4");
    }

    @Test
    void connectionOptionsComeFromProvider() {
        QueuePair qp = rig.qp();
        Ece ece = new Ece().vendorId(0x15b3).options(7);
        when(rig.queryEce.queryEce(qp)).thenReturn(ece, (Ece) null);

        assertThat(qp.queryEce()).isSameAs(ece);
        assertFails(Errno.EIO, qp::queryEce, "query_ece", "returned null");
        qp.close();
        assertFails(Errno.EINVAL, qp::queryEce, "query_ece", "closed");
        QueuePair without = new CompletionRig(ContextSlot.QUERY_ECE).qp();
        assertFails(Errno.EOPNOTSUPP, without::queryEce, "query_ece came with level 4");
    }
}
