/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Errno;
import io.verbs4j.PortState;
import io.verbs4j.QpAttrMask;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcFlags;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import org.junit.jupiter.api.Assumptions;
import org.opentest4j.AssertionFailedError;

/** R4: sends and receives over reliable connections, posting and polling. */
interface SendRules {
    @Rule(
            id = "R4.01",
            says = "what is sent arrives whole, and nothing beside it changes",
            look = {"QueuePair.postSend", "QueuePair.postRecv"},
            man = "ibv_post_send(3), DESCRIPTION",
            needs = {Capability.RC, Capability.SEND})
    default void r401Arrives(Rig rig) {
        rig.start();
        int[] sizes = {0, 1, 3, 4, Side.MTU - 1, Side.MTU, Side.MTU + 1, 2 * Side.MTU, 3 * Side.MTU + 7, 20_000};
        for (int size : sizes) {
            rig.b.recv(7, 20_000, 20_000);
            rig.a.post(rig.a.wr(WrOpcode.SEND, 5, rig.a.sge(100, size)));
            rig.b.next(7, WcStatus.SUCCESS);
            rig.a.next(5, WcStatus.SUCCESS);
            rig.b.memory.holds(20_000, rig.a.memory, 100, size);
            rig.b.memory.untouched(0, 20_000);
            rig.b.memory.untouched(40_000, Side.BYTES - 40_000);
        }
    }

