/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import static io.verbs4j.compat.kit.Unknown.DROPPED;
import static io.verbs4j.compat.kit.Unknown.NO_FLAG;
import static io.verbs4j.compat.kit.Unknown.UNKNOWN;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.ContextSlot;
import io.verbs4j.CqInitAttrEx;
import io.verbs4j.DataInOrderCaps;
import io.verbs4j.DataInOrderFlags;
import io.verbs4j.DeviceAttr;
import io.verbs4j.DeviceAttrEx;
import io.verbs4j.Errno;
import io.verbs4j.Gid;
import io.verbs4j.GidEntry;
import io.verbs4j.InputAttr;
import io.verbs4j.ModifyCqAttr;
import io.verbs4j.QpRateLimitAttr;
import io.verbs4j.QpType;
import io.verbs4j.QueryDeviceExInput;
import io.verbs4j.ValuesEx;
import io.verbs4j.ValuesMask;
import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;
import io.verbs4j.slot.QueryGidEx;
import java.util.List;

/** R13: the other extended verbs of level 3. */
interface QueryRules {
    @Rule(
            id = "R13.01",
            since = 3,
            says = "the device's clock goes on, within the mask of its time stamps",
            look = "the function in the slot QUERY_VALUES",
            man = "ibv_query_rt_values_ex(3), and the Javadoc of ValuesEx",
            needs = Capability.QUERY_VALUES)
    default void r1301Values(Rig rig) {
        Context context = rig.open();
        long told = context.queryDeviceEx().completionTimestampMask();
        long mask = told == 0 ? -1L >>> 1 : told;
        long before = context.queryValues(ValuesMask.RAW_CLOCK).rawClock();
        for (int i = 0; i < 5; i++) {
            ValuesEx values = context.queryValues(ValuesMask.RAW_CLOCK);
            Seen.check(values.has(ValuesEx.RAW_CLOCK), "rawClock is not set");
            boolean later = (values.rawClock() - before & mask) <= mask >>> 1;
            Seen.check(later, "the clock is " + values.rawClock() + ", but was " + before + " before");
            before = values.rawClock();
        }
        Seen.refuses(
                "queryValues of bit 40, which no level defines,",
                () -> context.queryValues(1L << 40),
                Errno.EOPNOTSUPP);
    }

    @Rule(
            id = "R13.02",
            since = 3,
            says = "what the device tells at length agrees with what it tells in short",
            look = {"the function in the slot QUERY_DEVICE_EX", "ContextOps.queryDevice"},
            man = "ibv_query_device_ex(3), DESCRIPTION",
            needs = Capability.QUERY_DEVICE_EX)
    default void r1302Device(Rig rig) {
        Context context = rig.open();
        DeviceAttr brief = context.queryDevice();
        DeviceAttrEx attr = context.queryDeviceEx();
        DeviceAttr same = attr.origAttr();
        List<Object> expected = List.of(
                brief.fwVer(),
                brief.maxQp(),
                brief.maxQpWr(),
                brief.maxCq(),
                brief.maxCqe(),
                brief.maxMr(),
                brief.maxPd());
        List<Object> found = List.of(
                same.fwVer(), same.maxQp(), same.maxQpWr(), same.maxCq(), same.maxCqe(), same.maxMr(), same.maxPd());
        Seen.equal("fwVer, maxQp, maxQpWr, maxCq, maxCqe, maxMr, maxPd of queryDeviceEx", expected, found);
        Seen.equal("physPortCnt of queryDeviceEx", brief.physPortCnt(), same.physPortCnt());
        if (attr.has(DeviceAttrEx.PHYS_PORT_CNT_EX)) {
            Seen.atLeast("physPortCntEx", brief.physPortCnt(), attr.physPortCntEx());
        }
        if (attr.has(DeviceAttrEx.DEVICE_CAP_FLAGS_EX)) {
            int caps = (int) brief.deviceCaps();
            Seen.equal("the lower half of deviceCapFlagsEx", caps, (int) attr.deviceCapFlagsEx());
        }
        if (rig.has(Capability.COMPLETION_TIMESTAMPS)) {
            Seen.check(attr.completionTimestampMask() != 0, "completionTimestampMask is 0");
            Seen.check(attr.hcaCoreClock() > 0, "hcaCoreClock is " + attr.hcaCoreClock());
        }
    }

