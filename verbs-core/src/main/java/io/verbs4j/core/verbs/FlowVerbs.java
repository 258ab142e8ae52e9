/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.verbs;

import io.verbs4j.ContextSlot;
import io.verbs4j.CounterAttachAttr;
import io.verbs4j.Counters;
import io.verbs4j.CountersInitAttr;
import io.verbs4j.Flow;
import io.verbs4j.FlowAttr;
import io.verbs4j.FlowSpec;
import io.verbs4j.FlowSpecActionCount;
import io.verbs4j.FlowSpecActionHandle;
import io.verbs4j.QueuePair;
import io.verbs4j.core.base.Arguments;
import io.verbs4j.slot.AttachCountersPointFlow;
import io.verbs4j.slot.CreateCounters;
import io.verbs4j.slot.CreateFlow;
import io.verbs4j.slot.DestroyCounters;
import io.verbs4j.slot.DestroyFlow;
import io.verbs4j.slot.ReadCounters;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The library's part of the verbs about flows and their counters. The provider judges what a specification means. */
final class FlowVerbs
        implements CreateFlow, DestroyFlow, CreateCounters, DestroyCounters, AttachCountersPointFlow, ReadCounters {
    /** C counts them in a byte. */
    private static final int MOST_SPECS = 255;

    private final ObjectState context;
    private final ProviderSide side;
    private final Handles handles;

    FlowVerbs(ObjectState context, ProviderSide side, Handles handles) {
        this.context = context;
        this.side = side;
        this.handles = handles;
    }

    @Override
    public Flow createFlow(QueuePair qp, FlowAttr attr) {
        String verb = "create_flow";
        Set<ObjectState> parents = new LinkedHashSet<>();
        parents.add(handles.findQp(verb, qp));
        Arguments.notNull(verb, "attr", attr);
        Masks.check(verb, attr);
        Arguments.range(verb, "priority", attr.priority(), 0, 0xffff);
        Arguments.port(verb, "port", attr.port());
        FlowSpec[] specs = attr.specs();
        if (specs.length > MOST_SPECS) {
            throw Arguments.invalid(verb, "specs has " + specs.length + " elements; a flow has at most " + MOST_SPECS);
        }
        for (int i = 0; i < specs.length; i++) {
            Arguments.notNull(verb, "specs[" + i + "]", specs[i]);
            if (specs[i] instanceof FlowSpecActionCount count) {
                parents.add(handles.find(verb, "specs[" + i + "].counters", count.counters()));
            } else if (specs[i] instanceof FlowSpecActionHandle handle) {
                parents.add(handles.find(verb, "specs[" + i + "].action", handle.action()));
            }
        }
        parents.add(context);
        CreateFlow provider = side.slot(verb, ContextSlot.CREATE_FLOW, CreateFlow.class);
        Creation creation = handles.begin(verb, new ObjectState(context.owner(), Kind.FLOW, List.copyOf(parents)));
        try (creation) {
            Flow flow = creation.made(provider.createFlow(qp, attr));
            creation.require(flow.qp() == qp, "queue pair");
            return creation.done(flow);
        } catch (Throwable t) {
            throw side.failed(verb, t);
        }
    }

    @Override
    public void destroyFlow(Flow flow) {
        String verb = "destroy_flow";
        DestroyFlow provider = side.slot(verb, ContextSlot.DESTROY_FLOW, DestroyFlow.class);
        handles.destroy(verb, "flow", flow, p -> provider.destroyFlow(flow));
    }

    @Override
    public Counters createCounters(CountersInitAttr attr) {
        String verb = "create_counters";
        Arguments.notNull(verb, "attr", attr);
        Masks.check(verb, attr);
        CreateCounters provider = side.slot(verb, ContextSlot.CREATE_COUNTERS, CreateCounters.class);
        Creation creation = handles.begin(verb, new ObjectState(context.owner(), Kind.COUNTERS, List.of(context)));
        try (creation) {
            return creation.done(creation.made(provider.createCounters(attr)));
        } catch (Throwable t) {
            throw side.failed(verb, t);
        }
    }

    @Override
    public void destroyCounters(Counters counters) {
        String verb = "destroy_counters";
        DestroyCounters provider = side.slot(verb, ContextSlot.DESTROY_COUNTERS, DestroyCounters.class);
        handles.destroy(verb, "counters", counters, p -> provider.destroyCounters(counters));
    }

    @Override
    public void attachCountersPointFlow(Counters counters, CounterAttachAttr attr, Flow flow) {
        String verb = "attach_counters_point_flow";
        ObjectState state = handles.find(verb, "counters", counters);
        ObjectState used = flow == null ? context : handles.find(verb, "flow", flow);
        Arguments.notNull(verb, "attr", attr);
        Masks.check(verb, attr);
        Arguments.atLeast(verb, "index", attr.index(), 0);
        AttachCountersPointFlow provider =
                side.slot(verb, ContextSlot.ATTACH_COUNTERS_POINT_FLOW, AttachCountersPointFlow.class);
        used.enter(verb);
        try {
            side.change(verb, state, () -> provider.attachCountersPointFlow(counters, attr, flow));
        } finally {
            used.leave();
        }
    }

    @Override
    public void readCounters(Counters counters, long[] values, int flags) {
        String verb = "read_counters";
        ObjectState state = handles.find(verb, "counters", counters);
        Arguments.notNull(verb, "values", values);
        Arguments.atLeast(verb, "the length of values", values.length, 1);
        ReadCounters provider = side.slot(verb, ContextSlot.READ_COUNTERS, ReadCounters.class);
        state.enter(verb);
        try {
            provider.readCounters(counters, values, flags);
        } catch (Throwable t) {
            throw side.failed(verb, t);
        } finally {
            state.leave();
        }
    }
}
