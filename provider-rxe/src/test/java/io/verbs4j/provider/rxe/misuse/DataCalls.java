/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.misuse;

import io.verbs4j.CompletionQueue;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MemoryWindow;
import io.verbs4j.MwBind;
import io.verbs4j.OpsWorkRequest;
import io.verbs4j.PollCqAttr;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.WcStatus;
import io.verbs4j.WcTmInfo;
import io.verbs4j.WorkCompletion;
import java.util.SplittableRandom;

/** The data verbs, each with random arguments. */
final class DataCalls {
    private static final int LIST = 3;

    private final Caller c;
    private final Pool pool;
    private final Values v;
    private final SplittableRandom random;
    private final WorkCompletion[] completions = new WorkCompletion[8];

    DataCalls(Caller c) {
        this.c = c;
        this.pool = c.pool;
        this.v = c.values;
        this.random = c.random;
        for (int i = 0; i < completions.length; i++) {
            completions[i] = new WorkCompletion();
        }
    }

    void postSend() {
        QueuePair qp = pool.qps.made(random);
        if (qp == null) {
            return;
        }
        SendWorkRequest wr = c.chance(80) ? null : v.send(qp, LIST);
        SendWorkRequest[] bad = c.chance(4) ? null : new SendWorkRequest[random.nextInt(2)];
        boolean dead = pool.qps.isDead(qp) || wr == null;
        int answer = c.data("post_send", dead, () -> qp.postSend(wr, bad), qp, bad);
        if (answer != 0 && wr != null && bad != null && bad.length > 0 && bad[0] == null) {
            throw new Caller.Verdict("post_send failed without reporting the bad request", null);
        }
    }

    /** Posts a request that other threads change meanwhile. */
    void postShared() {
        QueuePair qp = pool.qps.made(random);
        if (qp != null) {
            SendWorkRequest wr = v.fill(qp, pool.sharedWrs[random.nextInt(pool.sharedWrs.length)]);
            c.data("post_send", pool.qps.isDead(qp), () -> qp.postSend(wr), qp, "shared request");
        }
    }

    void postRecv() {
        QueuePair qp = pool.qps.made(random);
        if (qp == null) {
            return;
        }
        RecvWorkRequest wr = c.chance(80) ? null : v.receive(qp.pd(), LIST);
        RecvWorkRequest[] bad = c.chance(4) ? null : new RecvWorkRequest[random.nextInt(2)];
        boolean dead = pool.qps.isDead(qp) || wr == null || qp.srq() != null;
        c.data("post_recv", dead, () -> qp.postRecv(wr, bad), qp, bad);
    }

    void postSrqRecv() {
        SharedReceiveQueue srq = pool.srqs.made(random);
        if (srq == null) {
            return;
        }
        RecvWorkRequest wr = c.chance(80) ? null : v.receive(srq.pd(), LIST);
        c.data("post_srq_recv", pool.srqs.isDead(srq) || wr == null, () -> srq.postRecv(wr), srq);
    }

    void postSrqOps() {
        SharedReceiveQueue srq = pool.srqs.made(random);
        if (srq == null) {
            return;
        }
        OpsWorkRequest wr = c.chance(80) ? null : v.operation(srq.pd(), LIST);
        OpsWorkRequest[] bad = c.chance(4) ? null : new OpsWorkRequest[random.nextInt(2)];
        c.data("post_srq_ops", pool.srqs.isDead(srq) || wr == null, () -> srq.postSrqOps(wr, bad), srq, bad);
    }

    void bindMw() {
        QueuePair qp = pool.qps.made(random);
        if (qp == null) {
            return;
        }
        MemoryWindow mw = pool.mws.any(random, window -> window.pd() == qp.pd());
        MemoryRegion mr = pool.mrs.any(random, region -> region.pd() == qp.pd());
        MwBind bind = c.chance(60)
                ? null
                : new MwBind()
                        .mr(mr)
                        .sendFlags(v.small(16))
                        .mwAccessFlags(c.chance(6) ? v.number() : random.nextInt(8) << 1)
                        .addr(mr == null || c.chance(10) ? v.address() : mr.addr())
                        .length(mr == null || c.chance(10) ? v.number() : random.nextLong(mr.length() + 1));
        boolean dead =
                pool.qps.isDead(qp) || pool.mws.isDead(mw) || bind == null || bind.length() != 0 && pool.mrs.isDead(mr);
        c.data("bind_mw", dead, () -> qp.bindMw(mw, bind), qp, mw, mr);
    }

