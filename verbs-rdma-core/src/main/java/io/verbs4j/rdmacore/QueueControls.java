/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore;

import io.verbs4j.CompletionQueue;
import io.verbs4j.ContextSlot;
import io.verbs4j.ContextTable;
import io.verbs4j.DataInOrderCaps;
import io.verbs4j.DataInOrderFlags;
import io.verbs4j.DeviceAttrEx;
import io.verbs4j.Errno;
import io.verbs4j.ModifyCqAttr;
import io.verbs4j.ModifyCqMask;
import io.verbs4j.QpRateLimitAttr;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.VerbsException;
import io.verbs4j.natives.call.NativeFunction;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.call.ContextFunctions;
import io.verbs4j.rdmacore.call.Libibverbs;
import io.verbs4j.rdmacore.layout.ExtendedContextLayout;
import io.verbs4j.rdmacore.layout.ModifyCqAttrLayout;
import io.verbs4j.rdmacore.layout.QpRateLimitAttrLayout;
import io.verbs4j.rdmacore.object.IbvObject;
import io.verbs4j.rdmacore.object.NativeQueuePair;
import io.verbs4j.slot.ModifyCq;
import io.verbs4j.slot.ModifyQpRateLimit;
import io.verbs4j.slot.QueryQpDataInOrder;

/** The verbs of level 3 that ask and change a queue that is there. */
final class QueueControls {
    private static final int IN_ORDER_FLAGS = DataInOrderFlags.RETURN_CAPS | DataInOrderFlags.DEVICE_ONLY;

    private final DeviceQueries device;
    private final NativeFunction modifyCq;
    private final NativeFunction modifyRateLimit;
    private final NativeFunction dataInOrder;

    QueueControls(DeviceQueries device, ContextFunctions functions) {
        this.device = device;
        modifyCq = functions.extended(ExtendedContextLayout.MODIFY_CQ);
        modifyRateLimit = functions.extended(ExtendedContextLayout.MODIFY_QP_RATE_LIMIT);
        dataInOrder = Libibverbs.find("ibv_query_qp_data_in_order");
    }

    void fill(ContextTable table) {
        if (modifyCq != null) {
            table.fillProvider(ContextSlot.MODIFY_CQ, (ModifyCq) this::modifyCq);
        }
        if (modifyRateLimit != null) {
            table.fillProvider(ContextSlot.MODIFY_QP_RATE_LIMIT, (ModifyQpRateLimit) this::modifyQpRateLimit);
        }
        if (dataInOrder != null) {
            table.fillProvider(ContextSlot.QUERY_QP_DATA_IN_ORDER, (QueryQpDataInOrder) this::queryQpDataInOrder);
        }
    }

    private void modifyCq(CompletionQueue cq, ModifyCqAttr attr) {
        String verb = "modify_cq";
        Answers.refuseUnknown(verb, attr, ModifyCqMask.MODERATE);
        try (Scratch c = new Scratch(ModifyCqAttrLayout.SIZEOF)) {
            NativeMemory.putInt(c.address() + ModifyCqAttrLayout.ATTR_MASK, (int) attr.compMask());
            NativeMemory.putShort(
                    c.address() + ModifyCqAttrLayout.MODERATE_CQ_COUNT,
                    Answers.narrow(verb, "cqCount", attr.cqCount(), 0xffff));
            NativeMemory.putShort(
                    c.address() + ModifyCqAttrLayout.MODERATE_CQ_PERIOD,
                    Answers.narrow(verb, "cqPeriod", attr.cqPeriod(), 0xffff));
            Answers.check(verb, modifyCq.call(IbvObject.addressOf(cq), c.address()));
        }
    }

    /**
     * The first release answered yes or no, the next bits where it is asked for them, and a later one knows of the device alone; each
     * answers 0 to a flag that it does not know. So the most is asked first, and less where that is nothing: a plain yes is the bit
     * {@link DataInOrderCaps#WHOLE_MSG}.
     */
    private int queryQpDataInOrder(QueuePair handle, int wrOpcode, int flags) {
        Answers.requireKnown("query_qp_data_in_order", "flags", flags, IN_ORDER_FLAGS, DataInOrderFlags::toString);
        long qp = ((NativeQueuePair) handle).ibv.address();
        int caps = 0;
        if ((flags & DataInOrderFlags.DEVICE_ONLY) != 0) {
            caps = (int) dataInOrder.call(qp, wrOpcode, IN_ORDER_FLAGS);
        }
        if (caps == 0) {
            caps = (int) dataInOrder.call(qp, wrOpcode, DataInOrderFlags.RETURN_CAPS);
        }
        if (caps == 0) {
            caps = (int) dataInOrder.call(qp, wrOpcode, 0) == 0 ? 0 : DataInOrderCaps.WHOLE_MSG;
        }
        return caps;
    }

    private void modifyQpRateLimit(QueuePair handle, QpRateLimitAttr attr) {
        String verb = "modify_qp_rate_limit";
        Answers.refuseUnknown(verb, attr, 0);
        requireLimits(verb, handle.qpType(), attr.rateLimit());
        try (Scratch c = new Scratch(QpRateLimitAttrLayout.SIZEOF)) {
            NativeMemory.putInt(c.address() + QpRateLimitAttrLayout.RATE_LIMIT, (int) attr.rateLimit());
            NativeMemory.putInt(
                    c.address() + QpRateLimitAttrLayout.MAX_BURST_SZ,
                    Answers.unsignedInt(verb, "maxBurstSz", attr.maxBurstSz()));
            NativeMemory.putShort(
                    c.address() + QpRateLimitAttrLayout.TYPICAL_PKT_SZ,
                    Answers.narrow(verb, "typicalPktSz", attr.typicalPktSz(), 0xffff));
            long answer = modifyRateLimit.call(((NativeQueuePair) handle).ibv.address(), c.address());
            int errno = Answers.errno(answer);
            if (errno == Errno.EINVAL && (attr.maxBurstSz() != 0 || attr.typicalPktSz() != 0)) {
                // State, type and rate are right, so it is the rest, which libmlx5 refuses so where the device has no
                // such bounds.
                throw new VerbsException(
                        Errno.EOPNOTSUPP,
                        verb,
                        "the device can't bound bursts, or not by these sizes; leave maxBurstSz and typicalPktSz 0");
            }
            if (errno != 0) {
                throw Answers.failed(verb, errno);
            }
        }
    }

    /** The kernel says EINVAL to a type without limits, and to a rate out of range. */
    private void requireLimits(String verb, int type, long rate) {
        DeviceAttrEx can = device.capabilities();
        if (type < 0 || type >= Integer.SIZE || (can.packetPacingSupportedQpts() & 1 << type) == 0) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    verb,
                    "the device does not limit the rate of queue pairs of type " + QpType.toString(type)
                            + "; packetPacingSupportedQpts of query_device_ex tells of which it does");
        }
        long min = can.packetPacingQpRateLimitMin();
        long max = can.packetPacingQpRateLimitMax();
        if (rate != 0 && (rate < min || rate > max)) {
            throw new VerbsException(
                    Errno.EINVAL,
                    verb,
                    "rateLimit is " + rate + ", but the device limits rates from " + min + " to " + max
                            + " kbit/s; 0 is no limit");
        }
    }
}
