/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package app;

import io.verbs4j.AccessFlags;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.ContextAttr;
import io.verbs4j.ContextSlot;
import io.verbs4j.ContextTable;
import io.verbs4j.CqCreateFlags;
import io.verbs4j.CqInitAttrEx;
import io.verbs4j.DataInOrderCaps;
import io.verbs4j.DataInOrderFlags;
import io.verbs4j.DeviceAttr;
import io.verbs4j.DeviceAttrEx;
import io.verbs4j.Errno;
import io.verbs4j.Gid;
import io.verbs4j.GidEntry;
import io.verbs4j.GidType;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ModifyCqAttr;
import io.verbs4j.OdpGeneralCaps;
import io.verbs4j.OdpTransportCaps;
import io.verbs4j.PciAtomicSizes;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpRateLimitAttr;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RawPacketCaps;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendBuilder;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.ValuesEx;
import io.verbs4j.ValuesMask;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsLevel;
import io.verbs4j.WcExFlags;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.spi.VerbsProvider;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Every attribute of the first verbs of level 3, there and back. */
class WitnessedCompletions extends WitnessedXrc {
    private static final int FIRST = ContextSlot.CREATE_CQ_EX;
    private static final int SLOTS = 14;
    private static final long TIMES = WcExFlags.COMPLETION_TIMESTAMP | WcExFlags.COMPLETION_TIMESTAMP_WALLCLOCK;
    private static final long NAMED = 1L << 62; // of the device's capabilities, the one above 31 that it has

    WitnessedCompletions(Context context) {
        super(context);
    }

    @Override
    void steps() {
        super.steps();
        boolean there = context.queryContext().hasVerb(ContextSlot.CREATE_CQ_EX);
        step("slots_of_3", () -> slots(there));
        step("create_cq_ex_given", () -> createCqExGiven(there));
        step("query_device_ex_given", () -> queryDeviceExGiven(there));
        step("query_gid_ex_given", () -> gids(there));
        step("poll_cq_sized", () -> pollSized(there));
        step("builder_flags", this::builderFlags);
        if (there) {
            step("create_cq_ex", this::createCqEx);
            step("start_poll", this::startPoll);
            step("query_values", this::queryValues);
            step("query_device_ex", this::queryDeviceEx);
            step("query_data_in_order", this::dataInOrder);
            step("changes", this::changes);
        }
    }

    /** Which level each verb came with, who has it, and what stands in for it. */
    private void slots(boolean there) {
        ContextAttr attr = context.queryContext();
        boolean library = attr.libraryLevel() >= 3;
        List<Integer> standIns = List.of(2, 4, 6, 8, 10, 11, 12);
        for (int slot = 0; slot < SLOTS; slot++) {
            equal(slot < FIRST ? 2 : 3, ContextSlot.level(slot));
            equal(standIns.contains(slot), ContextSlot.hasFallback(slot));
            if (slot >= FIRST) {
                equal(library ? 3L : 0L, attr.slots().get(slot, ContextAttr.SLOT_LEVEL));
                equal(there, attr.hasVerb(slot));
                equal(there || standIns.contains(slot), attr.canCall(slot));
            }
        }
        ContextTable shown = asked(ContextTable.class);
        if (shown != null) {
            // Who takes part, by their own words and not by the library's of them.
            equal(List.of(attr.tableSize(), VerbsLevel.CURRENT), List.of(shown.size(), attr.callerLevel()));
            equal(asked(VerbsProvider.class).level(), attr.providerLevel());
        }
    }

    /** By whichever verb: what level 1 has words for arrives. */
    private void createCqExGiven(boolean there) {
        CqInitAttrEx attr = new CqInitAttrEx().cqe(9).userContext("of the queue").compVector(3);
        try (CompletionQueue cq = context.createCqEx(attr.wcFlags(WcExFlags.STANDARD))) {
            equal(List.of(10, "of the queue"), List.of(cq.cqe(), cq.userContext()));
            equal(there ? WcExFlags.STANDARD : 0L, cq.wcFlags());
        }
        context.createCqEx(attr.vendor(VENDOR)).close();
        equal(VENDOR, last().get("vendor"));
        refused(Errno.EINVAL, "compVector", () -> context.createCqEx(new CqInitAttrEx().cqe(9).compVector(7)));
        refused(Errno.EINVAL, "cqe", () -> context.createCqEx(new CqInitAttrEx()));
    }

