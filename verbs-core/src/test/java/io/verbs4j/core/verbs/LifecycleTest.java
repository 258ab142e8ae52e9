/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.verbs;

import static io.verbs4j.core.Failures.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.doReturn;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;

import io.verbs4j.CompletionQueue;
import io.verbs4j.ContextOps;
import io.verbs4j.Errno;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.ReregFlags;
import io.verbs4j.SrqAttr;
import io.verbs4j.SrqInitAttr;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsObject;
import io.verbs4j.core.Background;
import io.verbs4j.core.Fakes;
import io.verbs4j.testsupport.Patience;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Objects are open until they are closed, once; handles that are not the library's own are refused. */
@Timeout(Patience.TEST_SECONDS)
class LifecycleTest {
    /** A kind of object: how to make one, and how the provider destroys it. */
    private record Sort(Function<Rig, VerbsObject> make, Consumer<ContextOps> destroy) {}

    private static final Map<String, Sort> SORTS = new LinkedHashMap<>();

    static {
        SORTS.put("protection domain", new Sort(Rig::pd, ops -> ops.deallocPd(any())));
        SORTS.put("completion channel", new Sort(Rig::channel, ops -> ops.destroyCompChannel(any())));
        SORTS.put("completion queue", new Sort(Rig::cq, ops -> ops.destroyCq(any())));
        SORTS.put("memory region", new Sort(r -> r.mr(r.pd()), ops -> ops.deregMr(any())));
        SORTS.put("memory window", new Sort(r -> r.mw(r.pd()), ops -> ops.deallocMw(any())));
        SORTS.put("address handle", new Sort(r -> r.ah(r.pd()), ops -> ops.destroyAh(any())));
        SORTS.put("shared receive queue", new Sort(r -> r.srq(r.pd()), ops -> ops.destroySrq(any())));
        SORTS.put("queue pair", new Sort(Rig::udQp, ops -> ops.destroyQp(any())));
        SORTS.put("context", new Sort(r -> r.context, ContextOps::close));
    }

    static Set<String> sorts() {
        return SORTS.keySet();
    }

    @ParameterizedTest
    @MethodSource("sorts")
    void closingTwiceDestroysOnce(String sort) {
        Rig rig = new Rig();
        VerbsObject object = SORTS.get(sort).make().apply(rig);

        object.close();
        object.close();

        SORTS.get(sort).destroy().accept(verify(rig.ops, times(1)));
    }

    @ParameterizedTest
    @MethodSource("sorts")
    void objectStaysOpenIfProviderFails(String sort) {
        Rig rig = new Rig();
        VerbsObject object = SORTS.get(sort).make().apply(rig);
        rig.fault(new VerbsException(Errno.EIO, "destroy", "not now"));
        assertFails(Errno.EIO, object::close, "not now");
        rig.fault(null);

        object.close();

        SORTS.get(sort).destroy().accept(verify(rig.ops, times(1)));
    }

    @ParameterizedTest
    @MethodSource("sorts")
    void concurrentClosesDestroyOnceAndReturnAfterwards(String sort) throws InterruptedException {
        Rig rig = new Rig();
        VerbsObject object = SORTS.get(sort).make().apply(rig);
        CountDownLatch inProvider = new CountDownLatch(1);
        CountDownLatch finish = new CountDownLatch(1);
        SORTS.get(sort)
                .destroy()
                .accept(doAnswer(i -> {
                            inProvider.countDown();
                            finish.await();
                            return null;
                        })
                        .when(rig.ops));

        Background<Void> first = Background.run(object::close);
        inProvider.await();
        Background<Void> second = Background.run(object::close).awaitWaiting();
        Background<Void> third = Background.run(object::close).awaitWaiting();
        assertThat(second.ended() || third.ended()).isFalse();
        finish.countDown();

        assertThat(first.thrown()).isNull();
        assertThat(second.thrown()).isNull();
        assertThat(third.thrown()).isNull();
        SORTS.get(sort).destroy().accept(verify(rig.ops, times(1)));
    }

