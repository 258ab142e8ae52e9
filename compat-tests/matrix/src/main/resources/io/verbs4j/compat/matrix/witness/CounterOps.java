/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package witness;

import io.verbs4j.CompCntrCaps;
import io.verbs4j.CompCntrInitAttr;
import io.verbs4j.CompCntrOps;
import io.verbs4j.CompletionCounter;
import io.verbs4j.Context;
import io.verbs4j.ContextSlot;
import io.verbs4j.ContextTable;
import io.verbs4j.QpAttachCompCntrAttr;
import io.verbs4j.QpCap;
import io.verbs4j.QueuePair;
import io.verbs4j.VerbsObject;
import io.verbs4j.slot.CreateCompCntr;
import io.verbs4j.slot.DestroyCompCntr;
import io.verbs4j.slot.QpAttachCompCntr;
import io.verbs4j.slot.QueryCompCntrCaps;
import java.util.ArrayList;
import java.util.List;

/** The verbs of level 4 about completion counters; of requests they count writes alone. */
final class CounterOps {
    private static final int MORE = 5; // beyond what the header knows

    private static final class Counter extends CompletionCounter {
        private long done;
        private long failed;

        Counter(Context context) {
            super(context);
        }

        @Override
        public long read() {
            return done;
        }

        @Override
        public long readErr() {
            return failed;
        }

        @Override
        public void set(long value) {
            done = value;
        }

        @Override
        public void setErr(long value) {
            failed = value;
        }

        @Override
        public void inc(long amount) {
            done += amount;
        }

        @Override
        public void incErr(long amount) {
            failed += amount;
        }
    }

    /** A counter of a queue pair. */
    private static final class Attached {
        private final VerbsObject qp;
        private final CompletionCounter counter;
        private final int opMask;

        Attached(VerbsObject qp, CompletionCounter counter, int opMask) {
            this.qp = qp;
            this.counter = counter;
            this.opMask = opMask;
        }
    }

    private final MemoryOps ops;
    private final List<Attached> attached = new ArrayList<>();

    CounterOps(MemoryOps ops) {
        this.ops = ops;
        ops.memory.writes.add((qp, peer) -> {
            count(qp, CompCntrOps.RDMA_WRITE);
            count(peer, CompCntrOps.REMOTE_RDMA_WRITE);
        });
    }

    private void count(VerbsObject qp, int operation) {
        for (Attached one : attached) {
            if (one.qp == qp && (one.opMask & operation) != 0) {
                one.counter.inc(1);
            }
        }
    }

    void fill(ContextTable table) {
        table.fillProvider(ContextSlot.QUERY_COMP_CNTR_CAPS, (QueryCompCntrCaps) this::queryCompCntrCaps);
        table.fillProvider(ContextSlot.CREATE_COMP_CNTR, (CreateCompCntr) this::createCompCntr);
        DestroyCompCntr destroy = counter -> ops.seen("destroy_comp_cntr", new QpCap(), counter);
        table.fillProvider(ContextSlot.DESTROY_COMP_CNTR, destroy);
        table.fillProvider(ContextSlot.QP_ATTACH_COMP_CNTR, (QpAttachCompCntr) this::qpAttachCompCntr);
    }

    private void queryCompCntrCaps(CompCntrCaps caps) {
        caps.offer(CompCntrCaps.MAX_VALUE, -2L);
        caps.offer(CompCntrCaps.MAX_COUNTERS, 3001);
        caps.offer(CompCntrCaps.SUPPORTED_QP_ATTACH_OPS, 3002);
        caps.offer(MORE, 3003);
    }

    private CompletionCounter createCompCntr(CompCntrInitAttr attr) {
        ops.see("create_comp_cntr", attr);
        ops.mask("create_comp_cntr", attr, 0);
        return new Counter(ops.context);
    }

    private void qpAttachCompCntr(QueuePair qp, CompletionCounter counter, QpAttachCompCntrAttr attr) {
        ops.seen("qp_attach_comp_cntr", attr, qp).put("counter", "@" + System.identityHashCode(counter));
        ops.mask("qp_attach_comp_cntr", attr, 0);
        attached.add(new Attached(qp, counter, attr.opMask()));
    }
}