    final Map<?, ?> last() {
        List<?> seen = asked(List.class);
        return (Map<?, ?>) seen.get(seen.size() - 1);
    }

    private void createCqEx() {
        CqInitAttrEx attr = new CqInitAttrEx().cqe(9).userContext("of the queue").compVector(3).vendor(VENDOR);
        attr.wcFlags(WcExFlags.STANDARD | TIMES).flags(CqCreateFlags.SINGLE_THREADED | CqCreateFlags.IGNORE_OVERRUN);
        arrives(attr, () -> context.createCqEx(attr)).close();
        equal(WcExFlags.STANDARD | TIMES, attr.wcFlags());
    }

    /** A queue pair that writes to memory of its own; the action has its completions. */
    private void completed(long wcFlags, int count, java.util.function.Consumer<CompletionQueue> action) {
        CompletionQueue cq = context.createCqEx(new CqInitAttrEx().cqe(20).wcFlags(wcFlags));
        QpInitAttr attr = new QpInitAttr().qpType(QpType.RC).sendCq(cq).recvCq(cq).cap(asked());
        QueuePair qp = pd.createQp(attr);
        MemoryRegion mr = pd.regMr(ByteBuffer.allocateDirect(8), AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE);
        modify(qp);
        for (int i = 0; i < count; i++) {
            SendWorkRequest request = new SendWorkRequest().wrId(100 + i).opcode(WrOpcode.RDMA_WRITE);
            request.sendFlags(SendFlags.SIGNALED).sgList(ScatterGatherElement.of(mr));
            equal(0, qp.postSend(request.remoteAddr(mr.addr()).rkey(mr.rkey())));
        }
        action.accept(cq);
        mr.close();
        qp.close();
        cq.close();
    }

    /** Each flag of a request arrives, also those that nobody knows yet; inline is not a flag of the builder's. */
    private void builderFlags() {
        QueuePair qp = pd.createQp(
                new QpInitAttr().qpType(QpType.RC).sendCq(sends).recvCq(receives).cap(asked()));
        MemoryRegion mr = pd.regMr(ByteBuffer.allocateDirect(8), AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE);
        modify(qp);
        for (int flag = 1; flag != 0; flag <<= 1) {
            if (flag != SendFlags.INLINE) {
                SendBuilder builder = qp.builder();
                builder.start();
                builder.write(1, flag, mr.rkey(), mr.addr()).sge(mr.lkey(), mr.addr(), 8);
                equal(0, builder.complete());
                equal(flag, asked(Integer.class));
            }
        }
        mr.close();
        qp.close();
    }

    /** A completion tells what both its reader and the device know; what was there before is gone. */
    private void pollSized(boolean there) {
        completed(there ? WcExFlags.STANDARD | TIMES : WcExFlags.STANDARD, 5, cq -> {
            int id = 100;
            for (int size : new int[] {0, 1, WorkCompletion.SIZE}) {
                WorkCompletion[] wc = {new WorkCompletion().completionTs(1).completionWallclockNs(2)};
                equal(3L, wc[0].compMask());
                equal(1, cq.poll(1, wc, size));
                long mask = there ? (1L << Math.min(size, WorkCompletion.COMPLETION_WALLCLOCK_NS + 1)) - 1 : 0;
                equal(List.of(mask, (long) id++), List.of(wc[0].compMask(), wc[0].wrId()));
                equal((mask & 1) != 0, wc[0].completionTs() != 0);
                equal((mask & 2) != 0, wc[0].completionWallclockNs() > 1_600_000_000_000_000_000L);
            }
            equal(-Errno.EINVAL, cq.poll(1, new WorkCompletion[1], -1));
        });
        completed(WcExFlags.STANDARD, 1, cq -> {
            WorkCompletion[] wc = {new WorkCompletion().completionTs(1)};
            equal(1, cq.poll(1, wc, WorkCompletion.SIZE));
            equal(0L, wc[0].compMask());
            equal(there ? 2 : 95, cq.startPoll(null));
        });
    }

