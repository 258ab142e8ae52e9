/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit.model;

import static io.verbs4j.compat.kit.model.DeviceOps.no;

import io.verbs4j.Context;
import io.verbs4j.ContextSlot;
import io.verbs4j.ContextTable;
import io.verbs4j.CounterAttachAttr;
import io.verbs4j.CounterDescription;
import io.verbs4j.Counters;
import io.verbs4j.CountersInitAttr;
import io.verbs4j.DeviceAttrEx;
import io.verbs4j.DeviceCap;
import io.verbs4j.Errno;
import io.verbs4j.Flow;
import io.verbs4j.FlowAttr;
import io.verbs4j.FlowFilter;
import io.verbs4j.FlowSpec;
import io.verbs4j.FlowSpecActionCount;
import io.verbs4j.FlowSpecActionDrop;
import io.verbs4j.FlowSpecActionTag;
import io.verbs4j.FlowSpecType;
import io.verbs4j.FlowType;
import io.verbs4j.QpInitAttrMask;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RawPacketCaps;
import io.verbs4j.RxHashFields;
import io.verbs4j.RxHashFunction;
import io.verbs4j.WcExFlags;
import io.verbs4j.compat.kit.Capability;
import io.verbs4j.slot.AttachCountersPointFlow;
import io.verbs4j.slot.CreateCounters;
import io.verbs4j.slot.CreateFlow;
import io.verbs4j.slot.DestroyCounters;
import io.verbs4j.slot.DestroyFlow;
import io.verbs4j.slot.ReadCounters;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** The model's verbs for flows and their counters, and its Ethernet attributes. */
final class EthernetOps {
    static final long HASHED = (RxHashFields.DST_PORT_UDP << 1) - 1;
    private static final int MOST_WORK_QUEUES = 100;
    private static final int MOST_TSO = 1 << 16;
    private static final Set<Integer> FILTERS =
            Set.of(FlowSpecType.ETH, FlowSpecType.IPV4, FlowSpecType.TCP, FlowSpecType.UDP);

    private final Context context;

    EthernetOps(Context context) {
        this.context = context;
    }

    static final class Counting extends Counters {
        /** The {@link CounterDescription} at each index, or -1. */
        private final int[] what = {-1, -1, -1, -1};

        private final long[] of = new long[2];
        private int size;

        /** The first flow that used these counters. */
        private Steering first;

        Counting(Context context) {
            super(context);
        }
    }

    /** A flow with the attributes of its creation. */
    static final class Steering extends Flow {
        final int port;
        final int priority;
        final List<Packet.Filter> filters = new ArrayList<>();
        boolean drops;
        int tag;
        Counting counters;

        Steering(QueuePair qp, FlowAttr attr) {
            super(qp);
            port = attr.port();
            priority = attr.priority();
        }
    }

    static int caps() {
        return Traits.has(Capability.ETHERNET) ? DeviceCap.MANAGED_FLOW_STEERING : 0;
    }

    /** {@return the supported flags of completion queues} */
    static long wcFlags() {
        return (Traits.has(Capability.FLOW_ACTIONS) ? WcExFlags.FLOW_TAG : 0)
                | (Traits.has(Capability.VLAN_STRIPPING) ? WcExFlags.CVLAN : 0);
    }

    /** {@return the supported attributes of queue pairs} */
    static long qpBits() {
        return (Traits.has(Capability.TSO) ? QpInitAttrMask.MAX_TSO_HEADER : 0)
                | (Traits.has(Capability.WORK_QUEUES) ? QpInitAttrMask.IND_TABLE | QpInitAttrMask.RX_HASH : 0);
    }

    static void tell(DeviceAttrEx attr) {
        int raw = 1 << QpType.RAW_PACKET;
        int caps = Traits.has(Capability.CHECKSUMS) ? RawPacketCaps.IP_CSUM : 0;
        caps |= Traits.has(Capability.VLAN_STRIPPING) ? RawPacketCaps.CVLAN_STRIPPING : 0;
        attr.offer(DeviceAttrEx.RAW_PACKET_CAPS, caps);
        boolean cuts = Traits.has(Capability.TSO) && !Fault.TELLS_NO_TSO.on();
        attr.offer(DeviceAttrEx.TSO_MAX_TSO, cuts ? MOST_TSO : 0);
        attr.offer(DeviceAttrEx.TSO_SUPPORTED_QPTS, cuts ? raw : 0);
        if (Traits.has(Capability.WORK_QUEUES)) {
            attr.offer(DeviceAttrEx.MAX_WQ_TYPE_RQ, MOST_WORK_QUEUES);
            attr.offer(DeviceAttrEx.RSS_SUPPORTED_QPTS, raw);
            attr.offer(DeviceAttrEx.RSS_MAX_RWQ_INDIRECTION_TABLES, MOST_WORK_QUEUES);
            attr.offer(DeviceAttrEx.RSS_MAX_RWQ_INDIRECTION_TABLE_SIZE, MOST_WORK_QUEUES);
            attr.offer(DeviceAttrEx.RSS_RX_HASH_FIELDS_MASK, HASHED);
            attr.offer(DeviceAttrEx.RSS_RX_HASH_FUNCTION, RxHashFunction.TOEPLITZ);
        }
    }