    @Rule(
            id = "R13.03",
            since = 3,
            says = "entries of the GID tables agree with queryGid; the table has each that is not empty",
            look = {"the function in the slot QUERY_GID_EX", "the function in the slot QUERY_GID_TABLE"},
            man = "ibv_query_gid_ex(3), ibv_query_gid_table(3), DESCRIPTION",
            needs = Capability.QUERY_GID_EX)
    default void r1303Gids(Rig rig) {
        Context context = rig.open();
        List<GidEntry> table = context.queryGidTable();
        for (GidEntry entry : table) {
            Gid gid = context.queryGid(entry.portNum(), entry.gidIndex());
            Seen.equal("the GID of the table's entry " + entry + ",", gid, entry.gid());
        }
        int ports = context.queryDevice().physPortCnt();
        for (int port = 1; port <= ports; port++) {
            int number = port;
            if (context.queryGid(port, rig.kit.gidIndex(port)).equals(Gid.ZERO)) {
                Seen.refuses(
                        "queryGidEx of an empty entry",
                        () -> context.queryGidEx(number, rig.kit.gidIndex(number)),
                        Errno.ENODATA);
                continue;
            }
            GidEntry one = context.queryGidEx(port, rig.kit.gidIndex(port));
            Seen.equal(
                    "portNum and gidIndex",
                    List.of(port, rig.kit.gidIndex(port)),
                    List.of(one.portNum(), one.gidIndex()));
            Seen.equal("the GID of queryGidEx", context.queryGid(port, rig.kit.gidIndex(port)), one.gid());
            Seen.check(
                    table.stream()
                            .anyMatch(
                                    entry -> entry.portNum() == number && entry.gidIndex() == rig.kit.gidIndex(number)),
                    "the table does not contain " + one);
            int beyond = context.queryPort(port).gidTblLen();
            Seen.refuses(
                    "queryGidEx(" + port + ", " + beyond + ")", () -> context.queryGidEx(number, beyond), Errno.EINVAL);
        }
        if (!rig.has(Capability.SEVERAL_CONTEXTS)) {
            context.close();
        }
        if (rig.openDirectly(rig.kit.provider(), ContextSlot.COUNT).table.provider(ContextSlot.QUERY_GID_EX)
                instanceof QueryGidEx function) {
            Seen.refuses(
                    "query_gid_ex with a flag that no level defines",
                    () -> function.queryGidEx(rig.kit.portNum(), rig.kit.gidIndex(), NO_FLAG, new GidEntry()),
                    Errno.EOPNOTSUPP);
        }
    }