    @Rule(
            id = "R4.02",
            says = "a completion tells request, opcode, length and queue pair",
            look = "CompletionQueue.poll",
            man = "ibv_poll_cq(3), DESCRIPTION",
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS})
    default void r402Completion(Rig rig) {
        rig.start();
        rig.b.ready(0xfeed_0000_0001L, 0, 200);
        rig.a.post(rig.a.operation(rig.b, -5, 0, 0, 123));
        if (rig.has(Capability.SEND)) {
            WorkCompletion got = rig.b.next(0xfeed_0000_0001L, WcStatus.SUCCESS);
            Seen.equal("opcode of the receive", WcOpcode.toString(WcOpcode.RECV), WcOpcode.toString(got.opcode()));
            Seen.equal("byteLen of the receive", 123, got.byteLen());
            Seen.equal("qpNum of the receive", rig.b.qp.qpNum(), got.qpNum());
            Seen.equal("the flag WITH_IMM of a receive without immediate data", 0, got.wcFlags() & WcFlags.WITH_IMM);
        }
        int opcode = rig.has(Capability.SEND)
                ? WcOpcode.SEND
                : rig.has(Capability.RDMA_WRITE) ? WcOpcode.RDMA_WRITE : WcOpcode.RDMA_READ;
        WorkCompletion sent = rig.a.next(-5, WcStatus.SUCCESS);
        Seen.equal("opcode of the send", WcOpcode.toString(opcode), WcOpcode.toString(sent.opcode()));
        Seen.equal("qpNum of the send", rig.a.qp.qpNum(), sent.qpNum());
    }

    @Rule(
            id = "R4.03",
            says = "immediate data arrives as it was given, and is announced",
            look = {"QueuePair.postSend", "CompletionQueue.poll"},
            man = "ibv_poll_cq(3), DESCRIPTION (imm_data, IBV_WC_WITH_IMM)",
            needs = {Capability.RC, Capability.SEND, Capability.IMMEDIATE})
    default void r403Immediate(Rig rig) {
        rig.start();
        rig.b.recv(1, 0, 10);
        rig.a.post(rig.a.wr(WrOpcode.SEND_WITH_IMM, 1, rig.a.sge(0, 10)).immData(0xcafebabe));
        WorkCompletion got = rig.b.next(1, WcStatus.SUCCESS);
        Seen.check((got.wcFlags() & WcFlags.WITH_IMM) != 0, "wcFlags lacks WITH_IMM");
        Seen.equal("immData", "0xcafebabe", "0x" + Integer.toHexString(got.immData()));
    }

    @Rule(
            id = "R4.04",
            says = "messages arrive and complete in the order of their posting",
            look = {"QueuePair.postSend", "CompletionQueue.poll"},
            man = "ibv_post_send(3), DESCRIPTION",
            needs = Capability.RC)
    default void r404Order(Rig rig) {
        rig.start();
        SendWorkRequest list = null;
        // The pieces must not overlap: those of a read on this side, those of other operations on the other.
        int apart = rig.a.opcode() == WrOpcode.RDMA_READ ? 2000 : 1;
        for (int i = 9; i >= 0; i--) {
            list = rig.a.operation(rig.b, i, i * apart, i * 2000, 1000 + i).next(list);
        }
        for (int i = 0; i < 10; i++) {
            rig.b.ready(i, i * 2000, 2000);
        }
        rig.a.post(list);
        for (int i = 0; i < 10; i++) {
            if (rig.has(Capability.SEND)) {
                WorkCompletion got = rig.b.next(i, WcStatus.SUCCESS);
                Seen.equal("byteLen of message " + i, 1000 + i, got.byteLen());
            }
            rig.a.next(i, WcStatus.SUCCESS);
            rig.a.moved(rig.b, i * apart, i * 2000, 1000 + i);
        }
    }

    @Rule(
            id = "R4.05",
            says = "a list of pieces of memory is gathered and scattered in its order",
            look = {"QueuePair.postSend", "QueuePair.postRecv"},
            man = "ibv_post_send(3), DESCRIPTION (sg_list)",
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS})
    default void r405Pieces(Rig rig) {
        int pieces = Math.min(3, rig.open().queryDevice().maxSge());
        rig.start(s -> s.maxSge = pieces);
        ScatterGatherElement[] list = {rig.a.sge(3, 2000), rig.a.sge(2003, 7), rig.a.sge(2010, 993)};
        ScatterGatherElement[] room = {rig.b.sge(0, 1), rig.b.sge(9000, 0), rig.b.sge(1, 4000)};
        if (pieces == 1) {
            list = new ScatterGatherElement[] {rig.a.sge(3, 3000)};
            room = new ScatterGatherElement[] {rig.b.sge(0, 4000)};
        } else if (pieces == 2) {
            list = new ScatterGatherElement[] {rig.a.sge(3, 2000), rig.a.sge(2003, 1000)};
            room = new ScatterGatherElement[] {rig.b.sge(0, 1), rig.b.sge(1, 4000)};
        }
        if (rig.has(Capability.SEND)) {
            rig.b.recv(new RecvWorkRequest().wrId(1).sgList(room));
        }
        rig.a.post(rig.a.operation(rig.b, 1, 0, list));
        if (rig.has(Capability.SEND)) {
            Seen.equal("byteLen", 3000, rig.b.next(1, WcStatus.SUCCESS).byteLen());
        }
        rig.a.next(1, WcStatus.SUCCESS);
        rig.a.moved(rig.b, 3, 0, 3000);
        rig.b.memory.untouched(3000, 10_000);
    }

    @Rule(
            id = "R4.06",
            says = "inline data is taken at the post: the memory may change afterwards",
            look = "QueuePair.postSend",
            man = "ibv_post_send(3), DESCRIPTION (IBV_SEND_INLINE)",
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS},
            needs = Capability.INLINE)
    default void r406Inline(Rig rig) {
        // The device holds the message back if it can, so that it leaves after the memory has changed.
        rig.start(s -> s.maxInline = 32);
        Memory before = new Memory(Side.BYTES, 1);
        if (!rig.has(Capability.RNR)) {
            rig.b.ready(1, 0, 100);
        }
        SendWorkRequest wr = rig.a.operation(rig.b, 1, 0, 0, 32);
        Assumptions.assumeTrue(wr.opcode() != WrOpcode.RDMA_READ, "an RDMA read carries no inline data");
        rig.a.post(wr.sendFlags(SendFlags.SIGNALED | SendFlags.INLINE));
        for (int i = 0; i < 32; i++) {
            rig.a.memory.buffer.put(i, (byte) 0);
        }
        if (rig.has(Capability.RNR)) {
            rig.b.ready(1, 0, 100);
        }
        rig.a.next(1, WcStatus.SUCCESS);
        rig.b.took(1);
        rig.b.memory.holds(0, before, 0, 32);
    }

    @Rule(
            id = "R4.07",
            says = "a send that is not signaled makes no completion",
            look = "QueuePair.postSend",
            man = "ibv_post_send(3), DESCRIPTION (IBV_SEND_SIGNALED)",
            needs = Capability.RC)
    default void r407Unsignaled(Rig rig) {
        rig.start();
        rig.b.ready(1, 0, 10);
        rig.b.ready(2, 0, 10);
        rig.a.post(rig.a.operation(rig.b, 1, 0, 0, 10).sendFlags(0));
        rig.a.post(rig.a.operation(rig.b, 2, 0, 0, 10));
        rig.a.next(2, WcStatus.SUCCESS);
        rig.a.nothing("although only one signaled send was posted, and it has completed");
    }

    @Rule(
            id = "R4.08",
            says = "with sqSigAll every send makes a completion",
            look = {"QueuePair.postSend", "ContextOps.createQp"},
            man = "ibv_create_qp(3), DESCRIPTION (sq_sig_all)",
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS})
    default void r408SignalAll(Rig rig) {
        rig.start(s -> s.sigAll = true);
        rig.b.ready(1, 0, 10);
        rig.a.post(rig.a.operation(rig.b, 1, 0, 0, 10).sendFlags(0));
        rig.a.next(1, WcStatus.SUCCESS);
    }

    @Rule(
            id = "R4.09",
            says = "a receive queue that is full answers ENOMEM, tells which request did not fit, and keeps the others",
            look = "QueuePair.postRecv",
            man = "ibv_post_recv(3), RETURN VALUE",
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS},
            needs = Capability.SEND)
    default void r409FullReceiveQueue(Rig rig) {
        rig.start(s -> s.maxWr = 4);
        int room = Rig.capOf(rig.b).maxRecvWr();
        RecvWorkRequest list = null;
        for (int i = room; i >= 0; i--) {
            list = rig.b.receive(i, 0, 10).next(list);
        }
        RecvWorkRequest[] bad = new RecvWorkRequest[1];
        Seen.errno("postRecv of one request more than fits", Errno.ENOMEM, rig.b.qp.postRecv(list, bad));
        Seen.check(
                bad[0] != null && bad[0].wrId() == room,
                "badWr[0] is " + (bad[0] == null ? "null" : "request " + bad[0].wrId()) + ", not request " + room);
        rig.a.post(rig.a.request(WrOpcode.SEND, rig.b, 1, 0, rig.a.sge(0, 10)));
        rig.b.next(0, WcStatus.SUCCESS);
    }

    @Rule(
            id = "R4.10",
            says = "a send queue that is full answers ENOMEM, tells which request did not fit, and sends the others",
            look = "QueuePair.postSend",
            man = "ibv_post_send(3), RETURN VALUE",
            needs = {Capability.RC, Capability.SEND, Capability.RNR})
    default void r410FullSendQueue(Rig rig) {
        rig.start(s -> s.maxWr = 4);
        int room = Rig.capOf(rig.a).maxSendWr();
        SendWorkRequest list = null;
        for (int i = room; i >= 0; i--) { // nothing is received yet, so nothing completes
            list = rig.a.wr(WrOpcode.SEND, i, rig.a.sge(0, 10)).next(list);
        }
        SendWorkRequest[] bad = new SendWorkRequest[1];
        Seen.errno("postSend of one request more than fits", Errno.ENOMEM, rig.a.qp.postSend(list, bad));
        Seen.check(
                bad[0] != null && bad[0].wrId() == room,
                "badWr[0] is " + (bad[0] == null ? "null" : "request " + bad[0].wrId()) + ", not request " + room);
        rig.b.recv(0, 0, 10);
        rig.a.next(0, WcStatus.SUCCESS);
    }

    @Rule(
            id = "R4.11",
            says = "a bad work request is answered with EINVAL; posting and polling never throw",
            look = {"QueuePair.postSend", "QueuePair.postRecv", "CompletionQueue.poll"},
            man = "ibv_post_send(3), RETURN VALUE",
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS})
    default void r411BadRequests(Rig rig) {
        rig.start();
        int tooMany = rig.a.context.queryDevice().maxSge() + 1;
        ScatterGatherElement[] list = new ScatterGatherElement[tooMany];
        java.util.Arrays.setAll(list, i -> rig.a.sge(0, 1));
        Seen.errno("postSend(null)", Errno.EINVAL, rig.a.qp.postSend(null));
        Seen.errno("postRecv(null)", Errno.EINVAL, rig.a.qp.postRecv(null));
        Seen.errno(
                "postSend of " + tooMany + " pieces",
                Errno.EINVAL,
                rig.a.qp.postSend(rig.a.operation(rig.b, 1, 0, list)));
        if (rig.has(Capability.SEND)) {
            RecvWorkRequest wide = new RecvWorkRequest().sgList(list);
            Seen.errno("postRecv of " + tooMany + " pieces", Errno.EINVAL, rig.a.qp.postRecv(wide));
        }
        Seen.errno("poll(1, null)", -Errno.EINVAL, rig.a.cq.poll(1, null));
        Seen.errno("poll of more than the array holds", -Errno.EINVAL, rig.a.cq.poll(2, new WorkCompletion[1]));
        Seen.errno("poll(-1, ...)", -Errno.EINVAL, rig.a.cq.poll(-1, new WorkCompletion[1]));
    }

    @Rule(
            id = "R4.12",
            says = "poll takes as many completions as it is told, in their order, and says how many",
            look = "CompletionQueue.poll",
            man = "ibv_poll_cq(3), RETURN VALUE",
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS})
    default void r412Poll(Rig rig) {
        rig.start();
        WorkCompletion[] wc = {new WorkCompletion(), new WorkCompletion(), new WorkCompletion()};
        CompletionQueue cq = rig.has(Capability.SEND) ? rig.b.cq : rig.a.cq;
        Seen.equal("poll of an empty queue", 0, cq.poll(3, wc));
        for (int i = 1; i <= 5; i++) {
            rig.b.ready(i, 0, 10);
            rig.a.post(rig.a.operation(rig.b, i, 0, 0, 10));
            if (rig.has(Capability.SEND)) {
                rig.a.next(i, WcStatus.SUCCESS);
            }
        }
        rig.a.pause(); // so that several completions are there, on either side
        int taken = 0;
        long end = System.nanoTime() + rig.kit.patience().toNanos();
        int n = 1;
        while (taken < 5 && (n > 0 || System.nanoTime() < end)) {
            n = cq.poll(2, wc);
            Seen.check(n >= 0 && n <= 2, "poll(2, ...) returned " + n);
            for (int i = 0; i < n; i++) {
                Seen.equal("wrId of completion " + (taken + 1), (long) ++taken, wc[i].wrId());
            }
        }
        Seen.equal("the number of completions", 5, taken);
        Seen.equal("poll of a queue that was emptied", 0, cq.poll(3, wc));
    }

    @Rule(
            id = "R4.13",
            says = "a send waits for a receiver that is not ready",
            look = "QueuePair.postSend",
            man = "ibv_modify_qp(3), DESCRIPTION (rnr_retry, min_rnr_timer)",
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS},
            needs = {Capability.SEND, Capability.RNR})
    default void r413NotReady(Rig rig) {
        rig.start();
        rig.a.post(rig.a.request(WrOpcode.SEND, rig.b, 1, 0, rig.a.sge(0, 5000)));
        rig.a.nothing("although no receive was posted for it");
        rig.b.recv(2, 0, 5000);
        rig.b.next(2, WcStatus.SUCCESS);
        rig.a.next(1, WcStatus.SUCCESS);
        rig.b.memory.holds(0, rig.a.memory, 0, 5000);
    }

    @Rule(
            id = "R4.14",
            says = "every port that is active carries what is sent",
            look = {"ContextOps.modifyQp", "QueuePair.postSend"},
            man = "ibv_modify_qp(3), DESCRIPTION (port_num)",
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS})
    default void r414Ports(Rig rig) {
        for (int port : Rig.activePorts(rig.open())) {
            rig.make(s -> s.port = port);
            boolean there = port <= rig.b.context.queryDevice().physPortCnt()
                    && rig.b.context.queryPort(port).state() == PortState.ACTIVE;
            if (!there) {
                continue; // the other side is another device
            }
            try {
                Side.connect(rig.a, rig.b);
                rig.a.exchange(rig.b, port, 0, 100, 3000);
            } catch (AssertionFailedError e) {
                throw new AssertionFailedError("on port " + port + ": " + e.getMessage(), e);
            }
            Seen.equal("portNum of query", port, rig.a.qp.query(QpAttrMask.PORT).portNum());
        }
    }
}