    private void startPoll() {
        completed(WcExFlags.BYTE_LEN | WcExFlags.COMPLETION_TIMESTAMP, 2, cq -> {
            equal(0, cq.startPoll(null));
            equal(100L, cq.wrId());
            long first = cq.readCompletionTs();
            equal(0, cq.nextPoll());
            equal(101L, cq.wrId());
            equal(true, cq.readCompletionTs() > first);
            refused(Errno.EINVAL, "", cq::readQpNum);
            refused(Errno.EOPNOTSUPP, "", cq::readSlid); // the witness has not heard of it
            equal(Errno.ENOENT, cq.nextPoll());
            equal(0, cq.endPoll());
        });
    }

    private void queryValues() {
        ValuesEx values = context.queryValues(ValuesMask.HWCLOCK_NS | ValuesMask.RAW_CLOCK);
        equal("3", last().get("wanted"));
        long ticks = values.rawClock();
        equal(3L, values.compMask());
        equal(ticks / 156_250 * 1_000_000 + ticks % 156_250 * 1_000_000 / 156_250, values.hwclockNs());
        equal(1L, context.queryValues(ValuesMask.RAW_CLOCK).compMask());
        equal(2L, context.queryValues(ValuesMask.HWCLOCK_NS).compMask());
        equal(1, Integer.parseInt((String) last().get("wanted")) & 1); // the library works it out
        refused(Errno.EINVAL, "wanted is 0", () -> context.queryValues(0));
        refused(Errno.EOPNOTSUPP, "has none of", () -> context.queryValues(1L << 17));
    }

    private void queryDeviceExGiven(boolean there) {
        DeviceAttrEx attr = context.queryDeviceEx();
        DeviceAttr base = Mirror.fill(new DeviceAttr(), 100).physPortCnt(1);
        same(base, attr.origAttr());
        equal(base.deviceCaps() | (there ? NAMED : 0), attr.deviceCapFlagsEx());
        equal(1, attr.physPortCntEx());
        equal(there, attr.has(DeviceAttrEx.COMPLETION_TIMESTAMP_MASK));
        equal(there ? (1L << 41) - 1 : 0L, attr.completionTimestampMask());
        equal(there ? 156_250L : 0L, attr.hcaCoreClock());
    }

    /** Each field has a value of its own, by its index. */
    private void queryDeviceEx() {
        DeviceAttrEx attr = context.queryDeviceEx();
        List<Number> found = List.of(
                attr.odpGeneralCaps(),
                attr.odpRcCaps(),
                attr.odpUcCaps(),
                attr.odpUdCaps(),
                attr.tsoMaxTso(),
                attr.tsoSupportedQpts(),
                attr.rssSupportedQpts(),
                attr.rssMaxRwqIndirectionTables(),
                attr.rssMaxRwqIndirectionTableSize(),
                attr.rssRxHashFieldsMask(),
                attr.rssRxHashFunction(),
                attr.maxWqTypeRq(),
                attr.packetPacingQpRateLimitMin(),
                attr.packetPacingQpRateLimitMax(),
                attr.packetPacingSupportedQpts(),
                attr.rawPacketCaps(),
                attr.tmMaxRndvHdrSize(),
                attr.tmMaxNumTags(),
                attr.tmFlags(),
                attr.tmMaxOps(),
                attr.tmMaxSge(),
                attr.cqModerationMaxCqCount(),
                attr.cqModerationMaxCqPeriod(),
                attr.maxDmSize(),
                attr.pciAtomicFetchAdd(),
                attr.pciAtomicSwap(),
                attr.pciAtomicCompareSwap(),
                attr.xrcOdpCaps());
        List<Number> expected = new ArrayList<>();
        for (int field = 1; field < DeviceAttrEx.PHYS_PORT_CNT_EX; field++) {
            long value = 1000 + field;
            if (field == 1 || field == 13 || field == 16 || field == 17 || field == 27) {
                expected.add(value << 32 | value);
            } else if (field < 5 || field > 7) { // the clock, and the capabilities
                expected.add((int) value);
            }
        }
        equal(expected, found);
        equal((1L << DeviceAttrEx.INTERNAL_PORTS + 1) - 1, attr.compMask());
        equal(0L, attr.odpGeneralCaps() & OdpGeneralCaps.SUPPORT_IMPLICIT & ~attr.odpGeneralCaps());
        equal(1002 & OdpTransportCaps.RECV, attr.odpRcCaps() & OdpTransportCaps.RECV);
        equal(1019 & RawPacketCaps.IP_CSUM, attr.rawPacketCaps() & RawPacketCaps.IP_CSUM);
        equal(1028 & PciAtomicSizes.SIZE_16_BYTE, attr.pciAtomicFetchAdd() & PciAtomicSizes.SIZE_16_BYTE);
    }

