/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package app;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.ContextSlot;
import io.verbs4j.CqInitAttrEx;
import io.verbs4j.CqInitAttrMask;
import io.verbs4j.DataInOrderCaps;
import io.verbs4j.DataInOrderFlags;
import io.verbs4j.DeviceAttrEx;
import io.verbs4j.Errno;
import io.verbs4j.GidEntry;
import io.verbs4j.ModifyCqAttr;
import io.verbs4j.ModifyCqMask;
import io.verbs4j.PollCqAttr;
import io.verbs4j.QpRateLimitAttr;
import io.verbs4j.QueryDeviceExInput;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.ValuesEx;
import io.verbs4j.ValuesMask;
import io.verbs4j.WcExFlags;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The first verbs of level 3. Each is called whatever became of those before it: an older party must say so for each.
 */
final class CompletionVerbs {
    /** A bit that no level has given a meaning, in the range that the library must know. */
    private static final long UNKNOWN = 1L << 40;

    /** The same in the range of the device alone: the library passes it on. */
    private static final long OF_THE_DEVICE = 1L << 20;

    private static final int BOTH_ENDS = 2;
    private static final long RECEIVED = 1;

    private final Context context;
    private final BaseVerbs base;

    CompletionVerbs(Context context, BaseVerbs base) {
        this.context = context;
        this.base = base;
    }

    void run() {
        CompletionQueue[] cq = new CompletionQueue[2];
        Results.step("new", "create_cq_ex", () -> {
            cq[0] = context.createCqEx(standard());
            return way(ContextSlot.CREATE_CQ_EX);
        });
        QueuePair[] pair = connected(cq[0]);
        Results.step("new", "poll_cq_sized", () -> {
            exchange(pair, 4);
            poll(cq[0], WorkCompletion.SIZE);
            return base.verify(4);
        });
        Results.step("new", "start_poll", () -> lazily(Results.need(cq[0], "create_cq_ex"), pair));
        Results.step("new", "create_cq_ex_ts", () -> {
            cq[1] = context.createCqEx(standard().wcFlags(WcExFlags.STANDARD | WcExFlags.COMPLETION_TIMESTAMP));
            return stamped(cq[1]);
        });
        questions();
        Results.step("new", "query_data_in_order", () -> order(Results.need(pair[0], "create_qp")));
        Results.step("new", "modify_cq", () -> {
            // Moderation off: no event is put off, whatever was before.
            Results.need(cq[0], "create_cq_ex").modify(new ModifyCqAttr().cqCount(0).cqPeriod(0));
            return "";
        });
        Results.step("new", "modify_rate_limit", () -> {
            QueuePair qp = Results.need(pair[0], "create_qp");
            qp.modifyRateLimit(new QpRateLimitAttr().rateLimit(1_000_000));
            qp.modifyRateLimit(new QpRateLimitAttr()); // off
            return "";
        });
        masks(cq[0], pair[0]);
        for (AutoCloseable handle : new AutoCloseable[] {pair[0], pair[1], cq[0], cq[1]}) {
            if (handle != null) {
                Results.step("old", "destroy", () -> {
                    Results.close(handle);
                    return "";
                });
            }
        }
    }

    private static CqInitAttrEx standard() {
        return new CqInitAttrEx().cqe(16).wcFlags(WcExFlags.STANDARD);
    }

    private String way(int slot) {
        return context.queryContext().hasVerb(slot) ? "extended" : "fall-back";
    }

    /** Two queue pairs of level 1 whose completions go to that queue; none where there is no queue. */
    private QueuePair[] connected(CompletionQueue cq) {
        QueuePair[] pair = new QueuePair[2];
        Results.step("old", "create_qp_on_cq_ex", () -> {
            Results.need(cq, "create_cq_ex");
            for (int i = 0; i < 2; i++) {
                pair[i] = base.pair(Results.need(base.pd, "alloc_pd"), cq);
            }
            base.join(pair[0], pair[1]);
            return "";
        });
        return pair;
    }