    boolean fill(ContextTable table) {
        Capability frames = Capability.ETHERNET;
        boolean all = GrownOps.fill(table, frames, ContextSlot.CREATE_FLOW, (CreateFlow) EthernetOps::createFlow);
        all &= GrownOps.fill(table, frames, ContextSlot.DESTROY_FLOW, (DestroyFlow) EthernetOps::destroyFlow);
        Capability counts = Capability.FLOW_COUNTERS;
        all &= GrownOps.fill(table, counts, ContextSlot.CREATE_COUNTERS, (CreateCounters) this::createCounters);
        DestroyCounters destroy = counters -> {};
        all &= GrownOps.fill(table, counts, ContextSlot.DESTROY_COUNTERS, destroy);
        AttachCountersPointFlow attach = EthernetOps::attach;
        all &= GrownOps.fill(table, counts, ContextSlot.ATTACH_COUNTERS_POINT_FLOW, attach);
        all &= GrownOps.fill(table, counts, ContextSlot.READ_COUNTERS, (ReadCounters) EthernetOps::read);
        return all;
    }

    // ---- flows

    private static Flow createFlow(QueuePair qp, FlowAttr attr) {
        String verb = "create_flow";
        ModelOps.known(verb, attr, 0);
        if (!Fault.FLOW_ANY_PORT.on()) {
            DeviceOps.port(verb, attr.port());
        }
        if (attr.type() != FlowType.NORMAL || attr.flags() != 0 && !Fault.FLOW_ANY_FLAG.on()) {
            throw no(verb, Errno.EOPNOTSUPP, "the model has flows of filters, without flags");
        }
        if (qp.qpType() != QpType.RAW_PACKET) {
            throw no(verb, Errno.EINVAL, "frames are for queue pairs of type RAW_PACKET");
        }
        Steering flow = new Steering(qp, attr);
        for (FlowSpec spec : attr.specs()) {
            add(flow, spec);
        }
        synchronized (Fabric.LOCK) {
            if (flow.counters != null && flow.counters.first == null) {
                flow.counters.first = flow;
            }
            Segment.add(flow);
        }
        return flow;
    }

    private static void add(Steering flow, FlowSpec spec) {
        boolean acts = Traits.has(Capability.FLOW_ACTIONS);
        if (spec instanceof FlowFilter filter && FILTERS.contains(filter.type())) {
            flow.filters.add(new Packet.Filter(filter));
        } else if (spec instanceof FlowSpecActionTag tag && acts) {
            flow.tag = tag.tagId();
        } else if (spec instanceof FlowSpecActionDrop && acts) {
            flow.drops = true;
        } else if (spec instanceof FlowSpecActionCount count && Traits.has(Capability.FLOW_COUNTERS)) {
            flow.counters = (Counting) count.counters();
        } else {
            throw no("create_flow", Errno.EOPNOTSUPP, "the model does not have " + spec);
        }
    }

    private static void destroyFlow(Flow flow) {
        synchronized (Fabric.LOCK) {
            Segment.remove((Steering) flow);
        }
    }

    // ---- counters

    private Counters createCounters(CountersInitAttr attr) {
        ModelOps.known("create_counters", attr, 0);
        return new Counting(context);
    }

    private static void attach(Counters counters, CounterAttachAttr attr, Flow flow) {
        String verb = "attach_counters_point_flow";
        ModelOps.known(verb, attr, 0);
        Counting own = (Counting) counters;
        boolean known = attr.counterDesc() <= CounterDescription.BYTES;
        if (flow != null || !known && !Fault.COUNTERS_ANYTHING.on()) {
            throw no(verb, Errno.EOPNOTSUPP, "the model counts packets and bytes, of flows to come");
        }
        if (attr.index() >= own.what.length) {
            throw no(verb, Errno.EINVAL, "there are " + own.what.length + " counters");
        }
        synchronized (Fabric.LOCK) {
            own.what[Fault.COUNTERS_NO_INDEX.on() && known ? attr.counterDesc() : attr.index()] = attr.counterDesc();
            own.size = Math.max(own.size, attr.index() + 1);
        }
    }

    static void count(Steering flow, int bytes) {
        Counting counters = flow.counters;
        if (counters.first == flow || !Fault.COUNTERS_OF_ONE_FLOW.on()) {
            counters.of[CounterDescription.PACKETS]++;
            counters.of[CounterDescription.BYTES] += bytes;
        }
    }

    private static void read(Counters counters, long[] values, int flags) {
        Counting own = (Counting) counters;
        if (flags != 0) {
            throw no("read_counters", Errno.EOPNOTSUPP, "the model has no flags");
        }
        synchronized (Fabric.LOCK) {
            if (values.length > own.size) {
                throw no("read_counters", Errno.EINVAL, "there are " + own.size + " counters");
            }
            Arrays.setAll(values, i -> own.what[i] < 0 ? 0 : own.of[own.what[i]]);
        }
    }
}
