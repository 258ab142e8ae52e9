/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.verbs;

import static io.verbs4j.core.Failures.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoInteractions;
import static org.mockito.Mockito.when;

import io.verbs4j.CompCntrCaps;
import io.verbs4j.CompCntrInitAttr;
import io.verbs4j.CompCntrOps;
import io.verbs4j.CompCntrType;
import io.verbs4j.CompletionCounter;
import io.verbs4j.Context;
import io.verbs4j.ContextOps;
import io.verbs4j.ContextSlot;
import io.verbs4j.Errno;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpAttachCompCntrAttr;
import io.verbs4j.QpAttr;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpState;
import io.verbs4j.QueuePair;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsLevel;
import io.verbs4j.core.Fakes;
import io.verbs4j.core.discovery.Library;
import io.verbs4j.core.discovery.TimeLimit;
import io.verbs4j.slot.CreateCompCntr;
import io.verbs4j.slot.DestroyCompCntr;
import io.verbs4j.slot.QpAttachCompCntr;
import io.verbs4j.slot.QueryCompCntrCaps;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.ArgumentCaptor;

/** The library's part of the verbs about completion counters. */
class CounterVerbsTest {
    private final QueryCompCntrCaps queryCaps = mock(QueryCompCntrCaps.class);
    private final CreateCompCntr create = mock(CreateCompCntr.class);
    private final DestroyCompCntr destroy = mock(DestroyCompCntr.class);
    private final QpAttachCompCntr attach = mock(QpAttachCompCntr.class);
    private final Map<Integer, Object> functions = Map.of(
            ContextSlot.QUERY_COMP_CNTR_CAPS, queryCaps,
            ContextSlot.CREATE_COMP_CNTR, create,
            ContextSlot.DESTROY_COMP_CNTR, destroy,
            ContextSlot.QP_ATTACH_COMP_CNTR, attach);
    private final Context context = open(functions);
    private int state = QpState.RESET;

    private static final class FakeCounter extends CompletionCounter {
        FakeCounter(Context context) {
            super(context);
        }

        @Override
        public long read() {
            return 1;
        }

        @Override
        public long readErr() {
            return 2;
        }

        @Override
        public void set(long value) {
            throw new AssertionError("not used here");
        }

        @Override
        public void setErr(long value) {
            throw new AssertionError("not used here");
        }

        @Override
        public void inc(long amount) {
            throw new AssertionError("not used here");
        }

        @Override
        public void incErr(long amount) {
            throw new AssertionError("not used here");
        }
    }

    private Context open(Map<Integer, Object> table) {
        ContextOps ops = mock(ContextOps.class);
        Fakes.FakeDevice device = new Fakes.FakeDevice("cnt0");
        ExtendedRig.Provider provider = new ExtendedRig.Provider(
                device, ops, VerbsLevel.SHARING, (opened, filled) -> table.forEach(filled::fillProvider));
        Library library = new Library(() -> List.of(provider.found()), TimeLimit::ofProperty);
        Context opened = library.open(device, VerbsLevel.CURRENT);
        when(ops.numCompVectors()).thenReturn(1);
        when(ops.allocPd()).thenAnswer(i -> new Fakes.FakePd(opened));
        when(ops.createCq(anyInt(), any(), any(), anyInt()))
                .thenAnswer(i -> new Fakes.FakeCq(opened, i.getArgument(0), null, null));
        when(ops.createQp(any(), any()))
                .thenAnswer(i -> new Fakes.FakeQp(i.<ProtectionDomain>getArgument(0), i.<QpInitAttr>getArgument(1), 7));
        when(create.createCompCntr(any())).thenAnswer(i -> new FakeCounter(opened));
        doAnswer(i -> i.<QpAttr>getArgument(1).qpState(state)).when(ops).queryQp(any(), any(), anyInt(), any());
        return opened;
    }

    private QueuePair newQp() {
        var cq = context.createCq(1);
        return context.allocPd().createQp(new QpInitAttr().sendCq(cq).recvCq(cq));
    }

    private CompletionCounter newCounter() {
        return context.createCompCntr(new CompCntrInitAttr());
    }

    @Test
    void capabilitiesComeFromProvider() {
        doAnswer(i -> i.<CompCntrCaps>getArgument(0).offer(CompCntrCaps.MAX_COUNTERS, 12))
                .when(queryCaps)
                .queryCompCntrCaps(any());

        CompCntrCaps caps = context.queryCompCntrCaps();
        assertThat(caps.maxCounters()).isEqualTo(12);
        assertThat(caps.has(CompCntrCaps.MAX_VALUE)).isFalse();
    }

    @Test
    void counterIsDestroyedOnce() {
        CompCntrInitAttr attr = new CompCntrInitAttr().type(CompCntrType.BYTES);
        CompletionCounter counter = context.createCompCntr(attr);

        verify(create).createCompCntr(attr);
        counter.close();
        counter.close();
        verify(destroy, times(1)).destroyCompCntr(counter);
    }

