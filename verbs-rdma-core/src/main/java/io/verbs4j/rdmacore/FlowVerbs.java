/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore;

import io.verbs4j.ContextSlot;
import io.verbs4j.ContextTable;
import io.verbs4j.CounterAttachAttr;
import io.verbs4j.Counters;
import io.verbs4j.CountersInitAttr;
import io.verbs4j.DeviceAttrEx;
import io.verbs4j.DeviceCap;
import io.verbs4j.Flow;
import io.verbs4j.FlowAttr;
import io.verbs4j.FlowFlags;
import io.verbs4j.FlowType;
import io.verbs4j.QueuePair;
import io.verbs4j.ReadCountersFlags;
import io.verbs4j.natives.call.NativeFunction;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.layout.CounterAttachAttrLayout;
import io.verbs4j.rdmacore.layout.CountersInitAttrLayout;
import io.verbs4j.rdmacore.layout.ExtendedContextLayout;
import io.verbs4j.rdmacore.object.IbvObject;
import io.verbs4j.rdmacore.object.NativeCounters;
import io.verbs4j.rdmacore.object.NativeFlow;
import io.verbs4j.rdmacore.object.NativeQueuePair;
import io.verbs4j.slot.AttachCountersPointFlow;
import io.verbs4j.slot.CreateCounters;
import io.verbs4j.slot.CreateFlow;
import io.verbs4j.slot.DestroyCounters;
import io.verbs4j.slot.DestroyFlow;
import io.verbs4j.slot.ReadCounters;

/** Implements flows, and counters for the traffic that they steer. */
final class FlowVerbs {
    private static final int FLAGS = FlowFlags.DONT_TRAP | FlowFlags.EGRESS;

    private final NativeContext base;
    private final NativeFunction createFlow;
    private final NativeFunction destroyFlow;
    private final NativeFunction createCounters;
    private final NativeFunction destroyCounters;
    private final NativeFunction attach;
    private final NativeFunction read;

    FlowVerbs(NativeContext base) {
        this.base = base;
        createFlow = base.functions().extended(ExtendedContextLayout.IBV_CREATE_FLOW);
        destroyFlow = base.functions().extended(ExtendedContextLayout.IBV_DESTROY_FLOW);
        createCounters = base.functions().extended(ExtendedContextLayout.CREATE_COUNTERS);
        destroyCounters = base.functions().extended(ExtendedContextLayout.DESTROY_COUNTERS);
        attach = base.functions().extended(ExtendedContextLayout.ATTACH_COUNTERS_POINT_FLOW);
        read = base.functions().extended(ExtendedContextLayout.READ_COUNTERS);
    }

    /**
     * Fills the slots if the device supports them. libibverbs fills each of its slots, even for drivers without flows.
     * Counters count for flows, so without flows there are no counters.
     */
    void fill(ContextTable table, DeviceAttrEx told) {
        long caps = told.deviceCapFlagsEx();
        if (createFlow == null || destroyFlow == null || (caps & DeviceCap.MANAGED_FLOW_STEERING) == 0) {
            return;
        }
        table.fillProvider(ContextSlot.CREATE_FLOW, (CreateFlow) this::createFlow);
        table.fillProvider(ContextSlot.DESTROY_FLOW, (DestroyFlow) this::destroyFlow);
        if (attach == null || read == null || createCounters == null || destroyCounters == null || !counts()) {
            return;
        }
        table.fillProvider(ContextSlot.CREATE_COUNTERS, (CreateCounters) this::createCounters);
        table.fillProvider(ContextSlot.DESTROY_COUNTERS, (DestroyCounters) this::destroyCounters);
        table.fillProvider(ContextSlot.ATTACH_COUNTERS_POINT_FLOW, (AttachCountersPointFlow) this::attach);
        table.fillProvider(ContextSlot.READ_COUNTERS, (ReadCounters) this::read);
    }

    /** Creates counters to find out whether the device has them, because no capability reports it. */
    private boolean counts() {
        try (Scratch c = new Scratch(CountersInitAttrLayout.SIZEOF)) {
            long counters = createCounters.call(base.address(), c.address());
            if (counters == 0) {
                return !Answers.isLacking(Answers.errno(-1));
            }
            destroyCounters.call(counters);
            return true;
        }
    }

    private Flow createFlow(QueuePair qp, FlowAttr attr) {
        String verb = "create_flow";
        Answers.refuseUnknown(verb, attr, 0);
        Answers.requireKnown(verb, "flags", attr.flags(), FLAGS, FlowFlags::toString);
        boolean known = attr.type() >= FlowType.NORMAL && attr.type() <= FlowType.SNIFFER;
        try (Scratch c = new Scratch(FlowAttrs.size(attr))) {
            FlowAttrs.write(c.address(), attr);
            long flow = createFlow.call(((NativeQueuePair) qp).ibv.address(), c.address());
            return new NativeFlow(qp, Answers.checkPointer(verb, flow, known));
        }
    }

    private void destroyFlow(Flow flow) {
        IbvObject ibv = ((NativeFlow) flow).ibv;
        ibv.pin().closeFor(() -> Answers.check("destroy_flow", destroyFlow.call(ibv.address())));
    }

    private Counters createCounters(CountersInitAttr attr) {
        String verb = "create_counters";
        Answers.refuseUnknown(verb, attr, 0);
        try (Scratch c = new Scratch(CountersInitAttrLayout.SIZEOF)) {
            long counters = Answers.checkPointer(verb, createCounters.call(base.address(), c.address()));
            return new NativeCounters(base.context(), counters);
        }
    }

    private void destroyCounters(Counters counters) {
        IbvObject ibv = ((NativeCounters) counters).ibv;
        ibv.pin().closeFor(() -> Answers.check("destroy_counters", destroyCounters.call(ibv.address())));
    }

    private void attach(Counters counters, CounterAttachAttr attr, Flow flow) {
        String verb = "attach_counters_point_flow";
        Answers.refuseUnknown(verb, attr, 0);
        try (Scratch c = new Scratch(CounterAttachAttrLayout.SIZEOF)) {
            NativeMemory.putInt(c.address() + CounterAttachAttrLayout.COUNTER_DESC, attr.counterDesc());
            NativeMemory.putInt(c.address() + CounterAttachAttrLayout.INDEX, attr.index());
            long ibvFlow = flow == null ? 0 : ((NativeFlow) flow).ibv.address();
            Answers.check(verb, attach.call(((NativeCounters) counters).ibv.address(), c.address(), ibvFlow));
        }
    }

    private void read(Counters counters, long[] values, int flags) {
        Answers.requireKnown(
                "read_counters", "flags", flags, ReadCountersFlags.PREFER_CACHED, ReadCountersFlags::toString);
        try (Scratch c = new Scratch(Math.multiplyExact(values.length, Long.BYTES))) {
            long ibv = ((NativeCounters) counters).ibv.address();
            Answers.check("read_counters", read.call(ibv, c.address(), values.length, flags));
            for (int i = 0; i < values.length; i++) {
                values[i] = NativeMemory.getLong(c.address() + (long) i * Long.BYTES);
            }
        }
    }
}
