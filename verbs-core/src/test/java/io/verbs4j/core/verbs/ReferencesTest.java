/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.verbs;

import static io.verbs4j.core.Failures.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;

import io.verbs4j.AccessFlags;
import io.verbs4j.CompletionChannel;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Errno;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.ReregFlags;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsObject;
import io.verbs4j.core.Background;
import io.verbs4j.core.Fakes;
import io.verbs4j.testsupport.Patience;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A parent with children can't be closed, and says who they are. */
@Timeout(Patience.TEST_SECONDS)
class ReferencesTest {
    private final Rig rig = new Rig();

    @Test
    void contextIsKeptByAllObjects() {
        ProtectionDomain pd = rig.pd();
        VerbsObject[] children = {
            rig.qp(pd, rig.cq(), QpType.RC), rig.mr(pd), rig.mr(pd), rig.mw(pd), rig.ah(pd), rig.srq(pd), rig.channel()
        };

        assertFails(
                Errno.EBUSY,
                rig.context::close,
                "close_device",
                "context of fake0 still has",
                "1 protection domain,",
                "1 completion channel",
                "1 completion queue,",
                "2 memory regions",
                "1 memory window",
                "1 queue pair",
                "1 shared receive queue",
                "1 address handle",
                "close them first");
        verify(rig.ops, never()).close();

        for (VerbsObject child : children) {
            child.close();
        }
        assertFails(Errno.EBUSY, rig.context::close, "has 1 protection domain, 1 completion queue;");
        pd.close();
        ((QueuePair) children[0]).sendCq().close();
        rig.context.close();
        verify(rig.ops).close();
    }

    @Test
    void domainIsKeptByItsObjects() {
        ProtectionDomain pd = rig.pd();
        VerbsObject[] children = {
            rig.mr(pd), rig.mw(pd), rig.qp(pd, rig.cq(), QpType.RC), rig.srq(pd), rig.ah(pd), rig.ah(pd)
        };

        assertFails(
                Errno.EBUSY,
                pd::close,
                "dealloc_pd",
                "1 memory region, 1 memory window, 1 queue pair, 1 shared receive queue, 2 address handles; close"
                        + " them");
        verify(rig.ops, never()).deallocPd(any());

        for (int i = 0; i < children.length; i++) {
            assertFails(Errno.EBUSY, pd::close);
            children[i].close();
        }
        pd.close();
        verify(rig.ops).deallocPd(pd);
    }

    @Test
    void channelIsKeptByItsQueues() {
        CompletionChannel channel = rig.channel();
        CompletionQueue first = rig.cq(channel);
        CompletionQueue second = rig.cq(channel);
        rig.cq();

        assertFails(Errno.EBUSY, channel::close, "completion channel of fake0 still has 2 completion queues");
        first.close();
        second.close();
        channel.close();
    }

    @Test
    void completionQueueIsKeptByItsQueuePairs() {
        ProtectionDomain pd = rig.pd();
        CompletionQueue send = rig.cq();
        CompletionQueue recv = rig.cq();
        QueuePair both = rig.qp(pd, send, QpType.RC);
        QueuePair one = pd.createQp(Rig.qpInit(send, QpType.RC).recvCq(recv));

        assertFails(Errno.EBUSY, send::close, "still has 2 queue pairs");
        assertFails(Errno.EBUSY, recv::close, "still has 1 queue pair;");
        both.close();
        assertFails(Errno.EBUSY, send::close, "still has 1 queue pair;");
        one.close();
        send.close();
        recv.close();
    }

    @Test
    void sharedReceiveQueueIsKeptByItsQueuePairs() {
        ProtectionDomain pd = rig.pd();
        SharedReceiveQueue srq = rig.srq(pd);
        QueuePair qp = pd.createQp(Rig.qpInit(rig.cq(), QpType.RC).srq(srq));

        assertFails(Errno.EBUSY, srq::close, "shared receive queue of fake0 still has 1 queue pair");
        qp.close();
        srq.close();
    }

    @Test
    void failedCreationLeavesNoReference() {
        ProtectionDomain pd = rig.pd();
        CompletionQueue cq = rig.cq();
        rig.fault(new VerbsException(Errno.ENOMEM, "create_qp", "full"));
        assertFails(Errno.ENOMEM, () -> rig.qp(pd, cq, QpType.RC));
        rig.fault(null);

        cq.close();
        pd.close();
        rig.context.close();
    }

