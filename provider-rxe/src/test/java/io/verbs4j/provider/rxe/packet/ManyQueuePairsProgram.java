/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Errno;
import io.verbs4j.Gid;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpAttr;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.VerbsException;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.provider.rxe.TestContext;
import io.verbs4j.provider.rxe.port.RxeConfig;
import io.verbs4j.provider.rxe.qp.RxeQueuePair;
import io.verbs4j.rdmacore.sim.QpWalk;
import io.verbs4j.testsupport.LiveHeap;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** A program with thousands of queue pairs and little direct memory; started by {@link ManyQueuePairsTest}. */
final class ManyQueuePairsProgram {
    private static final int COUNT = 4000;
    private static final int MESSAGES = 4;
    private static final int BYTES = 2048; // whole packets: those that end with a shorter one are never held

    private static final QpWalk WALK = QpWalk.of(QpType.RC).psn(7).timeout(18);

    private ManyQueuePairsProgram() {}

    public static void main(String[] arguments) {
        thousandsWork();
        whatDoesNotFitIsAnError();
        System.exit(0);
    }

    private static TestContext open() {
        return TestContext.open(new RxeConfig(1, List.of(TestContext.newAddress()), false, TestContext.PACKETS, null));
    }

    private static void thousandsWork() {
        try (TestContext context = open();
                ProtectionDomain pd = context.allocPd();
                CompletionQueue cq = context.createCq(1 << 16);
                MemoryRegion mr = pd.regMr(ByteBuffer.allocateDirect(BYTES), Subject.ALL)) {
            Gid gid = context.queryGid(1, 0);
            long heap = LiveHeap.bytes();
            long direct = direct();
            List<QueuePair> qps = new ArrayList<>();
            for (int i = 0; i < COUNT; i++) {
                qps.add(newQp(pd, cq));
            }
            for (int i = 0; i < COUNT; i++) {
                toRtr(qps.get(i), gid, qps.get(i ^ 1).qpNum());
                toRts(qps.get(i));
            }
            say("each: " + (LiveHeap.bytes() - heap) / COUNT + " bytes of heap; all: " + (direct() - direct)
                    + " bytes of direct memory");
            // All have packets in flight and more held back at the same time.
            SendWorkRequest send = new SendWorkRequest()
                    .opcode(WrOpcode.SEND)
                    .sendFlags(SendFlags.SIGNALED)
                    .sgList(ScatterGatherElement.of(mr, 0, BYTES));
            RecvWorkRequest receive = new RecvWorkRequest().sgList(ScatterGatherElement.of(mr, 0, BYTES));
            for (QueuePair qp : qps) {
                for (int n = 0; n < MESSAGES; n++) {
                    check(qp.postRecv(receive) == 0, "postRecv");
                }
            }
            for (QueuePair qp : qps) {
                for (int n = 0; n < MESSAGES; n++) {
                    check(qp.postSend(send) == 0, "postSend");
                }
            }
            WorkCompletion[] wc = {new WorkCompletion()};
            for (int left = 2 * COUNT * MESSAGES; left > 0; ) {
                if (cq.poll(1, wc) == 1) {
                    check(wc[0].status() == WcStatus.SUCCESS, WcStatus.toString(wc[0].status()));
                    left--;
                }
            }
            say("under load: " + (direct() - direct) + " bytes of direct memory");
            for (QueuePair qp : qps) {
                qp.close();
            }
            check(context.port().openLinks().get(0).batches().lent() == 0, "batches were not returned");
        }
    }

    private static void whatDoesNotFitIsAnError() {
        try (TestContext context = open();
                ProtectionDomain pd = context.allocPd();
                CompletionQueue cq = context.createCq(16);
                QueuePair qp = newQp(pd, cq)) {
            List<ByteBuffer> hog = new ArrayList<>();
            fill(hog);
            try {
                toRtr(qp, context.queryGid(1, 0), qp.qpNum());
                check(false, "RTR succeeded without memory");
            } catch (VerbsException e) {
                say(e.getMessage());
                check(e.errno() == Errno.ENOMEM, "ENOMEM");
                check(e.getMessage().contains("-XX:MaxDirectMemorySize"), e.getMessage());
            }
            check(((RxeQueuePair) qp).qp.state() == QpState.INIT, "the failed change to RTR changed the state");
            hog.clear(); // the JVM collects it on demand
            QpAttr again = rtr(context.queryGid(1, 0), qp.qpNum());
            qp.modify(again);
            toRts(qp);
            check(((RxeQueuePair) qp).qp.state() == QpState.RTS, "RTR or RTS failed with enough memory");
        }
    }

    private static void fill(List<ByteBuffer> hog) {
        for (int size = 1 << 20; size >= 1 << 10; ) {
            try {
                hog.add(ByteBuffer.allocateDirect(size));
            } catch (OutOfMemoryError e) {
                size >>= 1;
            }
        }
    }

    private static QueuePair newQp(ProtectionDomain pd, CompletionQueue cq) {
        return pd.createQp(new QpInitAttr()
                .qpType(QpType.RC)
                .sendCq(cq)
                .recvCq(cq)
                .cap(new QpCap().maxSendWr(8).maxRecvWr(8).maxSendSge(1).maxRecvSge(1)));
    }

    private static void toRtr(QueuePair qp, Gid gid, int peer) {
        qp.modify(WALK.init());
        qp.modify(rtr(gid, peer));
    }

    private static QpAttr rtr(Gid gid, int peer) {
        return WALK.rtr(QpWalk.path(gid), peer);
    }

    private static void toRts(QueuePair qp) {
        qp.modify(WALK.rts());
    }

    private static long direct() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
    }

    private static void say(String text) {
        System.out.println(text);
    }

    private static void check(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError(what);
        }
    }
}
