/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.attack;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.AccessFlags;
import io.verbs4j.AhAttr;
import io.verbs4j.AsyncEvent;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Gid;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpState;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.provider.rxe.TestContext;
import io.verbs4j.rdmacore.sim.QpWalk;
import io.verbs4j.testsupport.Patience;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A queue pair with its own completion queue, on a device shared with others. */
final class End implements AutoCloseable {
    static final int ALL =
            AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ | AccessFlags.REMOTE_ATOMIC;
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(60);

    final TestContext context;
    final ProtectionDomain pd;
    final CompletionQueue cq;
    final QueuePair qp;

    /** Keeps memory reachable, as the library would, which is bypassed here. */
    private final List<ByteBuffer> registered = new ArrayList<>();

    private final WorkCompletion[] wc = {new WorkCompletion()};

    End(TestContext context, ProtectionDomain pd, int type) {
        this.context = context;
        this.pd = pd;
        cq = context.createCq(256);
        qp = pd.createQp(new QpInitAttr()
                .qpType(type)
                .sendCq(cq)
                .recvCq(cq)
                .cap(new QpCap()
                        .maxSendWr(64)
                        .maxRecvWr(64)
                        .maxSendSge(2)
                        .maxRecvSge(2)
                        .maxInlineData(64)));
    }

    static void connect(End a, End b) {
        a.toRts(b.context, b.qp.qpNum());
        b.toRts(a.context, a.qp.qpNum());
    }

    /** Connects one side. */
    void toRts(TestContext peer, int peerQpn) {
        QpWalk.of(qp.qpType())
                .access(ALL & ~AccessFlags.LOCAL_WRITE)
                .qkey(7)
                .minRnrTimer(1)
                .timeout(13)
                .readDepth(8)
                .psn(9)
                .connect(qp, path(peer.queryGid(1, 0)), peerQpn);
    }

    static AhAttr path(Gid remote) {
        return QpWalk.path(remote);
    }

    MemoryRegion register(ByteBuffer memory) {
        registered.add(memory);
        return pd.regMr(memory, ALL);
    }

    void receive(long id, MemoryRegion into, int length) {
        ScatterGatherElement piece = ScatterGatherElement.of(into, 0, 0).length(length);
        assertThat(qp.postRecv(new RecvWorkRequest().wrId(id).sgList(piece))).isZero();
    }

    static SendWorkRequest request(int opcode, MemoryRegion local, MemoryRegion remote, int length) {
        return new SendWorkRequest()
                .opcode(opcode)
                .sendFlags(SendFlags.SIGNALED)
                .sgList(ScatterGatherElement.of(local, 0, 0).length(length))
                .remoteAddr(remote.addr())
                .rkey(remote.rkey())
                .compareAdd(1);
    }

    void post(SendWorkRequest request) {
        assertThat(qp.postSend(request)).isZero();
    }

    /** Polls until there is a completion, and returns its status. */
    int status() {
        long end = System.nanoTime() + PATIENCE;
        for (int turn = 0; System.nanoTime() < end; turn++) {
            int n = cq.poll(1, wc);
            assertThat(n).isNotNegative();
            if (n == 1) {
                return wc[0].status();
            }
            Patience.pause(turn);
        }
        throw new AssertionError(
                "no completion; state " + QpState.toString(qp.query(0).qpState()));
    }

    /** Expects one of the given statuses. */
    void expect(Integer... statuses) {
        int status = status();
        assertThat(status).as("status %s", WcStatus.toString(status)).isIn((Object[]) statuses);
    }

    /** Waits until messages from this device go by one copy. */
    void awaitOneCopy() {
        long end = System.nanoTime() + PATIENCE;
        while (context.port().counters().get("onecopy_rings") == 0) {
            assertThat(System.nanoTime()).as("time until a ring is established").isLessThan(end);
            assertThat(cq.poll(0, wc)).isZero();
            context.port().openLinks().forEach(link -> link.reach(link.localGid()));
        }
    }

    void awaitState(int state) {
        long end = System.nanoTime() + PATIENCE;
        for (int turn = 0; qp.query(0).qpState() != state; turn++) {
            assertThat(System.nanoTime())
                    .as("state is " + QpState.toString(qp.query(0).qpState()))
                    .isLessThan(end);
            Patience.pause(turn);
        }
    }

    /** Returns the type of the next event about this queue pair. */
    int event() {
        while (true) {
            AsyncEvent event = context.getAsyncEvent(PATIENCE, TimeUnit.NANOSECONDS);
            assertThat(event).as("event").isNotNull();
            event.ack();
            if (event.element() == qp) {
                return event.eventType();
            }
        }
    }

    @Override
    public void close() {
        qp.close();
        cq.close();
    }
}
