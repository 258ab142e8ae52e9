/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.verbs;

import static io.verbs4j.core.Failures.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.doReturn;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;

import io.verbs4j.Context;
import io.verbs4j.ContextSlot;
import io.verbs4j.CounterAttachAttr;
import io.verbs4j.CounterDescription;
import io.verbs4j.Counters;
import io.verbs4j.CountersInitAttr;
import io.verbs4j.Errno;
import io.verbs4j.Flow;
import io.verbs4j.FlowAttr;
import io.verbs4j.FlowSpec;
import io.verbs4j.FlowSpecActionCount;
import io.verbs4j.FlowSpecActionDrop;
import io.verbs4j.FlowSpecEth;
import io.verbs4j.QueuePair;
import io.verbs4j.ReadCountersFlags;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The library's part of the verbs about flows and their counters. */
class FlowVerbsTest {
    private final EthernetRig rig = new EthernetRig();
    private final Context context = rig.context;
    private final QueuePair qp = rig.rawQp();

    private Counters counters() {
        return context.createCounters(new CountersInitAttr());
    }

    private static FlowAttr counting(Counters... counters) {
        FlowSpec[] specs = Arrays.stream(counters).map(FlowSpecActionCount::new).toArray(FlowSpec[]::new);
        return new FlowAttr().port(1).specs(specs);
    }

    @Test
    void flowKeepsItsQueuePair() {
        FlowAttr attr =
                new FlowAttr().priority(65_535).port(255).type(77).flags(-1).specs(new FlowSpecEth());
        Flow flow = qp.createFlow(attr);

        verify(rig.createFlow).createFlow(qp, attr);
        assertThat(flow.qp()).isSameAs(qp);
        assertFails(Errno.EBUSY, qp::close, "destroy_qp", "1 flow");
        flow.close();
        flow.close();
        verify(rig.destroyFlow, times(1)).destroyFlow(flow);
        qp.close();
        assertFails(Errno.EINVAL, () -> qp.createFlow(attr), "create_flow", "closed");
    }

    @Test
    void flowsAreChecked() {
        FlowAttr later = new FlowAttr();
        later.masks(1L << 40, 0);
        FlowSpec[] many = new FlowSpec[256];
        Arrays.fill(many, new FlowSpecActionDrop());

        assertFails(Errno.EINVAL, () -> qp.createFlow(null), "create_flow", "attr is null");
        assertFails(Errno.EINVAL, () -> qp.createFlow(new FlowAttr().port(1).priority(65_536)), "priority is 65536");
        assertFails(Errno.EINVAL, () -> qp.createFlow(new FlowAttr().port(1).priority(-1)), "priority is -1");
        assertFails(Errno.EINVAL, () -> qp.createFlow(new FlowAttr().port(0)), "port is 0");
        assertFails(Errno.EINVAL, () -> qp.createFlow(new FlowAttr().port(256)), "port is 256");
        assertFails(
                Errno.EINVAL,
                () -> qp.createFlow(new FlowAttr().port(1).specs(new FlowSpecEth(), null)),
                "specs[1] is null");
        assertFails(Errno.EINVAL, () -> qp.createFlow(new FlowAttr().port(1).specs(many)), "specs has 256 elements");
        assertFails(Errno.EOPNOTSUPP, () -> qp.createFlow(later), "0x10000000000");
        verify(rig.createFlow, never()).createFlow(any(), any());
        qp.createFlow(new FlowAttr().port(1).specs(Arrays.copyOf(many, 255)));
    }

    @Test
    void flowKeepsItsCounters() {
        Counters one = counters();
        Counters other = counters();
        Flow flow = qp.createFlow(counting(one, other, one));
        Flow second = qp.createFlow(counting(one));

        assertFails(Errno.EBUSY, one::close, "destroy_counters", "2 flows");
        assertFails(Errno.EBUSY, other::close, "1 flow;");
        flow.close();
        other.close();
        other.close();
        verify(rig.destroyCounters, times(1)).destroyCounters(other);
        assertFails(Errno.EBUSY, one::close, "1 flow;");
        second.close();
        one.close();
        assertFails(Errno.EINVAL, () -> qp.createFlow(counting(other)), "create_flow", "closed");
        Counters foreign = new EthernetRig().context.createCounters(new CountersInitAttr());
        assertFails(Errno.EINVAL, () -> qp.createFlow(counting(foreign)), "specs[0].counters", "another context");
    }

