/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import io.verbs4j.CompCntrInitAttr;
import io.verbs4j.CompletionCounter;
import io.verbs4j.WcStatus;

/** Sides with completion counters. See {@link CounterRules}. */
final class CounterRig extends Rig {
    static final String DESCRIBED =
            "ibv_create_comp_cntr(3), ibv_qp_attach_comp_cntr(3), and the Javadoc of CompletionCounter";
    static final int NO_OP = 1 << 20;
    static final int LENGTH = 1000;

    CounterRig(ProviderKit kit) {
        super(kit);
    }

    /** Creates a counter. Call it before the queue pairs are created, so that the counter is closed after them. */
    CompletionCounter counter(Side side) {
        return made(CompletionCounter.class, side.context.createCompCntr(new CompCntrInitAttr()));
    }

    /** Creates both sides, and a counter for each: the one of {@code a} first. */
    CompletionCounter[] makeCounted() {
        CompletionCounter[] counters = new CompletionCounter[2];
        make(s -> counters[s == a ? 0 : 1] = counter(s));
        return counters;
    }

    static boolean counts(Side side, int op) {
        return (side.context.queryCompCntrCaps().supportedQpAttachOps() & op) != 0;
    }

    /** Attaches a counter to an operation, if the device counts that operation. */
    static void attach(Side side, CompletionCounter counter, int op) {
        if (counts(side, op)) {
            side.qp.attachCompCntr(counter, op);
        }
    }

    static void counted(String what, Side side, int op, long expected, CompletionCounter counter) {
        if (counts(side, op)) {
            Seen.equal("read() of the counter of " + what, expected, counter.read());
            Seen.equal("readErr() of the counter of " + what, 0L, counter.readErr());
        }
    }

    void remote(int opcode, int here, int there) {
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
}
