/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package com.example.loop;

import io.verbs4j.AccessFlags;
import io.verbs4j.Context;
import io.verbs4j.ContextOps;
import io.verbs4j.ContextSlot;
import io.verbs4j.ContextTable;
import io.verbs4j.Device;
import io.verbs4j.DeviceAttr;
import io.verbs4j.DeviceAttrEx;
import io.verbs4j.Errno;
import io.verbs4j.NodeType;
import io.verbs4j.QpCreateFlags;
import io.verbs4j.QpCreateSendOps;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpInitAttrMask;
import io.verbs4j.QueryDeviceExInput;
import io.verbs4j.QueuePair;
import io.verbs4j.TransportType;
import io.verbs4j.VerbsException;
import io.verbs4j.slot.CreateQpEx;
import io.verbs4j.slot.QueryDeviceEx;
import io.verbs4j.spi.ExtendedProvider;
import java.util.List;

/** The example's device with two verbs of later levels. Start here for a provider of level 3. */
public final class LaterLoopProvider implements ExtendedProvider {
    private static final Device DEVICE = new Device("later0", 0x0200_00ff_fe00_0003L, NodeType.CA, TransportType.IB) {};

    @Override
    public String name() {
        return "later-loop";
    }

    @Override
    public int level() {
        return 3; // a literal: this source does not support more when it is compiled against a newer header
    }

    @Override
    public int minimumLibraryLevel() {
        return 1; // a library of level 1 ignores the table, and calls only the verbs of level 1
    }

    @Override
    public List<Device> devices() {
        return List.of(DEVICE);
    }

    @Override
    public ContextOps openDevice(Device device, Context context) {
        return new LoopContext(context, LoopContext.MAX_WR);
    }

    /** Offers everything. The library ignores what its level does not know. */
    @Override
    public void initContext(ContextOps opened, ContextTable table) {
        LoopContext ops = (LoopContext) opened;
        table.fillProvider(ContextSlot.CREATE_QP_EX, (CreateQpEx) attr -> createQpEx(ops, attr));
        table.fillProvider(
                ContextSlot.QUERY_DEVICE_EX, (QueryDeviceEx) (input, attr) -> queryDeviceEx(ops, input, attr));
    }

    /** Refuses unknown attributes, except hints, which a provider may ignore. */
    private static QueuePair createQpEx(LoopContext ops, QpInitAttrEx attr) {
        boolean known = attr.hasOnly(QpInitAttrMask.PD | QpInitAttrMask.CREATE_FLAGS, 0);
        if (!known || (attr.createFlags() & ~QpCreateFlags.OPTIONAL_RANGE) != 0) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    "create_qp_ex",
                    "the mask or the flags have bits that this provider does not know");
        }
        QpInitAttr base = new QpInitAttr()
                .qpType(attr.qpType())
                .sendCq(attr.sendCq())
                .recvCq(attr.recvCq())
                .srq(attr.srq())
                .sqSigAll(attr.sqSigAll())
                .userContext(attr.userContext())
                .cap(attr.cap());
        QueuePair qp = ops.createQp(attr.pd(), base);
        attr.cap(base.cap()); // the actual capacities
        return qp;
    }

    /** The type of each value is the return type of the field's method: a long, an int, or an object. */
    private static void queryDeviceEx(LoopContext ops, QueryDeviceExInput input, DeviceAttrEx attr) {
        if (!input.hasOnly(0, 0)) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP, "query_device_ex", "the mask has bits that this provider does not know");
        }
        DeviceAttr base = new DeviceAttr();
        ops.queryDevice(base);
        attr.offer(DeviceAttrEx.ORIG_ATTR, base);
        long operations = QpCreateSendOps.SEND | QpCreateSendOps.RDMA_WRITE;
        attr.offer(DeviceAttrEx.SEND_OPS_RC, operations);
        int rights = AccessFlags.REMOTE_WRITE | AccessFlags.OPTIONAL_RANGE;
        attr.offer(DeviceAttrEx.MR_ACCESS_FLAGS, rights | AccessFlags.LOCAL_WRITE);
        attr.offer(DeviceAttrEx.QP_ACCESS_FLAGS, rights);
    }
}
