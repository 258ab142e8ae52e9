/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit.model;

import static io.verbs4j.compat.kit.model.DeviceOps.no;

import io.verbs4j.AttrArray;
import io.verbs4j.CompletionQueue;
import io.verbs4j.ContextOps;
import io.verbs4j.ContextSlot;
import io.verbs4j.ContextTable;
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
import io.verbs4j.ModifyCqAttr;
import io.verbs4j.ModifyCqMask;
import io.verbs4j.QpRateLimitAttr;
import io.verbs4j.QpType;
import io.verbs4j.QueryDeviceExInput;
import io.verbs4j.QueuePair;
import io.verbs4j.ValuesEx;
import io.verbs4j.ValuesMask;
import io.verbs4j.WcExFlags;
import io.verbs4j.compat.kit.Capability;
import io.verbs4j.slot.CreateCqEx;
import io.verbs4j.slot.ModifyCq;
import io.verbs4j.slot.ModifyQpRateLimit;
import io.verbs4j.slot.QueryDeviceEx;
import io.verbs4j.slot.QueryEce;
import io.verbs4j.slot.QueryGidEx;
import io.verbs4j.slot.QueryGidTable;
import io.verbs4j.slot.QueryQpDataInOrder;
import io.verbs4j.slot.QueryValues;
import io.verbs4j.slot.SetEce;

/** The model's verbs of level 3. */
final class GrownOps {
    private static final int MAX_COUNT = 100;
    private static final int MAX_PERIOD = 50;
    /** More than fits in a signed int. */
    private static final long MAX_RATE = 3_000_000_000L;

    private static final int ECE_VENDOR = 0x4d4f44;

    /** All options that it offers. */
    static final int ECE_OPTIONS = 7;

    private final ModelOps ops;
    private long shown;

    private GrownOps(ModelOps ops) {
        this.ops = ops;
    }

    static boolean fill(ModelOps ops, ContextTable table) {
        GrownOps grown = new GrownOps(ops);
        boolean all = fill(table, Capability.EXTENDED_CQ, ContextSlot.CREATE_CQ_EX, (CreateCqEx) grown::createCqEx);
        all &= fill(table, Capability.QUERY_VALUES, ContextSlot.QUERY_VALUES, (QueryValues) grown::queryValues);
        all &= fill(
                table, Capability.QUERY_DEVICE_EX, ContextSlot.QUERY_DEVICE_EX, (QueryDeviceEx) grown::queryDeviceEx);
        all &= fill(table, Capability.MODIFY_CQ, ContextSlot.MODIFY_CQ, (ModifyCq) grown::modifyCq);
        all &= fill(table, Capability.QUERY_GID_EX, ContextSlot.QUERY_GID_EX, (QueryGidEx) grown::queryGidEx);
        all &= fill(table, Capability.QUERY_GID_EX, ContextSlot.QUERY_GID_TABLE, (QueryGidTable) grown::queryGidTable);
        all &= fill(table, Capability.DATA_IN_ORDER, ContextSlot.QUERY_QP_DATA_IN_ORDER, (QueryQpDataInOrder)
                grown::dataInOrder);
        all &= fill(
                table, Capability.RATE_LIMIT, ContextSlot.MODIFY_QP_RATE_LIMIT, (ModifyQpRateLimit) grown::modifyRate);
        all &= new LaterOps(ops).fill(table);
        all &= new SharedOps(ops.context()).fill(table);
        all &= new CounterOps(ops.context()).fill(table);
        all &= new EthernetOps(ops.context()).fill(table);
        all &= new DmaOps(ops.context()).fill(table);
        all &= new WorkQueueOps(ops.context()).fill(table);
        all &= fill(table, Capability.ECE, ContextSlot.SET_ECE, (SetEce) GrownOps::setEce);
        all &= fill(table, Capability.ECE, ContextSlot.QUERY_ECE, (QueryEce) GrownOps::queryEce);
        return all;
    }

    static boolean fill(ContextTable table, Capability capability, int slot, Object function) {
        return !Traits.has(capability) || table.fillProvider(slot, function);
    }

    private CompletionQueue createCqEx(CqInitAttrEx attr) {
        String verb = "create_cq_ex";
        long known = CqInitAttrMask.FLAGS | CqInitAttrMask.VENDOR;
        known |= Traits.has(Capability.PARENT_DOMAIN) ? CqInitAttrMask.PD : 0;
        ModelOps.known(verb, attr, Fault.IGNORES_CQ_BITS.on() ? known | 1L << 30 : known);
        long wanted = WcExFlags.STANDARD | EthernetOps.wcFlags();
        wanted |= Traits.has(Capability.TAG_MATCHING) ? WcExFlags.TM_INFO : 0;
        wanted |= Traits.has(Capability.COMPLETION_TIMESTAMPS) ? WcExFlags.COMPLETION_TIMESTAMP : 0;
        int flags = CqCreateFlags.SINGLE_THREADED;
        flags |= Fault.CQ_HINT_REFUSED.on() ? 0 : CqCreateFlags.OPTIONAL_RANGE;
        boolean unknown = (attr.wcFlags() & ~wanted) != 0 && !Fault.ANY_WC_FLAG.on();
        if (unknown || (attr.flags() & ~flags) != 0 || attr.vendor() != null) {
            throw no(verb, Errno.EOPNOTSUPP, "the model does not have all of this");
        }
        return ops.makeCq(verb, attr);
    }

    private void queryValues(long wanted, ValuesEx values) {
        if ((wanted & ValuesMask.RAW_CLOCK) != 0) {
            synchronized (Fabric.LOCK) {
                long now = Fabric.now();
                values.offer(ValuesEx.RAW_CLOCK, Fault.CLOCK_GOES_BACK.on() ? Fabric.CLOCK_MASK - ++shown : now);
            }
        }
    }

