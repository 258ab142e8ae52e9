/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import io.verbs4j.CompCntrInitAttr;
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
abstract class CounterRules extends TagRules {
    private static final String DESCRIBED =
            "ibv_create_comp_cntr(3), ibv_qp_attach_comp_cntr(3), and the Javadoc of CompletionCounter";
    private static final int NO_OP = 1 << 20;
    private static final int LENGTH = 1000;

    /** For {@link ProviderKit}. */
    CounterRules() {}

    /** Made before the queue pairs, so that it is closed after them. */
    private CompletionCounter counter(Side side) {
        return made(CompletionCounter.class, side.context.createCompCntr(new CompCntrInitAttr()));
    }

    /** Makes both sides, and a counter for each: that of {@code a} first. */
    private CompletionCounter[] makeCounted() {
        CompletionCounter[] counters = new CompletionCounter[2];
        make(s -> counters[s == a ? 0 : 1] = counter(s));
        return counters;
    }

    private static boolean counts(Side side, int op) {
        return (side.context.queryCompCntrCaps().supportedQpAttachOps() & op) != 0;
    }

    /** Lets a counter count an operation, where the device counts that. */
    private static void attach(Side side, CompletionCounter counter, int op) {
        if (counts(side, op)) {
            side.qp.attachCompCntr(counter, op);
        }
    }

    private static void counted(String what, Side side, int op, long expected, CompletionCounter counter) {
        if (counts(side, op)) {
            Seen.equal("read() of the counter of " + what, expected, counter.read());
            Seen.equal("readErr() of the counter of " + what, 0L, counter.readErr());
        }
    }

    @Rule(
            id = "R26.01",
            since = 4,
            says = "sends and receives are counted, signaled or not, as their completions could be polled",
            look = {"the function in the slot QP_ATTACH_COMP_CNTR", "CompletionCounter.read"},
            man = DESCRIBED,
            needs = {Capability.SEND, Capability.COMPLETION_COUNTERS},
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS})
    final void r2601Messages() {
        CompletionCounter[] counters = makeCounted();
        attach(a, counters[0], CompCntrOps.SEND);
        attach(b, counters[1], CompCntrOps.RECV);
        Side.connect(a, b);
        for (int i = 0; i < 3; i++) {
            b.recv(i, i * LENGTH, LENGTH);
        }
        for (int i = 0; i < 3; i++) {
            SendWorkRequest wr = a.request(WrOpcode.SEND, b, i, 0, a.sge(0, i == 1 ? 1 : LENGTH));
            boolean signaled = i == 2 || a.qpType != QpType.RC; // others may have no requests that are not
            a.post(signaled ? wr : wr.sendFlags(0));
            b.next(i, WcStatus.SUCCESS);
            if (signaled) {
                a.next(i, WcStatus.SUCCESS);
            }
        }
        counted("sends", a, CompCntrOps.SEND, 3, counters[0]);
        counted("receives", b, CompCntrOps.RECV, 3, counters[1]);
    }

    @Rule(
            id = "R26.02",
            since = 4,
            says = "RDMA writes are counted where they are posted and where they arrive",
            look = {"the function in the slot QP_ATTACH_COMP_CNTR", "CompletionCounter.read"},
            man = DESCRIBED,
            needs = {Capability.RDMA_WRITE, Capability.COMPLETION_COUNTERS},
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS})
    final void r2602Writes() {
        remote(WrOpcode.RDMA_WRITE, CompCntrOps.RDMA_WRITE, CompCntrOps.REMOTE_RDMA_WRITE);
    }

    @Rule(
            id = "R26.03",
            since = 4,
            says = "RDMA reads are counted where they are posted and where they are answered",
            look = {"the function in the slot QP_ATTACH_COMP_CNTR", "CompletionCounter.read"},
            man = DESCRIBED,
            needs = {Capability.RDMA_READ, Capability.COMPLETION_COUNTERS},
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS})
    final void r2603Reads() {
        remote(WrOpcode.RDMA_READ, CompCntrOps.RDMA_READ, CompCntrOps.REMOTE_RDMA_READ);
    }

    private void remote(int opcode, int here, int there) {
        CompletionCounter[] counters = makeCounted();
        attach(a, counters[0], here);
        attach(b, counters[1], there);
        Side.connect(a, b);
        for (int i = 0; i < 2; i++) {
            a.post(a.request(opcode, b, i, 0, a.sge(i * LENGTH, LENGTH)));
            a.next(i, WcStatus.SUCCESS);
        }
        counted("requests", a, here, 2, counters[0]);
        counted("the peer's requests", b, there, 2, counters[1]);
    }

    @Rule(
            id = "R26.04",
            since = 4,
            says = "what is flushed is counted as failed",
            look = {"the function in the slot QP_ATTACH_COMP_CNTR", "CompletionCounter.readErr"},
            man = DESCRIBED,
            needs = {Capability.SEND, Capability.COMPLETION_COUNTERS},
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS})
    final void r2604Failures() {
        CompletionCounter[] counters = makeCounted();
        attach(b, counters[1], CompCntrOps.RECV);
        Side.connect(a, b);
        b.recv(1, 0, LENGTH);
        b.recv(2, 0, LENGTH);
        b.qp.modify(new QpAttr().qpState(QpState.ERR));
        b.next(1, WcStatus.WR_FLUSH_ERR);
        b.next(2, WcStatus.WR_FLUSH_ERR);
        if (counts(b, CompCntrOps.RECV)) {
            Seen.equal("read() of a counter of what was flushed", 0L, counters[1].read());
            Seen.equal("readErr() of a counter of what was flushed", 2L, counters[1].readErr());
        }
    }

    @Rule(
            id = "R26.05",
            since = 4,
            says = "a counter can be set and added to, each of its numbers by itself, and is closed but once",
            look = {"the function in the slot CREATE_COMP_CNTR", "CompletionCounter.set, inc, setErr, incErr"},
            man = DESCRIBED,
            needs = {Capability.COMPLETION_COUNTERS})
    final void r2605Set() {
        make(s -> {});
        CompletionCounter counter = counter(a);
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
    final void r2606Refused() {
        CompletionCounter[] counters = makeCounted();
        int ops = a.context.queryCompCntrCaps().supportedQpAttachOps();
        Seen.check((ops & NO_OP) == 0, "supportedQpAttachOps is 0x" + Integer.toHexString(ops) + ", with bit 20");
        Seen.check(a.context.queryCompCntrCaps().maxCounters() > 0, "maxCounters is 0, but a counter was made");
        for (int op = 1; op != 0; op <<= 1) {
            int one = op;
            if ((ops & op) == 0) {
                Seen.refuses(
                        "attachCompCntr of 0x" + Integer.toHexString(op),
                        () -> a.qp.attachCompCntr(counters[0], one),
                        Errno.EOPNOTSUPP);
            }
        }
        a.qp.attachCompCntr(counters[0], ops);
    }
}
