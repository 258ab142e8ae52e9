/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe;

import io.verbs4j.AttrArray;
import io.verbs4j.ContextSlot;
import io.verbs4j.ContextTable;
import io.verbs4j.DataInOrderCaps;
import io.verbs4j.DataInOrderFlags;
import io.verbs4j.DeviceAttr;
import io.verbs4j.DeviceAttrEx;
import io.verbs4j.Errno;
import io.verbs4j.Gid;
import io.verbs4j.GidEntry;
import io.verbs4j.GidType;
import io.verbs4j.QpRateLimitAttr;
import io.verbs4j.QpType;
import io.verbs4j.QueryDeviceExInput;
import io.verbs4j.QueuePair;
import io.verbs4j.ValuesEx;
import io.verbs4j.ValuesMask;
import io.verbs4j.VerbsException;
import io.verbs4j.provider.rxe.port.Port;
import io.verbs4j.provider.rxe.qp.SendOps;
import io.verbs4j.provider.rxe.queue.SendWqe;
import io.verbs4j.slot.ModifyQpRateLimit;
import io.verbs4j.slot.QueryDeviceEx;
import io.verbs4j.slot.QueryGidEx;
import io.verbs4j.slot.QueryGidTable;
import io.verbs4j.slot.QueryQpDataInOrder;
import io.verbs4j.slot.QueryValues;

/** The level 3 query verbs of an open embedded device, and the verb that limits a rate. */
final class RxeQueryVerbs
        implements QueryValues, QueryDeviceEx, QueryGidEx, QueryGidTable, QueryQpDataInOrder, ModifyQpRateLimit {
    private final RxeContext base;
    private final Port port;

    RxeQueryVerbs(RxeContext base, Port port) {
        this.base = base;
        this.port = port;
    }

    void fill(ContextTable table) {
        table.fillProvider(ContextSlot.QUERY_VALUES, this);
        table.fillProvider(ContextSlot.QUERY_DEVICE_EX, this);
        table.fillProvider(ContextSlot.QUERY_GID_EX, this);
        table.fillProvider(ContextSlot.QUERY_GID_TABLE, this);
        table.fillProvider(ContextSlot.QUERY_QP_DATA_IN_ORDER, this);
        table.fillProvider(ContextSlot.MODIFY_QP_RATE_LIMIT, this);
    }

    /** Reports ticks; the library converts them to nanoseconds. */
    @Override
    public void queryValues(long wanted, ValuesEx values) {
        if ((wanted & ValuesMask.RAW_CLOCK) != 0) {
            values.offer(ValuesEx.RAW_CLOCK, port.tickClock().ticks());
        }
    }

    @Override
    public void queryDeviceEx(QueryDeviceExInput input, DeviceAttrEx attr) {
        RxeLimits.refuseUnknown("query_device_ex", input, 0);
        DeviceAttr attributes = new DeviceAttr();
        base.queryDevice(attributes);
        RxeLimits.tell(attr, attributes, port.tickClock());
    }

    // ---- GIDs

    private static void refuseFlags(String verb, int flags, int known) {
        if ((flags & ~known) != 0) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    verb,
                    "flags has 0x" + Integer.toHexString(flags & ~known) + ", which the device does not support");
        }
    }

    @Override
    public void queryGidEx(int portNum, int gidIndex, int flags, GidEntry entry) {
        String verb = "query_gid_ex";
        refuseFlags(verb, flags, 0);
        RxeContext.checkPort(verb, portNum);
        Gid gid = port.gid(gidIndex);
        entry.offer(GidEntry.GID, gid);
        entry.offer(GidEntry.GID_INDEX, gidIndex);
        entry.offer(GidEntry.PORT_NUM, portNum);
        entry.offer(GidEntry.GID_TYPE, GidType.ROCE_V2);
        entry.offer(GidEntry.NDEV_IFINDEX, port.interfaceIndex(gidIndex));
    }

    @Override
    public int queryGidTable(int flags, AttrArray entries) {
        String verb = "query_gid_table";
        refuseFlags(verb, flags, 0);
        int count = port.gids().size(); // no entry is empty
        if (entries.length() < count) {
            throw new VerbsException(
                    Errno.EINVAL,
                    verb,
                    "the array has room for " + entries.length() + " entries, but the port has " + count);
        }
        for (int i = 0; i < count; i++) {
            Gid gid = port.gid(i);
            entries.offer(i, GidEntry.SUBNET_PREFIX_WORD, gid.subnetPrefix());
            entries.offer(i, GidEntry.INTERFACE_ID_WORD, gid.interfaceId());
            entries.offer(i, GidEntry.GID_INDEX_WORD, i);
            entries.offer(i, GidEntry.PORT_NUM_WORD, 1);
            entries.offer(i, GidEntry.GID_TYPE_WORD, GidType.ROCE_V2);
            entries.offer(i, GidEntry.NDEV_IFINDEX_WORD, port.interfaceIndex(i));
        }
        return count;
    }

    // ---- queue pairs

    /**
     * The device processes the packets of a message, the pieces of a packet and the messages of a queue pair in order.
     * But neither the processor nor the JVM's copy routine guarantees the order in which a copy's bytes become visible,
     * so only the device itself is reported as in order.
     */
    @Override
    public int queryQpDataInOrder(QueuePair qp, int wrOpcode, int flags) {
        refuseFlags("query_qp_data_in_order", flags, DataInOrderFlags.RETURN_CAPS | DataInOrderFlags.DEVICE_ONLY);
        int type = qp.qpType() == QpType.XRC_RECV ? QpType.XRC_SEND : qp.qpType(); // its peer's type
        long carriedOps = SendOps.of(type) & ~SendWqe.LOCAL_OPS;
        boolean carried = SendOps.isAmong(carriedOps, wrOpcode);
        return carried && (flags & DataInOrderFlags.DEVICE_ONLY) != 0 ? DataInOrderCaps.WHOLE_MSG : 0;
    }

    @Override
    public void modifyQpRateLimit(QueuePair qp, QpRateLimitAttr attr) {
        String verb = "modify_qp_rate_limit";
        RxeLimits.refuseUnknown(verb, attr, 0);
        RxeLimits.checkRate(verb, qp.qpType(), attr.rateLimit());
        RxeContext.queuePair(qp).limitRate(attr.rateLimit(), attr.maxBurstSz());
    }
}