    @Test
    void countersAreAttached() {
        Counters counters = counters();
        CounterAttachAttr attr =
                new CounterAttachAttr().counterDesc(CounterDescription.BYTES).index(3);
        CounterAttachAttr later = new CounterAttachAttr();
        later.masks(1L << 40, 0);
        Flow flow = qp.createFlow(new FlowAttr().port(1));

        counters.attach(attr);
        verify(rig.attachCounters).attachCountersPointFlow(counters, attr, null);
        counters.attach(attr, flow);
        verify(rig.attachCounters).attachCountersPointFlow(counters, attr, flow);
        assertFails(Errno.EINVAL, () -> counters.attach(null), "attach_counters_point_flow", "attr is null");
        assertFails(Errno.EINVAL, () -> counters.attach(new CounterAttachAttr().index(-1)), "index is -1");
        assertFails(Errno.EOPNOTSUPP, () -> counters.attach(later), "0x10000000000");
        flow.close();
        assertFails(Errno.EINVAL, () -> counters.attach(attr, flow), "flow", "closed");
        Flow foreign = new EthernetRig().rawQp().createFlow(new FlowAttr().port(1));
        assertFails(Errno.EINVAL, () -> counters.attach(attr, foreign), "flow", "another context");
        counters.close();
        assertFails(Errno.EINVAL, () -> counters.attach(attr), "closed");
        verify(rig.attachCounters, times(2)).attachCountersPointFlow(any(), any(), any());
    }

    @Test
    void countersAreRead() {
        Counters counters = counters();
        doAnswer(i -> {
                    long[] values = i.getArgument(1);
                    values[1] = 42;
                    return null;
                })
                .when(rig.readCounters)
                .readCounters(any(), any(), anyInt());
        long[] values = new long[2];

        counters.read(values, ReadCountersFlags.PREFER_CACHED);
        verify(rig.readCounters).readCounters(counters, values, ReadCountersFlags.PREFER_CACHED);
        assertThat(values).containsExactly(0, 42);
        assertFails(Errno.EINVAL, () -> counters.read(null, 0), "read_counters", "values is null");
        assertFails(Errno.EINVAL, () -> counters.read(new long[0], 0), "the length of values is 0");
        counters.close();
        assertFails(Errno.EINVAL, () -> counters.read(values, 0), "closed");
    }

    @Test
    void attributesOfCountersAreChecked() {
        CountersInitAttr later = new CountersInitAttr();
        later.masks(1L << 40, 0);

        assertFails(Errno.EINVAL, () -> context.createCounters(null), "create_counters", "attr is null");
        assertFails(Errno.EOPNOTSUPP, () -> context.createCounters(later), "0x10000000000");
        verify(rig.createCounters, never()).createCounters(any());
    }

    @Test
    void contextStaysOpenWhileTheyAre() {
        Counters counters = counters();

        assertFails(Errno.EBUSY, context::close, "1 set of counters");
        counters.close();
    }

    @Test
    void brokenProvidersAreReported() {
        QueuePair other = rig.rawQp();
        doReturn(new EthernetRig.FakeFlow(other)).when(rig.createFlow).createFlow(any(), any());
        doReturn(null).when(rig.createCounters).createCounters(any());

        assertFails(Errno.EIO, () -> qp.createFlow(new FlowAttr().port(1)), "create_flow", "another queue pair");
        assertFails(Errno.EIO, this::counters, "create_counters", "returned null");
        other.close();
    }

    @Test
    void providerWithoutVerbsIsNamed() {
        EthernetRig bare = new EthernetRig(
                ContextSlot.CREATE_FLOW,
                ContextSlot.DESTROY_FLOW,
                ContextSlot.CREATE_COUNTERS,
                ContextSlot.DESTROY_COUNTERS,
                ContextSlot.ATTACH_COUNTERS_POINT_FLOW,
                ContextSlot.READ_COUNTERS);
        QueuePair raw = bare.rawQp();

        assertFails(
                Errno.EOPNOTSUPP,
                () -> raw.createFlow(new FlowAttr().port(1)),
                "the device can't: create_flow came with level 4",
                "provider 'ext' of level 4");
        assertFails(
                Errno.EOPNOTSUPP,
                () -> bare.context.createCounters(new CountersInitAttr()),
                "the device can't: create_counters came with level 4");
    }

    /** Those that make are there, and one of the others is not. */
    @Test
    void missingVerbsAreNamed() {
        EthernetRig few = new EthernetRig(ContextSlot.ATTACH_COUNTERS_POINT_FLOW, ContextSlot.READ_COUNTERS);
        Counters counters = few.context.createCounters(new CountersInitAttr());

        assertFails(
                Errno.EOPNOTSUPP, () -> counters.attach(new CounterAttachAttr()), "attach_counters_point_flow came");
        assertFails(Errno.EOPNOTSUPP, () -> counters.read(new long[1], 0), "read_counters came with level 4");
    }

    @ParameterizedTest
    @ValueSource(ints = {ContextSlot.DESTROY_FLOW, ContextSlot.DESTROY_COUNTERS})
    void createWithoutDestroyIsRefused(int destroy) {
        String verb = ContextSlot.verb(destroy);

        assertFails(Errno.EIO, () -> new EthernetRig(destroy), "create" + verb.substring("destroy".length()), verb);
    }
}
