/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package app;

import io.verbs4j.CompCntrCaps;
import io.verbs4j.CompCntrInitAttr;
import io.verbs4j.CompCntrType;
import io.verbs4j.CompletionCounter;
import io.verbs4j.Context;
import io.verbs4j.ContextSlot;
import io.verbs4j.Errno;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import java.util.List;

/** Every attribute of the verbs about completion counters, there and back. */
class WitnessedCounters extends WitnessedEthernet {
    private static final int FIRST = ContextSlot.QUERY_COMP_CNTR_CAPS;
    private static final int LAST = ContextSlot.QP_ATTACH_COMP_CNTR;
    private static final String WITNESS = "the witness does not know bits 0x";
    private static final String LIBRARY = "the mask has bits that this library does not know";

    WitnessedCounters(Context context) {
        super(context);
    }

    @Override
    void steps() {
        super.steps();
        boolean there = context.queryContext().hasVerb(FIRST);
        step("slots_of_counters", () -> slotsOfCounters(there));
        if (there) {
            step("comp_cntr_caps", this::caps);
            step("comp_cntr", this::counter);
            step("comp_cntr_attached", this::attached);
        }
    }

    private void slotsOfCounters(boolean there) {
        slotsOf4(FIRST, LAST, there);
        equal("qp_attach_comp_cntr", ContextSlot.verb(LAST));
    }

    private void caps() {
        CompCntrCaps caps = context.queryCompCntrCaps();
        equal(List.of(-2L, 3001, 3002), List.of(caps.maxValue(), caps.maxCounters(), caps.supportedQpAttachOps()));
        equal(7L, caps.compMask()); // the witness offers more
    }

    private void counter() {
        CompCntrInitAttr attr = new CompCntrInitAttr().type(CompCntrType.BYTES);
        CompletionCounter counter = arrives(attr, () -> context.createCompCntr(attr));
        counter.set(40);
        counter.inc(2);
        counter.setErr(7);
        counter.incErr(8);
        equal(List.of(42L, 15L), List.of(counter.read(), counter.readErr()));
        counter.close();
        equal("destroy_comp_cntr", last().get("verb"));
        equal("@" + System.identityHashCode(counter), last().get("handle"));
        refused(Errno.EOPNOTSUPP, WITNESS, () -> {
            CompCntrInitAttr unknown = new CompCntrInitAttr();
            unknown.masks(1L << 5, 0);
            context.createCompCntr(unknown);
        });
        refused(Errno.EOPNOTSUPP, LIBRARY, () -> {
            CompCntrInitAttr unknown = new CompCntrInitAttr();
            unknown.masks(1L << 33, 0);
            context.createCompCntr(unknown);
        });
    }

    private void attached() {
        CompletionCounter counter = context.createCompCntr(new CompCntrInitAttr());
        QueuePair qp = pd.createQp(new QpInitAttr().qpType(QpType.RC).sendCq(sends).recvCq(receives).cap(asked()));
        qp.attachCompCntr(counter, 5);
        equal("qp_attach_comp_cntr", last().get("verb"));
        equal("5", last().get("opMask"));
        equal("@" + System.identityHashCode(qp), last().get("handle"));
        equal("@" + System.identityHashCode(counter), last().get("counter"));
        refused(Errno.EBUSY, "a counter for RDMA_READ already", () -> qp.attachCompCntr(counter, 12));
        refused(Errno.EINVAL, "ops is 0", () -> qp.attachCompCntr(counter, 0));
        refused(Errno.EBUSY, "1 queue pair", counter::close);
        modify(qp);
        refused(Errno.EINVAL, "attached in RESET or INIT", () -> qp.attachCompCntr(counter, 8));
        qp.close();
        counter.close();
    }
}