    @Test
    void partlyRefusedCreationLeavesNoReference() {
        ProtectionDomain pd = rig.pd();
        CompletionQueue send = rig.cq();
        CompletionQueue closed = rig.cq();
        closed.close();
        QpInitAttr init = Rig.qpInit(send, QpType.RC).recvCq(closed);
        QueuePair before = rig.udQp();

        assertFails(Errno.EINVAL, () -> pd.createQp(init), "is closed");

        verify(rig.ops, never()).createQp(pd, init);
        send.close();
        pd.close();
        assertFails(Errno.EBUSY, rig.context::close, "1 queue pair");
        assertThat(before.sendCq()).isNotNull();
    }

    @Test
    void failedDestroyKeepsReferences() {
        ProtectionDomain pd = rig.pd();
        MemoryRegion mr = rig.mr(pd);
        rig.fault(new VerbsException(Errno.EIO, "dereg_mr", "not now"));
        assertFails(Errno.EIO, mr::close);
        rig.fault(null);

        assertFails(Errno.EBUSY, pd::close, "1 memory region");
    }

    @Test
    void reregMovesReference() {
        ProtectionDomain old = rig.pd();
        ProtectionDomain next = rig.pd();
        MemoryRegion mr = rig.mr(old);

        mr.rereg(ReregFlags.CHANGE_PD, next, 0, 0, 0);

        assertFails(Errno.EBUSY, next::close, "1 memory region");
        old.close();
        mr.close();
        next.close();
    }

    @Test
    void regionMovedToItsOwnDomainIsCountedOnce() {
        ProtectionDomain pd = rig.pd();
        MemoryRegion mr = rig.mr(pd);

        mr.rereg(ReregFlags.CHANGE_PD, pd, 0, 0, 0);

        assertFails(Errno.EBUSY, pd::close, "1 memory region;");
        mr.close();
        pd.close();
    }

    @Test
    void failedReregKeepsReference() {
        ProtectionDomain old = rig.pd();
        ProtectionDomain next = rig.pd();
        MemoryRegion mr = rig.mr(old);
        rig.fault(new VerbsException(Errno.EBUSY, "rereg_mr", "windows"));
        assertFails(
                Errno.EBUSY,
                () -> mr.rereg(ReregFlags.CHANGE_PD | ReregFlags.CHANGE_ACCESS, next, 0, 0, AccessFlags.REMOTE_READ));
        rig.fault(null);

        next.close();
        assertFails(Errno.EBUSY, old::close, "1 memory region");
    }

    @Test
    void parentIsBusyWhileChildIsCreated() throws InterruptedException {
        ProtectionDomain pd = rig.pd();
        CountDownLatch inProvider = new CountDownLatch(1);
        CountDownLatch finish = new CountDownLatch(1);
        doAnswer(i -> {
                    inProvider.countDown();
                    finish.await();
                    return new Fakes.FakeAh(pd);
                })
                .when(rig.ops)
                .createAh(any(), any());

        Background<VerbsObject> creation = Background.call(() -> rig.ah(pd));
        inProvider.await();
        assertFails(Errno.EBUSY, pd::close, "1 address handle");
        assertFails(Errno.EBUSY, rig.context::close, "1 address handle");
        finish.countDown();

        creation.result().close();
        pd.close();
    }

    @Test
    void closingParentRefusesNewChild() throws InterruptedException {
        ProtectionDomain pd = rig.pd();
        CountDownLatch inProvider = new CountDownLatch(1);
        CountDownLatch finish = new CountDownLatch(1);
        doAnswer(i -> {
                    inProvider.countDown();
                    finish.await();
                    return null;
                })
                .when(rig.ops)
                .deallocPd(pd);

        Background<Void> close = Background.run(pd::close);
        inProvider.await();
        assertFails(Errno.EINVAL, () -> rig.ah(pd), "being closed");
        finish.countDown();

        assertThat(close.thrown()).isNull();
        verify(rig.ops, never()).createAh(any(), any());
    }

    /** Else a thread that waited for the child's end could find the parent busy. */
    @Test
    void parentCanBeClosedOnceChildIsClosed() throws InterruptedException {
        for (int i = 0; i < 200; i++) {
            ProtectionDomain pd = rig.pd();
            MemoryRegion mr = rig.mr(pd);
            Background<Void> other = Background.run(() -> {
                mr.close();
                pd.close();
            });
            mr.close();
            pd.close();
            assertThat(other.thrown()).isNull();
        }
    }
}
