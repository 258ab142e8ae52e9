/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit.model;

import static io.verbs4j.compat.kit.model.DeviceOps.no;

import io.verbs4j.CompCntrCaps;
import io.verbs4j.CompCntrInitAttr;
import io.verbs4j.CompCntrOps;
import io.verbs4j.CompCntrType;
import io.verbs4j.CompletionCounter;
import io.verbs4j.Context;
import io.verbs4j.ContextSlot;
import io.verbs4j.ContextTable;
import io.verbs4j.Errno;
import io.verbs4j.QpAttachCompCntrAttr;
import io.verbs4j.QueuePair;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.compat.kit.Capability;
import io.verbs4j.slot.CreateCompCntr;
import io.verbs4j.slot.DestroyCompCntr;
import io.verbs4j.slot.QpAttachCompCntr;
import io.verbs4j.slot.QueryCompCntrCaps;

/** The model's completion counters of requests. */
final class CounterOps {
    private static final int OPS = (CompCntrOps.REMOTE_RDMA_WRITE << 1) - 1;

    private final Context context;

    CounterOps(Context context) {
        this.context = context;
    }

    private static final class Counter extends CompletionCounter {
        private final long[] numbers = new long[2];
        private boolean closed;

        Counter(Context context) {
            super(context);
        }

        private int failures() {
            return Fault.COUNTER_ONE_NUMBER.on() ? 0 : 1;
        }

        private long change(int number, long value, boolean adds) {
            synchronized (Fabric.LOCK) {
                if (closed && !Fault.COUNTER_READ_CLOSED.on()) {
                    throw no("read_comp_cntr", Errno.EINVAL, "it is closed");
                }
                numbers[number] = adds ? numbers[number] + value : value;
                return numbers[number];
            }
        }

        private void end() {
            closed = true;
        }

        private void count(boolean well) {
            numbers[well || Fault.COUNTS_FAILURES.on() ? 0 : failures()]++;
        }

        @Override
        public long read() {
            return change(0, 0, true);
        }

        @Override
        public long readErr() {
            return change(failures(), 0, true);
        }

        @Override
        public void set(long value) {
            change(0, value, false);
        }

        @Override
        public void setErr(long value) {
            change(failures(), value, false);
        }

        @Override
        public void inc(long amount) {
            change(0, amount, true);
        }

        @Override
        public void incErr(long amount) {
            change(failures(), amount, true);
        }
    }

    /** The counters of a queue pair. */
    static final class Attached {
        private final Counter[] ofOp = new Counter[Integer.SIZE];

        private void attach(Counter counter, int ops) {
            for (int op = 0; op < ofOp.length; op++) {
                ofOp[op] = (ops >>> op & 1) == 0 ? ofOp[op] : counter;
            }
        }

        /** Counts a completed request of the send queue. */
        void sent(int wcOpcode, int status, boolean signaled) {
            if (!signaled && Fault.COUNTS_SIGNALED.on()) {
                return;
            }
            switch (wcOpcode) {
                case WcOpcode.SEND -> count(CompCntrOps.SEND, status);
                case WcOpcode.RDMA_WRITE -> count(CompCntrOps.RDMA_WRITE, status);
                case WcOpcode.RDMA_READ ->
                    count(Fault.COUNTS_READS_AS_WRITES.on() ? CompCntrOps.RDMA_WRITE : CompCntrOps.RDMA_READ, status);
                default -> {
                    // counted by none
                }
            }
        }

        void count(int op, int status) {
            boolean remote = op == CompCntrOps.REMOTE_RDMA_READ || op == CompCntrOps.REMOTE_RDMA_WRITE;
            Counter counter = ofOp[Integer.numberOfTrailingZeros(op)];
            if (counter == null
                    || remote && Fault.COUNTS_NOTHING_REMOTE.on()
                    || op == CompCntrOps.RECV && Fault.COUNTS_NO_RECEIVES.on()) {
                return;
            }
            counter.count(status == WcStatus.SUCCESS);
        }
    }

    boolean fill(ContextTable table) {
        Capability counters = Capability.COMPLETION_COUNTERS;
        boolean all = GrownOps.fill(
                table, counters, ContextSlot.QUERY_COMP_CNTR_CAPS, (QueryCompCntrCaps) CounterOps::queryCaps);
        all &= GrownOps.fill(table, counters, ContextSlot.CREATE_COMP_CNTR, (CreateCompCntr) this::create);
        DestroyCompCntr destroy = counter -> ((Counter) counter).end();
        all &= GrownOps.fill(table, counters, ContextSlot.DESTROY_COMP_CNTR, destroy);
        all &= GrownOps.fill(table, counters, ContextSlot.QP_ATTACH_COMP_CNTR, (QpAttachCompCntr) CounterOps::attach);
        return all;
    }

    private static void queryCaps(CompCntrCaps caps) {
        caps.offer(CompCntrCaps.MAX_VALUE, Long.MAX_VALUE);
        caps.offer(CompCntrCaps.MAX_COUNTERS, 100);
        caps.offer(CompCntrCaps.SUPPORTED_QP_ATTACH_OPS, OPS);
    }

    private CompletionCounter create(CompCntrInitAttr attr) {
        ModelOps.known("create_comp_cntr", attr, 0);
        if (attr.type() != CompCntrType.WRS) {
            throw no("create_comp_cntr", Errno.EOPNOTSUPP, "the model counts requests");
        }
        return new Counter(context);
    }

    private static void attach(QueuePair qp, CompletionCounter counter, QpAttachCompCntrAttr attr) {
        ModelOps.known("qp_attach_comp_cntr", attr, 0);
        if ((attr.opMask() & ~OPS) != 0 && !Fault.COUNTS_ANYTHING.on()) {
            throw no("qp_attach_comp_cntr", Errno.EOPNOTSUPP, "the model does not count that");
        }
        synchronized (Fabric.LOCK) {
            ModelQp.of(qp).counters.attach((Counter) counter, attr.opMask());
        }
    }
}