    @Rule(
            id = "R13.04",
            since = 3,
            says = "the order of data is told by capabilities that agree, and unknown flags are refused",
            look = "the function in the slot QUERY_QP_DATA_IN_ORDER",
            man = "ibv_query_qp_data_in_order(3), DESCRIPTION",
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS},
            needs = Capability.DATA_IN_ORDER)
    default void r1304Order(Rig rig) {
        rig.start();
        for (int opcode : new int[] {WrOpcode.SEND, WrOpcode.RDMA_WRITE, WrOpcode.RDMA_READ}) {
            int caps = rig.a.qp.queryDataInOrder(opcode, DataInOrderFlags.RETURN_CAPS);
            int whole = rig.a.qp.queryDataInOrder(opcode, 0);
            int known = DataInOrderCaps.WHOLE_MSG | DataInOrderCaps.ALIGNED_128_BYTES;
            Seen.equal("the result without RETURN_CAPS", caps & DataInOrderCaps.WHOLE_MSG, whole);
            Seen.check((caps & ~known) == 0, "the capabilities are " + DataInOrderCaps.toString(caps));
        }
        Seen.refuses(
                "queryDataInOrder with flag bit 20, which no level defines,",
                () -> rig.a.qp.queryDataInOrder(WrOpcode.SEND, NO_FLAG),
                Errno.EOPNOTSUPP);
    }

    @Rule(
            id = "R13.05",
            since = 3,
            says = "moderation goes as far as the device tells, and puts off events alone",
            look = "the function in the slot MODIFY_CQ",
            man = "ibv_modify_cq(3), DESCRIPTION",
            needs = {Capability.RC, Capability.MODIFY_CQ})
    default void r1305Moderation(Rig rig) {
        rig.start();
        DeviceAttrEx attr = rig.a.context.queryDeviceEx();
        int count = attr.cqModerationMaxCqCount();
        int period = attr.cqModerationMaxCqPeriod();
        CompletionQueue cq = rig.a.cq;
        cq.modify(new ModifyCqAttr().cqCount(count).cqPeriod(period));
        rig.a.exchange(rig.b, 1, 0, 0, 100); // polled at once
        cq.modify(new ModifyCqAttr().cqCount(0).cqPeriod(0));
        rig.a.exchange(rig.b, 2, 0, 0, 100);
        if (count < 0xffff) {
            Seen.refuses(
                    "modify with a count of " + (count + 1) + " (the device reports " + count + ")",
                    () -> cq.modify(new ModifyCqAttr().cqCount(count + 1).cqPeriod(period)),
                    Errno.EINVAL);
        }
        if (period < 0xffff) {
            Seen.refuses(
                    "modify with a period of " + (period + 1) + " (the device reports " + period + ")",
                    () -> cq.modify(new ModifyCqAttr().cqCount(count).cqPeriod(period + 1)),
                    Errno.EINVAL);
        }
    }

    @Rule(
            id = "R13.06",
            since = 3,
            says = "a rate within what the device tells is taken, another one refused, and data move on",
            look = "the function in the slot MODIFY_QP_RATE_LIMIT",
            man = "ibv_modify_qp_rate_limit(3), DESCRIPTION",
            needs = {Capability.RC, Capability.RATE_LIMIT})
    default void r1306Rate(Rig rig) {
        rig.start();
        DeviceAttrEx attr = rig.a.context.queryDeviceEx();
        int types = attr.packetPacingSupportedQpts();
        long most = attr.packetPacingQpRateLimitMax();
        Seen.check(most > 0, "packetPacingQpRateLimitMax is " + most);
        if ((types & 1 << QpType.RC) == 0) {
            Seen.refuses(
                    "modifyRateLimit of RC, which packetPacingSupportedQpts lacks,",
                    () -> rig.a.qp.modifyRateLimit(new QpRateLimitAttr().rateLimit(most)),
                    Errno.EOPNOTSUPP);
            return;
        }
        rig.a.qp.modifyRateLimit(new QpRateLimitAttr().rateLimit(most));
        rig.a.exchange(rig.b, 1, 0, 0, 100);
        if (most < 0xffff_ffffL) {
            Seen.refuses(
                    "modifyRateLimit of " + (most + 1) + " (the device reports " + most + ")",
                    () -> rig.a.qp.modifyRateLimit(new QpRateLimitAttr().rateLimit(most + 1)),
                    Errno.EINVAL);
        }
        rig.a.qp.modifyRateLimit(new QpRateLimitAttr());
        rig.b.ready(3, 0, 100);
        rig.a.post(rig.a.operation(rig.b, 2, 0, 0, 100));
        rig.a.next(2, WcStatus.SUCCESS);
    }

    @Rule(
            id = "R13.07",
            since = 3,
            says = "mask bits that the provider does not know are refused, and dropped where they are optional",
            look = "the functions that VerbsProvider.initContext puts into the table",
            man = "the Javadoc of InputAttr",
            needs = Capability.EXTENDED)
    default void r1307Masks(Rig rig) {
        Context context = rig.open();
        if (rig.has(Capability.EXTENDED_CQ)) {
            CqInitAttrEx attr = new CqInitAttrEx().cqe(4);
            masks("createCqEx", attr, () -> rig.opened(context.createCqEx(attr)));
        }
        if (rig.has(Capability.QUERY_DEVICE_EX)) {
            QueryDeviceExInput input = new QueryDeviceExInput();
            masks("queryDeviceEx", input, () -> context.queryDeviceEx(input));
        }
        if (rig.has(Capability.MODIFY_CQ)) {
            CompletionQueue cq = rig.opened(context.createCq(4));
            ModifyCqAttr attr = new ModifyCqAttr().cqCount(0).cqPeriod(0);
            masks("modify", attr, () -> cq.modify(attr));
        }
    }

    private static void masks(String call, InputAttr attr, Runnable verb) {
        long known = attr.compMask();
        attr.masks(known | UNKNOWN, 0);
        Seen.refuses(call + " with bit 30 in its mask, which no level defines,", verb, Errno.EOPNOTSUPP);
        attr.masks(known, 1);
        Seen.refuses(call + " with a bit in the second mask, which no level defines,", verb, Errno.EOPNOTSUPP);
        attr.masks(known | DROPPED, 0);
        verb.run();
    }
}