    @Test
    void secondCloseRetriesIfFirstFails() throws InterruptedException {
        Rig rig = new Rig();
        CompletionQueue cq = rig.cq();
        CountDownLatch inProvider = new CountDownLatch(1);
        CountDownLatch finish = new CountDownLatch(1);
        doAnswer(i -> {
                    inProvider.countDown();
                    finish.await();
                    throw new VerbsException(Errno.EIO, "destroy_cq", "not now");
                })
                .doNothing()
                .when(rig.ops)
                .destroyCq(cq);

        Background<Void> first = Background.run(cq::close);
        inProvider.await();
        Background<Void> second = Background.run(cq::close).awaitWaiting();
        finish.countDown();

        assertThat(first.thrown()).hasMessageContaining("not now");
        assertThat(second.thrown()).isNull();
        verify(rig.ops, times(2)).destroyCq(cq);
        assertFails(Errno.EINVAL, () -> cq.resize(5), "is closed");
    }

    @Test
    void objectIsUsableAfterFailedDestroy() {
        Rig rig = new Rig();
        CompletionQueue cq = rig.cq();
        doThrow(new VerbsException(Errno.EIO, "destroy_cq", "not now"))
                .when(rig.ops)
                .destroyCq(cq);
        assertFails(Errno.EIO, cq::close);

        cq.resize(99);
        QueuePair qp = rig.qp(rig.pd(), cq, QpType.RC);

        verify(rig.ops).resizeCq(cq, 99);
        assertThat(qp.sendCq()).isSameAs(cq);
    }

    @Test
    void closedObjectIsRefusedByName() {
        Rig rig = new Rig();
        ProtectionDomain pd = rig.pd();
        CompletionQueue cq = rig.cq();
        QueuePair qp = rig.qp(pd, cq, QpType.UD);
        qp.close();
        cq.close();
        pd.close();

        assertFails(Errno.EINVAL, () -> rig.mr(pd), "reg_mr", "protection domain of fake0 is closed");
        assertFails(Errno.EINVAL, () -> cq.resize(3), "resize_cq", "completion queue of fake0 is closed");
        assertFails(Errno.EINVAL, () -> cq.ackEvents(1), "ack_cq_events", "completion queue of fake0 is closed");
        assertFails(Errno.EINVAL, () -> qp.query(0), "query_qp", "queue pair " + qp.qpNum() + " of fake0 is closed");
        assertFails(
                Errno.EINVAL,
                () -> rig.qp(rig.pd(), cq, QpType.UD),
                "create_qp",
                "completion queue of fake0 is closed");
        verify(rig.ops, never()).resizeCq(any(), anyInt());
        verify(rig.ops, times(1)).createQp(any(), any());
    }

    @Test
    void objectOfAnotherContextIsRefused() {
        Rig rig = new Rig();
        Rig other = new Rig("fake1");
        ProtectionDomain pd = rig.pd();
        CompletionQueue foreign = other.cq();
        QpInitAttr init = Rig.qpInit(rig.cq(), QpType.RC);

        assertFails(
                Errno.EINVAL,
                () -> pd.createQp(init.sendCq(foreign)),
                "sendCq belongs to another context, not to context of fake0",
                "of the same context");
        assertFails(Errno.EINVAL, () -> pd.createQp(init.sendCq(rig.cq()).recvCq(foreign)), "recvCq belongs");
        assertFails(Errno.EINVAL, () -> pd.createQp(init.recvCq(rig.cq()).srq(other.srq(other.pd()))), "srq belongs");
        assertFails(Errno.EINVAL, () -> rig.cq(other.channel()), "channel belongs");
        assertFails(Errno.EINVAL, () -> rig.mr(pd).rereg(2, other.pd(), 0, 0, 0), "newPd belongs");
        verify(rig.ops, never()).createQp(any(), any());
    }

    @Test
    void handleThatNoVerbMadeIsRefused() {
        Rig rig = new Rig();
        ProtectionDomain homemade = new Fakes.FakePd(rig.context);

        assertFails(Errno.EINVAL, () -> rig.mr(homemade), "pd was not created by a verb");
        assertFails(Errno.EINVAL, homemade::close, "pd was not created by a verb");
        verify(rig.ops, never()).deallocPd(any());
    }