    /** One message; a completion at each end. */
    private void exchange(QueuePair[] pair, int seed) {
        Results.need(pair[0], "create_qp");
        Results.need(pair[1], "create_qp");
        base.prepare(seed);
        RecvWorkRequest receive = new RecvWorkRequest().wrId(RECEIVED).sgList(ScatterGatherElement.of(base.target));
        BaseVerbs.post(pair[1].postRecv(receive), "post_recv");
        BaseVerbs.post(pair[0].postSend(base.request(WrOpcode.SEND)), "post_send");
    }

    /** Polls by the form that grows, till both ends have completed. */
    private static WorkCompletion[] poll(CompletionQueue cq, int size) {
        WorkCompletion[] wc = {new WorkCompletion(), new WorkCompletion()};
        long end = end();
        int seen = 0;
        while (seen < BOTH_ENDS) {
            WorkCompletion[] one = {wc[seen]};
            int polled = cq.poll(1, one, size);
            BaseVerbs.post(Math.min(polled, 0), "poll_cq");
            if (polled == 1) {
                check(one[0].wrId(), one[0].status(), one[0].opcode(), one[0].byteLen());
                seen++;
            }
            pause(end);
        }
        return wc;
    }

    private String lazily(CompletionQueue cq, QueuePair[] pair) {
        int empty = cq.startPoll(new PollCqAttr());
        if (empty != Errno.ENOENT) {
            BaseVerbs.post(empty, "start_poll");
            throw new IllegalStateException("there is a completion in an empty queue");
        }
        exchange(pair, 5);
        long end = end();
        for (int seen = 0; seen < BOTH_ENDS; pause(end)) {
            int started = cq.startPoll(null);
            for (int next = started; next == 0; next = cq.nextPoll()) {
                boolean received = cq.wrId() == RECEIVED;
                check(cq.wrId(), cq.status(), cq.readOpcode(), received ? cq.readByteLen() : 0);
                seen++;
            }
            BaseVerbs.post(started == Errno.ENOENT ? 0 : started, "start_poll");
            BaseVerbs.post(started == 0 ? cq.endPoll() : 0, "end_poll");
        }
        return base.verify(5);
    }

    private static void check(long wrId, int status, int opcode, int length) {
        boolean received = wrId == RECEIVED;
        if (status != WcStatus.SUCCESS
                || opcode != (received ? WcOpcode.RECV : WcOpcode.SEND)
                || received && length != BaseVerbs.SIZE) {
            throw new IllegalStateException("completion " + wrId + ": " + WcStatus.toString(status)
                    + ", opcode " + opcode
                    + ", " + length + " bytes");
        }
    }

    /** The completions of a message have later times than those of the one before it. */
    private String stamped(CompletionQueue cq) {
        QueuePair[] pair = connected(cq);
        long mask = context.queryDeviceEx().completionTimestampMask();
        long before = 0;
        for (int i = 0; i < 2; i++) {
            exchange(pair, 6 + i);
            for (WorkCompletion wc : poll(cq, WorkCompletion.SIZE)) {
                boolean told = (wc.compMask() & 1L << WorkCompletion.COMPLETION_TS) != 0;
                // What is more than half of the clock's range ahead lies behind.
                boolean later = i == 0 || (wc.completionTs() - before & mask) <= mask >>> 1;
                if (!told || mask == 0 || !later) {
                    throw new IllegalStateException(
                            "time " + wc.completionTs() + " after " + before + ", mask " + mask);
                }
                before = wc.completionTs();
            }
        }
        // Nothing is told that its reader does not know.
        exchange(pair, 7);
        for (WorkCompletion wc : poll(cq, WorkCompletion.COMPLETION_TS)) {
            MemoryVerbs.same(0, (int) wc.compMask());
        }
        pair[0].close();
        pair[1].close();
        return base.verify(7);
    }