    private void gids(boolean there) {
        List<GidEntry> table = context.queryGidTable();
        equal(there ? 8 : 9, table.size());
        for (int index = 0; index < 9; index++) {
            if (there && index == 5) {
                int empty = index;
                refused(Errno.ENODATA, "query_gid_ex", () -> context.queryGidEx(1, empty));
                continue;
            }
            GidEntry one = context.queryGidEx(1, index);
            GidEntry same = table.get(there && index > 5 ? index - 1 : index);
            for (GidEntry entry : List.of(one, same)) {
                equal(Gid.of(0xfe80_0000_0000_0000L, 1L << 8 | index), entry.gid());
                equal(List.of(1, index), List.of(entry.portNum(), entry.gidIndex()));
                equal(there, entry.has(GidEntry.NDEV_IFINDEX));
                equal(there ? 40 + index : 0, entry.ndevIfindex());
                equal(there ? GidType.ROCE_V1 : 0, entry.gidType());
            }
        }
    }

    private void dataInOrder() {
        QueuePair qp = pd.createQp(new QpInitAttr().qpType(QpType.RC).sendCq(sends).recvCq(receives).cap(asked()));
        int both = DataInOrderCaps.WHOLE_MSG | DataInOrderCaps.ALIGNED_128_BYTES;
        // Who has the whole message has each part of it.
        equal(both, qp.queryDataInOrder(WrOpcode.SEND, DataInOrderFlags.RETURN_CAPS | DataInOrderFlags.DEVICE_ONLY));
        equal("3", last().get("flags"));
        equal(1, qp.queryDataInOrder(WrOpcode.SEND, 0));
        equal(
                DataInOrderCaps.ALIGNED_128_BYTES,
                qp.queryDataInOrder(WrOpcode.RDMA_WRITE, DataInOrderFlags.RETURN_CAPS));
        equal(0, qp.queryDataInOrder(WrOpcode.RDMA_WRITE, DataInOrderFlags.DEVICE_ONLY));
        equal(0, qp.queryDataInOrder(WrOpcode.RDMA_READ, DataInOrderFlags.RETURN_CAPS));
        qp.close();
    }

    private void changes() {
        ModifyCqAttr moderation = new ModifyCqAttr().cqCount(0xffff).cqPeriod(77);
        arrives(moderation, () -> {
            sends.modify(moderation);
            return sends;
        });
        equal("@" + System.identityHashCode(sends), last().get("cq"));
        refused(Errno.EINVAL, "cqPeriod", () -> sends.modify(new ModifyCqAttr().cqPeriod(0x1_0000)));
        refused(Errno.EINVAL, "the mask is 0", () -> sends.modify(new ModifyCqAttr()));
        QueuePair qp = pd.createQp(new QpInitAttr().qpType(QpType.RC).sendCq(sends).recvCq(receives).cap(asked()));
        QpRateLimitAttr limit = new QpRateLimitAttr().rateLimit(1234).maxBurstSz(567).typicalPktSz(0xffff);
        refused(Errno.EINVAL, "RTS", () -> qp.modifyRateLimit(limit));
        modify(qp);
        arrives(limit, () -> {
            qp.modifyRateLimit(limit);
            return qp;
        });
        equal("@" + System.identityHashCode(qp), last().get("qp"));
        refused(Errno.EINVAL, "rateLimit is 0", () -> qp.modifyRateLimit(new QpRateLimitAttr().maxBurstSz(1)));
        qp.close();
    }
}