    @Test
    void providerMustReturnNewHandleOfContext() {
        Rig rig = new Rig();
        Rig other = new Rig("fake1");
        ProtectionDomain first = rig.pd();

        doReturn(null).when(rig.ops).allocPd();
        assertFails(Errno.EIO, rig::pd, "alloc_pd", "returned null", "provider 'fake'");
        doReturn(new Fakes.FakePd(other.context)).when(rig.ops).allocPd();
        assertFails(Errno.EIO, rig::pd, "a protection domain of another context");
        doReturn(first).when(rig.ops).allocPd();
        assertFails(Errno.EIO, rig::pd, "had returned before");

        first.close();
        rig.context.close(); // nothing of the three is counted
    }

    @Test
    void returnedHandleMustReferToRequestedParents() {
        Rig rig = new Rig();
        ProtectionDomain pd = rig.pd();
        ProtectionDomain wrong = rig.pd();
        CompletionQueue cq = rig.cq();
        QpInitAttr init = Rig.qpInit(cq, QpType.UD);
        SrqInitAttr srqInit = new SrqInitAttr().attr(new SrqAttr());

        doReturn(new Fakes.FakeQp(wrong, init, 1)).when(rig.ops).createQp(any(), any());
        assertFails(Errno.EIO, () -> pd.createQp(init), "another protection domain");
        doReturn(new Fakes.FakeQp(pd, Rig.qpInit(rig.cq(), QpType.UD), 1))
                .when(rig.ops)
                .createQp(any(), any());
        assertFails(Errno.EIO, () -> pd.createQp(init), "another completion queue");
        doReturn(new Fakes.FakeQp(pd, Rig.qpInit(cq, QpType.UD).srq(rig.srq(pd)), 1))
                .when(rig.ops)
                .createQp(any(), any());
        assertFails(Errno.EIO, () -> pd.createQp(init), "another shared receive queue");
        doReturn(new Fakes.FakeSrq(wrong, srqInit)).when(rig.ops).createSrq(any(), any());
        assertFails(Errno.EIO, () -> pd.createSrq(srqInit), "another protection domain");
        doReturn(new Fakes.FakeMr(wrong, 0, 1, 0)).when(rig.ops).regMrBuffer(any(), any(), anyInt());
        assertFails(Errno.EIO, () -> rig.mr(pd), "another protection domain");
        doReturn(new Fakes.FakeMw(wrong, 1)).when(rig.ops).allocMw(any(), anyInt());
        assertFails(Errno.EIO, () -> rig.mw(pd), "another protection domain");
        doReturn(new Fakes.FakeAh(wrong)).when(rig.ops).createAh(any(), any());
        assertFails(Errno.EIO, () -> rig.ah(pd), "another protection domain");
        doReturn(new Fakes.FakeCq(rig.context, 1, null, rig.channel()))
                .when(rig.ops)
                .createCq(anyInt(), any(), any(), anyInt());
        assertFails(Errno.EIO, rig::cq, "another completion channel");

        wrong.close();
    }

    @Test
    void callInProgressDelaysDestruction() throws InterruptedException {
        Rig rig = new Rig();
        CompletionQueue cq = rig.cq();
        CountDownLatch inProvider = new CountDownLatch(1);
        CountDownLatch finish = new CountDownLatch(1);
        doAnswer(i -> {
                    inProvider.countDown();
                    finish.await();
                    return null;
                })
                .when(rig.ops)
                .resizeCq(cq, 5);

        Background<Void> resize = Background.run(() -> cq.resize(5));
        inProvider.await();
        Background<Void> close = Background.run(cq::close).awaitWaiting();
        verify(rig.ops, never()).destroyCq(any());
        assertFails(Errno.EINVAL, () -> cq.resize(6), "being closed by another thread");
        finish.countDown();

        assertThat(resize.thrown()).isNull();
        assertThat(close.thrown()).isNull();
        verify(rig.ops).destroyCq(cq);
    }