    private void queryDeviceEx(QueryDeviceExInput input, DeviceAttrEx attr) {
        ModelOps.known("query_device_ex", input, 0);
        DeviceAttr base = new DeviceAttr();
        ops.queryDevice(base);
        attr.offer(DeviceAttrEx.PHYS_PORT_CNT_EX, base.physPortCnt());
        attr.offer(DeviceAttrEx.DEVICE_CAP_FLAGS_EX, base.deviceCaps() | LaterOps.caps());
        LaterOps.tell(attr);
        EthernetOps.tell(attr);
        ModelTags.tell(attr);
        attr.offer(DeviceAttrEx.ORIG_ATTR, Fault.LENGTHY_LIES.on() ? base.maxQp(1) : base);
        if (Traits.has(Capability.COMPLETION_TIMESTAMPS)) {
            attr.offer(DeviceAttrEx.COMPLETION_TIMESTAMP_MASK, Fabric.CLOCK_MASK);
            attr.offer(DeviceAttrEx.HCA_CORE_CLOCK, 1000L);
        }
        attr.offer(DeviceAttrEx.CQ_MODERATION_MAX_CQ_COUNT, MAX_COUNT);
        attr.offer(DeviceAttrEx.CQ_MODERATION_MAX_CQ_PERIOD, MAX_PERIOD);
        attr.offer(DeviceAttrEx.PACKET_PACING_QP_RATE_LIMIT_MAX, MAX_RATE);
        attr.offer(DeviceAttrEx.PACKET_PACING_SUPPORTED_QPTS, 1 << QpType.RC);
    }

    /** Does nothing: the model creates each event at once, which every moderation permits. */
    private void modifyCq(CompletionQueue cq, ModifyCqAttr attr) {
        ModelOps.known("modify_cq", attr, ModifyCqMask.MODERATE);
        if ((attr.cqCount() > MAX_COUNT || attr.cqPeriod() > MAX_PERIOD) && !Fault.ANY_MODERATION.on()) {
            throw no("modify_cq", Errno.EINVAL, "at most " + MAX_COUNT + " and " + MAX_PERIOD);
        }
    }

    private void queryGidEx(int portNum, int gidIndex, int flags, GidEntry entry) {
        noFlags("query_gid_ex", flags);
        Gid gid = ops.queryGid(portNum, gidIndex);
        if (gid.equals(Gid.ZERO)) {
            throw no("query_gid_ex", Errno.ENODATA, "the entry is empty");
        }
        entry.offer(GidEntry.GID, gid);
        entry.offer(GidEntry.GID_INDEX, gidIndex);
        entry.offer(GidEntry.PORT_NUM, Fault.GID_OF_ANOTHER_PORT.on() ? 1 : portNum);
        entry.offer(GidEntry.GID_TYPE, GidType.ROCE_V2);
    }

    private int queryGidTable(int flags, AttrArray entries) {
        noFlags("query_gid_table", flags);
        int filled = 0;
        for (int port = 1; port <= Traits.PORT_COUNT; port++) {
            Gid gid = ops.queryGid(port, 0);
            if (!gid.equals(Gid.ZERO) && (port == 1 || !Fault.GIDS_OF_ONE_PORT.on())) {
                entries.offer(filled, GidEntry.SUBNET_PREFIX_WORD, gid.subnetPrefix());
                entries.offer(filled, GidEntry.INTERFACE_ID_WORD, gid.interfaceId());
                entries.offer(filled, GidEntry.PORT_NUM_WORD, port);
                entries.offer(filled, GidEntry.GID_TYPE_WORD, GidType.ROCE_V2);
                filled++;
            }
        }
        return filled;
    }

    private static void noFlags(String verb, int flags) {
        if (flags != 0) {
            throw ContextOps.unsupported(verb);
        }
    }

    private int dataInOrder(QueuePair qp, int wrOpcode, int flags) {
        if ((flags & ~(DataInOrderFlags.RETURN_CAPS | DataInOrderFlags.DEVICE_ONLY)) != 0
                && !Fault.ANY_ORDER_FLAG.on()) {
            throw ContextOps.unsupported("query_qp_data_in_order");
        }
        return DataInOrderCaps.WHOLE_MSG;
    }

    private static void setEce(QueuePair qp, Ece ece) {
        if (ece.vendorId() != ECE_VENDOR && !Fault.ECE_ANY_VENDOR.on()) {
            throw no("set_ece", Errno.EINVAL, "these are another vendor's");
        }
        synchronized (Fabric.LOCK) {
            ModelQp.of(qp).eceOptions = Fault.ECE_FORGETS.on() ? 0 : ece.options() & ECE_OPTIONS;
        }
    }

    private static Ece queryEce(QueuePair qp) {
        synchronized (Fabric.LOCK) {
            return new Ece().vendorId(ECE_VENDOR).options(ModelQp.of(qp).eceOptions);
        }
    }

    /** Does nothing: the model has no notion of sending too fast. */
    private void modifyRate(QueuePair qp, QpRateLimitAttr attr) {
        ModelOps.known("modify_qp_rate_limit", attr, 0);
        if (qp.qpType() != QpType.RC) {
            throw ContextOps.unsupported("modify_qp_rate_limit");
        }
        if (attr.rateLimit() > MAX_RATE && !Fault.ANY_RATE.on()) {
            throw no("modify_qp_rate_limit", Errno.EINVAL, "at most " + MAX_RATE);
        }
    }
}