    /** Reads completions one by one, more or less correctly. */
    void pollLazily() {
        CompletionQueue cq = pool.cqs.made(random);
        if (cq == null) {
            return;
        }
        PollCqAttr attr = c.chance(2) ? null : new PollCqAttr();
        if (attr != null && c.chance(20)) {
            attr.masks(v.number(), 0);
        }
        boolean dead = pool.cqs.isDead(cq);
        int error = c.data("start_poll", dead, () -> cq.startPoll(attr), cq, attr);
        boolean begun = error == 0;
        for (int i = random.nextInt(6); i > 0; i--) {
            switch (random.nextInt(begun ? 9 : 40)) {
                case 0 -> error = c.data("start_poll", dead || begun, () -> cq.startPoll(null), cq, "again");
                case 1 -> c.data("poll_cq", dead || begun, () -> cq.poll(1, completions), cq, "inside");
                case 2 -> c.run("resize_cq", dead || begun, () -> cq.resize(v.capacity()), cq, "inside");
                case 3 -> c.call("read_completion", !begun, () -> read(cq, random.nextInt(10)), cq);
                default -> error = c.data("next_poll", dead || !begun, cq::nextPoll, cq);
            }
            if (!begun && error == 0) {
                break; // the second attempt has begun after all
            }
        }
        c.data("end_poll", false, cq::endPoll, cq);
    }

    private static Long read(CompletionQueue cq, int what) {
        return switch (what) {
            case 0 -> cq.wrId();
            case 1 -> (long) cq.status();
            case 2 -> (long) cq.readOpcode();
            case 3 -> (long) cq.readByteLen();
            case 4 -> (long) cq.readImmData();
            case 5 -> (long) cq.readQpNum();
            case 6 -> cq.readCompletionTs();
            case 7 -> cq.readCompletionWallclockNs();
            case 8 -> {
                WcTmInfo info = new WcTmInfo();
                cq.readTmInfo(info);
                yield info.tag();
            }
            default -> (long) cq.readVendorErr();
        };
    }

    void pollWithSize() {
        CompletionQueue cq = pool.cqs.made(random);
        if (cq == null) {
            return;
        }
        int size = v.small(WorkCompletion.SIZE + 2);
        int most = c.chance(20) ? v.number() : random.nextInt(completions.length + 1);
        boolean dead =
                pool.cqs.isDead(cq) || most < 0 || most > completions.length || size < 0 || size > WorkCompletion.SIZE;
        int n = c.data("poll_cq_ex", dead, () -> cq.poll(most, completions, size), cq, most, size);
        for (int i = 0; i < n; i++) {
            if (size < 64 && completions[i].compMask() >>> size != 0) {
                throw new Caller.Verdict("poll_cq_ex filled a field beyond the caller's size", null);
            }
        }
    }

    void poll() {
        CompletionQueue cq = pool.cqs.made(random);
        if (cq == null) {
            return;
        }
        int most = c.chance(20) ? v.number() : random.nextInt(completions.length + 1);
        WorkCompletion[] into = switch (random.nextInt(60)) {
            case 0 -> null;
            case 1 -> new WorkCompletion[4]; // null elements
            default -> completions;
        };
        boolean dead = pool.cqs.isDead(cq) || into == null || most < 0 || most > into.length;
        int n = c.data("poll_cq", dead, () -> cq.poll(most, into), cq, most);
        for (int i = 0; i < n; i++) {
            c.tally.count("a completion", into[i].status() == WcStatus.SUCCESS);
        }
        if (n > most && most >= 0) {
            throw new Caller.Verdict("poll_cq returned " + n + " completions, but " + most + " were requested", null);
        }
    }

    void reqNotify() {
        CompletionQueue cq = pool.cqs.made(random);
        if (cq != null) {
            boolean solicited = c.chance(2);
            c.data("req_notify_cq", pool.cqs.isDead(cq), () -> cq.reqNotify(solicited), cq, solicited);
        }
    }
}