    /** What it waits for are calls that end by themselves. */
    @Test
    void interruptedCloseWaitsToTheEnd() throws InterruptedException {
        AllVerbs v = new AllVerbs();
        CountDownLatch inProvider = new CountDownLatch(1);
        CountDownLatch finish = new CountDownLatch(1);
        doAnswer(i -> {
                    inProvider.countDown();
                    finish.await();
                    return null;
                })
                .when(v.rig.ops)
                .reregMr(any(), anyInt(), any(), anyLong(), anyLong(), anyInt());
        Background<Void> rereg = Background.run(() -> v.mr.rereg(ReregFlags.CHANGE_ACCESS, null, 0, 0, 0));
        inProvider.await();
        Background<Void> close = Background.run(v.mr::close).awaitWaiting();

        close.interrupt();
        close.awaitWaiting();
        verify(v.rig.ops, never()).deregMr(any());
        finish.countDown();

        assertThat(rereg.thrown()).isNull();
        assertThat(close.thrown()).isNull();
        assertThat(close.interruptedAtEnd()).isTrue();
        verify(v.rig.ops).deregMr(v.mr);
    }

    static Map<String, Consumer<AllVerbs>> changes() {
        return Map.of(
                "resize_cq", v -> v.cq.resize(5),
                "rereg_mr", v -> v.mr.rereg(ReregFlags.CHANGE_ACCESS, null, 0, 0, 0),
                "modify_srq", v -> v.srq.modify(v.limit),
                "modify_qp", v -> v.qp.modify(v.toReset),
                "attach_mcast", v -> v.qp.attachMcast(AllVerbs.GROUP, 1),
                "detach_mcast", v -> v.qp.detachMcast(AllVerbs.GROUP, 2));
    }

    static Set<String> changeNames() {
        return changes().keySet();
    }

    @ParameterizedTest
    @MethodSource("changeNames")
    void changesOfOneObjectAreSerialised(String name) throws InterruptedException {
        AllVerbs v = new AllVerbs();
        v.qp.attachMcast(AllVerbs.GROUP, 2);
        CountDownLatch inProvider = new CountDownLatch(1);
        CountDownLatch finish = new CountDownLatch(1);
        AtomicInteger calls = new AtomicInteger();
        v.rig.onCall(() -> {
            calls.incrementAndGet();
            inProvider.countDown();
            awaitUninterruptibly(finish);
        });

        Background<Void> first = Background.run(() -> changes().get(name).accept(v));
        inProvider.await();
        Background<Void> second =
                Background.run(() -> changes().get(name).accept(v)).awaitWaiting();
        assertThat(calls).hasValue(1);
        finish.countDown();

        assertThat(first.thrown()).isNull();
        if (name.equals("detach_mcast")) {
            assertThat(second.thrown()).hasMessageContaining("is not attached");
        } else {
            assertThat(second.thrown()).isNull();
        }
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void changeOfOneObjectDoesNotBlockOthers() throws InterruptedException {
        Rig rig = new Rig();
        CompletionQueue cq = rig.cq();
        CompletionQueue another = rig.cq();
        CountDownLatch inProvider = new CountDownLatch(1);
        CountDownLatch finish = new CountDownLatch(1);
        doAnswer(i -> {
                    inProvider.countDown();
                    finish.await();
                    return null;
                })
                .when(rig.ops)
                .resizeCq(cq, 5);

        Background<Void> first = Background.run(() -> cq.resize(5));
        inProvider.await();
        another.resize(7);
        finish.countDown();

        assertThat(first.thrown()).isNull();
        verify(rig.ops).resizeCq(another, 7);
    }

    @Test
    void interruptedThreadCanClose() {
        Rig rig = new Rig();
        CompletionQueue cq = rig.cq();
        Thread.currentThread().interrupt();

        cq.close();

        assertThat(Thread.interrupted()).isTrue();
        verify(rig.ops).destroyCq(cq);
    }
}