    @Test
    void counterKeepsItsContext() {
        CompletionCounter counter = newCounter();

        assertFails(Errno.EBUSY, context::close, "1 completion counter");
        counter.close();
        context.close();
    }

    @Test
    void queuePairKeepsItsCounterOnceForAllOperations() {
        QueuePair qp = newQp();
        CompletionCounter counter = newCounter();
        qp.attachCompCntr(counter, CompCntrOps.SEND | CompCntrOps.RECV);
        qp.attachCompCntr(counter, CompCntrOps.RDMA_READ);

        ArgumentCaptor<QpAttachCompCntrAttr> attr = ArgumentCaptor.forClass(QpAttachCompCntrAttr.class);
        verify(attach, times(2)).qpAttachCompCntr(any(), any(), attr.capture());
        assertThat(attr.getAllValues().get(0).opMask()).isEqualTo(3);
        assertThat(attr.getAllValues().get(1).opMask()).isEqualTo(4);
        assertFails(Errno.EBUSY, counter::close, "destroy_comp_cntr", "1 queue pair");
        qp.close();
        counter.close();
        verify(destroy).destroyCompCntr(counter);
    }

    @Test
    void secondCounterOfOperationIsRefused() {
        QueuePair qp = newQp();
        CompletionCounter counter = newCounter();
        CompletionCounter other = newCounter();
        qp.attachCompCntr(counter, CompCntrOps.SEND | CompCntrOps.RECV);

        assertFails(
                Errno.EBUSY,
                () -> qp.attachCompCntr(other, CompCntrOps.RECV | CompCntrOps.RDMA_READ),
                "a counter for RECV already");
        assertFails(Errno.EBUSY, () -> qp.attachCompCntr(counter, CompCntrOps.SEND), "a counter for SEND already");
        qp.attachCompCntr(other, CompCntrOps.RDMA_READ);
        verify(attach, times(2)).qpAttachCompCntr(any(), any(), any());
    }

    @ParameterizedTest
    @ValueSource(ints = {QpState.RTR, QpState.RTS, QpState.SQD, QpState.SQE, QpState.ERR})
    void counterIsRefusedInOtherStates(int present) {
        QueuePair qp = newQp();
        CompletionCounter counter = newCounter();
        state = present;

        assertFails(
                Errno.EINVAL,
                () -> qp.attachCompCntr(counter, 1),
                "is in state " + QpState.toString(present),
                "attached in RESET or INIT");
        counter.close();
        verify(attach, never()).qpAttachCompCntr(any(), any(), any());
    }

    @Test
    void counterIsAttachedInInit() {
        QueuePair qp = newQp();
        CompletionCounter counter = newCounter();
        state = QpState.INIT;

        qp.attachCompCntr(counter, 1);
        assertFails(Errno.EBUSY, counter::close, "1 queue pair");
    }

    @Test
    void counterRefusedByProviderStaysFree() {
        QueuePair qp = newQp();
        CompletionCounter counter = newCounter();
        doThrow(new VerbsException(Errno.EOPNOTSUPP, "qp_attach_comp_cntr", "no"))
                .doNothing()
                .when(attach)
                .qpAttachCompCntr(any(), any(), any());

        assertFails(Errno.EOPNOTSUPP, () -> qp.attachCompCntr(counter, CompCntrOps.SEND), "no");
        qp.attachCompCntr(counter, CompCntrOps.SEND);
        qp.close();
        counter.close();
    }

    @Test
    void badArgumentsAreRefused() {
        QueuePair qp = newQp();
        CompletionCounter counter = newCounter();
        CompletionCounter closed = newCounter();
        closed.close();

        assertFails(Errno.EINVAL, () -> context.createCompCntr(null), "attr is null");
        assertFails(Errno.EINVAL, () -> qp.attachCompCntr(null, 1), "counter is null");
        assertFails(Errno.EINVAL, () -> qp.attachCompCntr(counter, 0), "ops is 0");
        assertFails(Errno.EINVAL, () -> qp.attachCompCntr(closed, 1), "closed");
        CompCntrInitAttr later = new CompCntrInitAttr();
        later.masks(1L << 33, 0);
        assertFails(Errno.EOPNOTSUPP, () -> context.createCompCntr(later), "does not know: 0x200000000");
        verifyNoInteractions(attach);
    }

    @Test
    void providerWithoutCountersIsNamed() {
        Context without = open(Map.of());

        assertFails(Errno.EOPNOTSUPP, without::queryCompCntrCaps, "query_comp_cntr_caps");
        assertFails(Errno.EOPNOTSUPP, () -> without.createCompCntr(new CompCntrInitAttr()), "create_comp_cntr");
    }

    @Test
    void providerThatCannotDestroyIsRefused() {
        assertFails(
                Errno.EIO,
                () -> open(Map.of(ContextSlot.CREATE_COMP_CNTR, create)),
                "has create_comp_cntr but not destroy_comp_cntr");
    }
}
