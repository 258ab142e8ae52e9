/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import static io.verbs4j.compat.kit.CounterRig.DESCRIBED;
import static io.verbs4j.compat.kit.CounterRig.LENGTH;
import static io.verbs4j.compat.kit.CounterRig.NO_OP;

import io.verbs4j.CompCntrOps;
import io.verbs4j.CompletionCounter;
import io.verbs4j.Errno;
import io.verbs4j.QpAttr;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;

/** R26: completion counters. */
interface CounterRules {
    @Rule(
            id = "R26.01",
            since = 4,
            says = "sends and receives are counted, signaled or not, as their completions could be polled",
            look = {"the function in the slot QP_ATTACH_COMP_CNTR", "CompletionCounter.read"},
            man = DESCRIBED,
            needs = {Capability.SEND, Capability.COMPLETION_COUNTERS},
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS})
    default void r2601Messages(CounterRig rig) {
        CompletionCounter[] counters = rig.makeCounted();
        CounterRig.attach(rig.a, counters[0], CompCntrOps.SEND);
        CounterRig.attach(rig.b, counters[1], CompCntrOps.RECV);
        Side.connect(rig.a, rig.b);
        for (int i = 0; i < 3; i++) {
            rig.b.recv(i, i * LENGTH, LENGTH);
        }
        for (int i = 0; i < 3; i++) {
            SendWorkRequest wr = rig.a.request(WrOpcode.SEND, rig.b, i, 0, rig.a.sge(0, i == 1 ? 1 : LENGTH));
            boolean signaled = i == 2 || rig.a.qpType != QpType.RC; // other services may not have unsignaled requests
            rig.a.post(signaled ? wr : wr.sendFlags(0));
            rig.b.next(i, WcStatus.SUCCESS);
            if (signaled) {
                rig.a.next(i, WcStatus.SUCCESS);
            }
        }
        CounterRig.counted("sends", rig.a, CompCntrOps.SEND, 3, counters[0]);
        CounterRig.counted("receives", rig.b, CompCntrOps.RECV, 3, counters[1]);
    }

    @Rule(
            id = "R26.02",
            since = 4,
            says = "RDMA writes are counted where they are posted and where they arrive",
            look = {"the function in the slot QP_ATTACH_COMP_CNTR", "CompletionCounter.read"},
            man = DESCRIBED,
            needs = {Capability.RDMA_WRITE, Capability.COMPLETION_COUNTERS},
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS})
    default void r2602Writes(CounterRig rig) {
        rig.remote(WrOpcode.RDMA_WRITE, CompCntrOps.RDMA_WRITE, CompCntrOps.REMOTE_RDMA_WRITE);
    }

    @Rule(
            id = "R26.03",
            since = 4,
            says = "RDMA reads are counted where they are posted and where they are answered",
            look = {"the function in the slot QP_ATTACH_COMP_CNTR", "CompletionCounter.read"},
            man = DESCRIBED,
            needs = {Capability.RDMA_READ, Capability.COMPLETION_COUNTERS},
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS})
    default void r2603Reads(CounterRig rig) {
        rig.remote(WrOpcode.RDMA_READ, CompCntrOps.RDMA_READ, CompCntrOps.REMOTE_RDMA_READ);
    }

    @Rule(
            id = "R26.04",
            since = 4,
            says = "what is flushed is counted as failed",
            look = {"the function in the slot QP_ATTACH_COMP_CNTR", "CompletionCounter.readErr"},
            man = DESCRIBED,
            needs = {Capability.SEND, Capability.COMPLETION_COUNTERS},
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS})
    default void r2604Failures(CounterRig rig) {
        CompletionCounter[] counters = rig.makeCounted();
        CounterRig.attach(rig.b, counters[1], CompCntrOps.RECV);
        Side.connect(rig.a, rig.b);
        rig.b.recv(1, 0, LENGTH);
        rig.b.recv(2, 0, LENGTH);
        rig.b.qp.modify(new QpAttr().qpState(QpState.ERR));
        rig.b.next(1, WcStatus.WR_FLUSH_ERR);
        rig.b.next(2, WcStatus.WR_FLUSH_ERR);
        if (CounterRig.counts(rig.b, CompCntrOps.RECV)) {
            Seen.equal("read() of the counter of flushed requests", 0L, counters[1].read());
            Seen.equal("readErr() of the counter of flushed requests", 2L, counters[1].readErr());
        }
    }

    @Rule(
            id = "R26.05",
            since = 4,
            says = "a counter can be set and added to, each of its numbers by itself, and is closed but once",
            look = {"the function in the slot CREATE_COMP_CNTR", "CompletionCounter.set, inc, setErr, incErr"},
            man = DESCRIBED,
            needs = {Capability.COMPLETION_COUNTERS})
    default void r2605Set(CounterRig rig) {
        rig.make(s -> {});
        CompletionCounter counter = rig.counter(rig.a);
        Seen.equal("read() of a new counter", 0L, counter.read());
        Seen.equal("readErr() of a new counter", 0L, counter.readErr());
        counter.set(40);
        counter.setErr(7);
        counter.inc(2);
        counter.incErr(3);
        Seen.equal("read() after set(40) and inc(2)", 42L, counter.read());
        Seen.equal("readErr() after setErr(7) and incErr(3)", 10L, counter.readErr());
        counter.close();
        Seen.refuses("read() of a closed counter", counter::read, Errno.EINVAL);
        Seen.refuses("inc(1) of a closed counter", () -> counter.inc(1), Errno.EINVAL);
    }

    @Rule(
            id = "R26.06",
            since = 4,
            says = "what the device does not count is refused, and no device counts what nobody has heard of",
            look = {"the functions in the slots QP_ATTACH_COMP_CNTR and QUERY_COMP_CNTR_CAPS"},
            man = DESCRIBED,
            needs = {Capability.COMPLETION_COUNTERS},
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS})
    default void r2606Refused(CounterRig rig) {
        CompletionCounter[] counters = rig.makeCounted();
        int ops = rig.a.context.queryCompCntrCaps().supportedQpAttachOps();
        Seen.check(
                (ops & NO_OP) == 0,
                "supportedQpAttachOps is 0x" + Integer.toHexString(ops) + ", with bit 20, which no level defines");
        Seen.check(rig.a.context.queryCompCntrCaps().maxCounters() > 0, "maxCounters is 0, but a counter was created");
        for (int op = 1; op != 0; op <<= 1) {
            int one = op;
            if ((ops & op) == 0) {
                Seen.refuses(
                        "attachCompCntr of 0x" + Integer.toHexString(op),
                        () -> rig.a.qp.attachCompCntr(counters[0], one),
                        Errno.EOPNOTSUPP);
            }
        }
        rig.a.qp.attachCompCntr(counters[0], ops);
    }
}