    private void questions() {
        Results.step("new", "query_values", () -> {
            ValuesEx first = context.queryValues(ValuesMask.RAW_CLOCK | ValuesMask.HWCLOCK_NS);
            ValuesEx second = context.queryValues(ValuesMask.RAW_CLOCK);
            long mask = context.queryDeviceEx().completionTimestampMask();
            boolean later = (second.rawClock() - first.rawClock() & mask) <= mask >>> 1;
            if (!later || !first.has(ValuesEx.HWCLOCK_NS) || second.has(ValuesEx.HWCLOCK_NS)) {
                throw new IllegalStateException(first.rawClock() + ", then " + second.rawClock());
            }
            return "";
        });
        Results.step("new", "query_device_ex", () -> {
            DeviceAttrEx attr = context.queryDeviceEx();
            same(List.of(), Mirror.differences(Mirror.of(context.queryDevice()), Mirror.of(attr.origAttr())));
            same(context.queryDevice().physPortCnt(), attr.physPortCntEx());
            same(context.queryDevice().deviceCaps(), attr.deviceCapFlagsEx() & context.queryDevice().deviceCaps());
            return way(ContextSlot.QUERY_DEVICE_EX);
        });
        int index = Integer.getInteger("app.gid", 0);
        Results.step("new", "query_gid_ex", () -> {
            GidEntry entry = context.queryGidEx(1, index);
            same(
                    List.of(context.queryGid(1, index), 1, index),
                    List.of(entry.gid(), entry.portNum(), entry.gidIndex()));
            return way(ContextSlot.QUERY_GID_EX);
        });
        Results.step("new", "query_gid_table", () -> {
            boolean found = false;
            for (GidEntry entry : context.queryGidTable()) {
                same(context.queryGid(entry.portNum(), entry.gidIndex()), entry.gid());
                found |= entry.portNum() == 1 && entry.gidIndex() == index;
            }
            same(true, found);
            return way(ContextSlot.QUERY_GID_TABLE);
        });
    }

    /** Where nobody knows nothing is promised. */
    private String order(QueuePair qp) {
        int caps = qp.queryDataInOrder(WrOpcode.RDMA_WRITE, DataInOrderFlags.RETURN_CAPS);
        int whole = qp.queryDataInOrder(WrOpcode.RDMA_WRITE, 0);
        same((caps & DataInOrderCaps.WHOLE_MSG) == 0 ? 0 : 1, whole);
        String way = way(ContextSlot.QUERY_QP_DATA_IN_ORDER);
        if (way.equals("fall-back")) {
            same(0, caps);
        }
        return way;
    }

    private static void same(Object expected, Object found) {
        if (!expected.equals(found)) {
            throw new IllegalStateException("it is " + found + ", not " + expected);
        }
    }

    /** Bits that nobody knows must be refused by whoever has the verb. */
    private void masks(CompletionQueue cq, QueuePair qp) {
        refused("create_cq_ex", () -> {
            CqInitAttrEx attr = standard();
            attr.masks(CqInitAttrMask.FLAGS | UNKNOWN, 0);
            context.createCqEx(attr).close();
        });
        refused("create_cq_ex_device", () -> {
            CqInitAttrEx attr = standard();
            attr.masks(OF_THE_DEVICE, 0);
            context.createCqEx(attr).close();
        });
        refused("create_cq_ex_wc", () -> context.createCqEx(standard().wcFlags(1L << 50)).close());
        refused("query_device_ex", () -> {
            QueryDeviceExInput input = new QueryDeviceExInput();
            input.masks(UNKNOWN, 0);
            context.queryDeviceEx(input);
        });
        refused("modify_cq", () -> {
            ModifyCqAttr attr = new ModifyCqAttr();
            attr.masks(ModifyCqMask.MODERATE, UNKNOWN); // in the chained second mask
            Results.need(cq, "create_cq_ex").modify(attr);
        });
        refused("modify_rate_limit", () -> {
            QpRateLimitAttr attr = new QpRateLimitAttr();
            attr.masks(UNKNOWN, 0);
            Results.need(qp, "create_qp").modifyRateLimit(attr);
        });
    }

    private static void refused(String step, Runnable body) {
        Results.step("mask", step, () -> {
            body.run();
            return "accepted";
        });
    }

    private static long end() {
        return System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    }

    private static void pause(long end) {
        if (System.nanoTime() - end > 0) {
            throw new IllegalStateException("no completion after 60 s");
        }
        Thread.yield();
    }
}
