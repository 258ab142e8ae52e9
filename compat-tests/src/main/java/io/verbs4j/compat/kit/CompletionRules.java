/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import static io.verbs4j.compat.kit.CompletionRig.MESSAGES;
import static io.verbs4j.compat.kit.CompletionRig.MOST_WAIT_NANOS;
import static io.verbs4j.compat.kit.CompletionRig.NO_CREATE_FLAG;
import static io.verbs4j.compat.kit.CompletionRig.NO_FLAG;
import static io.verbs4j.compat.kit.CompletionRig.PAGE;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.CqCreateFlags;
import io.verbs4j.CqInitAttrEx;
import io.verbs4j.Errno;
import io.verbs4j.PollCqAttr;
import io.verbs4j.WcExFlags;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** R12: extended completion queues. */
interface CompletionRules {
    @Rule(
            id = "R12.01",
            since = 3,
            says = "however a queue is polled, the completions are the same",
            look = {"CompletionQueue.poll", "CompletionQueue.pollEx", "CompletionQueue.startPoll"},
            man = PAGE,
            needs = {Capability.RC, Capability.EXTENDED_CQ})
    default void r1201FourWays(CompletionRig rig) {
        rig.startExtended(WcExFlags.STANDARD);
        List<CompletionRig.Way> ways = List.of(
                (cq, into) -> CompletionRig.plain(cq, into, false),
                (cq, into) -> CompletionRig.plain(cq, into, true),
                (cq, into) -> CompletionRig.lazily(cq, into, true),
                (cq, into) -> CompletionRig.lazily(cq, into, false));
        List<String> names = List.of("poll", "poll with a size", "nextPoll", "a startPoll for each");
        List<List<String>> first = null;
        for (CompletionRig.Way way : ways) {
            for (int i = 0; i < MESSAGES; i++) {
                rig.b.ready(10 + i, 4096 * i, 100 + i);
            }
            for (int i = 0; i < MESSAGES; i++) {
                rig.a.post(rig.a.operation(rig.b, i, 4096 * i, 4096 * i, 100 + i));
            }
            List<List<String>> found = List.of(
                    rig.polled(way, rig.a.cq, MESSAGES),
                    rig.has(Capability.SEND) ? rig.polled(way, rig.b.cq, MESSAGES) : List.of());
            first = first == null ? found : first;
            Seen.equal("the list of completions by " + names.get(ways.indexOf(way)) + ", for each side,", first, found);
        }
    }

    @Rule(
            id = "R12.02",
            since = 3,
            says = "from startPoll to endPoll a thread has the queue for itself, and calls out of order do nothing",
            look = {"CompletionQueue.startPoll", "CompletionQueue.nextPoll", "CompletionQueue.endPoll"},
            man = PAGE,
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS},
            needs = Capability.EXTENDED_CQ)
    default void r1202Bracket(CompletionRig rig) throws InterruptedException {
        rig.startExtended(WcExFlags.STANDARD);
        CompletionQueue cq = rig.a.cq;
        Seen.errno("startPoll of an empty queue", Errno.ENOENT, cq.startPoll(new PollCqAttr()));
        Seen.errno("nextPoll without startPoll", Errno.EINVAL, cq.nextPoll());
        Seen.errno("endPoll without startPoll", Errno.EINVAL, cq.endPoll());
        PollCqAttr later = new PollCqAttr();
        later.masks(1L << 30, 0);
        for (int i = 0; i < 2; i++) {
            rig.b.ready(10 + i, 0, 100);
            rig.a.post(rig.a.operation(rig.b, i, 0, 0, 100));
        }
        Seen.errno("startPoll with bit 30 in its mask, which no level defines,", Errno.EOPNOTSUPP, cq.startPoll(later));
        rig.begin(cq);
        Seen.errno("a second startPoll in the same thread", Errno.EBUSY, cq.startPoll(null));
        long first = cq.wrId();
        Seen.check(first == 0 || !rig.a.isOrdered() && first == 1, "wrId() is " + first + ", not 0");
        AtomicInteger taken = new AtomicInteger(-1);
        CountDownLatch polling = new CountDownLatch(1);
        Thread other = new Thread(() -> {
            polling.countDown();
            taken.set(cq.poll(1, new WorkCompletion[] {new WorkCompletion()}));
        });
        other.setDaemon(true);
        other.start();
        polling.await();
        other.join(Math.max(1, rig.kit.quiet().toMillis()));
        boolean waited = other.isAlive();
        Seen.errno("endPoll", 0, cq.endPoll());
        other.join(rig.kit.patience().toMillis());
        Seen.check(waited, "poll in another thread returned " + taken.get() + " before endPoll");
        Seen.check(!other.isAlive(), "poll in another thread still waits after endPoll");
        List<String> rest = new ArrayList<>();
        if (taken.get() == 0) {
            rest = rig.polled((queue, into) -> CompletionRig.plain(queue, into, false), cq, 1);
        }
        Seen.equal("the number of completions after those read", 1, Math.max(taken.get(), rest.size()));
    }

    @Rule(
            id = "R12.03",
            since = 3,
            says = "what nobody has heard of is refused, of completions and of queues",
            look = "the function in the slot CREATE_CQ_EX",
            man = "ibv_create_cq_ex(3), and the Javadoc of CqInitAttrEx",
            needs = Capability.EXTENDED_CQ)
    default void r1203Unknown(CompletionRig rig) {
        Context context = rig.open();
        rig.refused(context, "wcFlags bit 50", CompletionRig.standard().wcFlags(WcExFlags.STANDARD | NO_FLAG));
        rig.refused(context, "flags bit 20", CompletionRig.standard().flags(NO_CREATE_FLAG));
        rig.refused(
                context,
                "vendor attributes of an unknown type",
                CompletionRig.standard().vendor(new Object() {}));
        if (!rig.has(Capability.COMPLETION_TIMESTAMPS)) {
            long times = WcExFlags.STANDARD | WcExFlags.COMPLETION_TIMESTAMP;
            rig.refused(
                    context,
                    "time stamps (Capability.COMPLETION_TIMESTAMPS is not declared)",
                    CompletionRig.standard().wcFlags(times));
        }
    }

    @Rule(
            id = "R12.04",
            since = 3,
            says = "what was not asked for can't be read, nor anything where there is no completion",
            look = {"CompletionQueue.readByteLen", "CompletionQueue.readQpNum", "CompletionQueue.wrId"},
            man = PAGE,
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS},
            needs = Capability.EXTENDED_CQ)
    default void r1204Readers(CompletionRig rig) {
        rig.startExtended(WcExFlags.QP_NUM);
        Seen.refuses("wrId() before startPoll", rig.a.cq::wrId, Errno.EINVAL);
        rig.b.ready(2, 0, 100);
        rig.a.post(rig.a.operation(rig.b, 1, 0, 0, 100));
        rig.begin(rig.a.cq);
        Seen.equal("wrId()", 1L, rig.a.cq.wrId());
        Seen.equal("readQpNum()", rig.a.qp.qpNum(), rig.a.cq.readQpNum());
        List<Runnable> unasked = List.of(
                rig.a.cq::readByteLen,
                rig.a.cq::readImmData,
                rig.a.cq::readSrcQp,
                rig.a.cq::readSlid,
                rig.a.cq::readSl,
                rig.a.cq::readDlidPathBits,
                rig.a.cq::readCompletionTs,
                rig.a.cq::readCompletionWallclockNs);
        String[] names = {"ByteLen", "ImmData", "SrcQp", "Slid", "Sl", "DlidPathBits", "CompletionTs", "WallclockNs"};
        for (int i = 0; i < names.length; i++) {
            String call = "read" + names[i] + "() on a queue created without it";
            Seen.refuses(call, unasked.get(i), Errno.EINVAL);
        }
        Seen.errno("nextPoll", Errno.ENOENT, rig.a.cq.nextPoll());
        Seen.refuses("readOpcode() after the last completion", rig.a.cq::readOpcode, Errno.EINVAL);
        Seen.errno("endPoll", 0, rig.a.cq.endPoll());
        Seen.refuses("status() after endPoll", rig.a.cq::status, Errno.EINVAL);
    }

    @Rule(
            id = "R12.05",
            since = 3,
            says = "completions have the time at which they completed, in order, within the mask; failed ones have"
                    + " none",
            look = {"CompletionQueue.pollEx", "CompletionQueue.readCompletionTs"},
            man = "ibv_create_cq_ex(3) (IBV_WC_EX_WITH_COMPLETION_TIMESTAMP), and the Javadoc of WorkCompletion",
            needs = {Capability.RC, Capability.EXTENDED_CQ, Capability.COMPLETION_TIMESTAMPS})
    default void r1205Times(CompletionRig rig) {
        rig.startExtended(WcExFlags.STANDARD | WcExFlags.COMPLETION_TIMESTAMP);
        long mask = rig.a.context.queryDeviceEx().completionTimestampMask();
        Seen.check(mask != 0, "completionTimestampMask of queryDeviceEx is 0, but completions have time stamps");
        long before = 0;
        for (int i = 0; i < 2 * MESSAGES; i++) {
            rig.b.ready(10, 0, 100);
            rig.a.post(rig.a.operation(rig.b, i, 0, 0, 100));
            long time = i % 2 == 0 ? rig.sizedTime() : rig.lazyTime();
            Seen.check(
                    i == 0 || (time - before & mask) <= mask >>> 1,
                    "the time of completion " + i + " is " + time + ", earlier than " + before + " before it");
            before = time;
        }
        WorkCompletion[] used = {new WorkCompletion()};
        for (int size : new int[] {0, WorkCompletion.SIZE, 0}) {
            rig.b.ready(10, 0, 100);
            rig.a.post(rig.a.operation(rig.b, 7, 0, 0, 100));
            rig.sized(used, size);
            Seen.equal(
                    "compMask() for a caller that knows " + (size == 0 ? "no field" : "all fields"),
                    size == 0 ? 0 : 1L << WorkCompletion.COMPLETION_TS,
                    used[0].compMask());
        }
        rig.a.qp.modify(new io.verbs4j.QpAttr().qpState(io.verbs4j.QpState.ERR));
        rig.a.post(rig.a.operation(rig.b, 8, 0, 0, 100));
        WorkCompletion failed = rig.sized(WorkCompletion.SIZE);
        Seen.check(failed.status() != WcStatus.SUCCESS, "a request on a queue pair in ERR succeeded");
        Seen.equal("compMask() of a failed completion", 0L, failed.compMask());
    }

    @Rule(
            id = "R12.06",
            since = 3,
            says = "an extended queue has as many entries as were asked for, and tells what was",
            look = "the function in the slot CREATE_CQ_EX",
            man = PAGE,
            needs = Capability.EXTENDED_CQ)
    default void r1206Entries(Rig rig) {
        Context context = rig.open();
        CqInitAttrEx attr = new CqInitAttrEx().cqe(37).userContext(rig).wcFlags(WcExFlags.BYTE_LEN);
        CompletionQueue cq = rig.made(CompletionQueue.class, context.createCqEx(attr));
        Seen.atLeast("cqe() of createCqEx", 37, cq.cqe());
        Seen.equal("wcFlags()", WcExFlags.BYTE_LEN, cq.wcFlags());
        Seen.check(cq.userContext() == rig, "userContext() is " + cq.userContext());
        Seen.errno("startPoll", Errno.ENOENT, cq.startPoll(null));
        cq.close();
        Seen.errno("startPoll after close", Errno.EINVAL, cq.startPoll(null));
    }

    @Rule(
            id = "R12.07",
            since = 3,
            says = "whoever wants a queue that another thread reads waits one second at most, and is told EBUSY",
            look = {"CompletionQueue.poll", "CompletionQueue.pollEx", "CompletionQueue.startPoll"},
            man = PAGE,
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS},
            needs = Capability.EXTENDED_CQ)
    default void r1207Patience(CompletionRig rig) throws InterruptedException {
        rig.startExtended(WcExFlags.STANDARD);
        rig.a.ready(10, 0, 100);
        rig.b.ready(10, 0, 100);
        rig.a.post(rig.a.operation(rig.b, 1, 0, 0, 100));
        rig.b.post(rig.b.operation(rig.a, 2, 0, 0, 100));
        CountDownLatch begun = new CountDownLatch(3);
        CountDownLatch answered = new CountDownLatch(3);
        WorkCompletion[] wc = {new WorkCompletion()};
        CompletionRig.Reading first =
                rig.new Reading("startPoll", rig.a.cq, () -> rig.b.cq.startPoll(null), begun, answered);
        CompletionRig.Reading second = rig.new Reading("poll", rig.b.cq, () -> -rig.a.cq.poll(1, wc), begun, answered);
        WorkCompletion[] sized = {new WorkCompletion()};
        CompletionRig.Reading third = rig
        .new Reading("poll with a size", null, () -> -rig.a.cq.poll(1, sized, WorkCompletion.SIZE), begun, answered);
        List<CompletionRig.Reading> readings = List.of(first, second, third);
        readings.forEach(Thread::start);
        boolean all = answered.await(MOST_WAIT_NANOS + rig.kit.patience().toNanos(), TimeUnit.NANOSECONDS);
        for (CompletionRig.Reading reading : readings) {
            Seen.check(
                    all || reading.answer >= 0,
                    reading.getName() + " of a queue that another thread reads has not returned after a second");
            reading.join(rig.kit.patience().toMillis());
        }
        readings.forEach(reading -> Seen.errno(
                reading.getName() + " of a queue that another thread keeps reading (for poll, its negated result)",
                Errno.EBUSY,
                reading.answer));
        Seen.errno("startPoll after endPoll in another thread", Errno.ENOENT, rig.startAnew(rig.a.cq));
    }

    @Rule(
            id = "R12.08",
            since = 3,
            says = "a queue of one thread at a time may pass to another thread, also between startPoll and endPoll",
            look = {"CompletionQueue.nextPoll", "CompletionQueue.endPoll", "CompletionQueue.wrId"},
            man = "the Javadoc of CompletionQueue.startPoll and CqCreateFlags.SINGLE_THREADED",
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS},
            needs = Capability.EXTENDED_CQ)
    default void r1208HandOver(CompletionRig rig) throws InterruptedException {
        rig.start(side -> {
            side.extendedCq = true;
            side.wcFlags = WcExFlags.STANDARD;
            side.cqFlags = CqCreateFlags.SINGLE_THREADED;
        });
        rig.b.ready(10, 0, 100);
        rig.a.post(rig.a.operation(rig.b, 1, 0, 0, 100));
        rig.begin(rig.a.cq);
        Seen.errno(
                "startPoll between startPoll and endPoll", Errno.EBUSY, rig.elsewhere(() -> rig.a.cq.startPoll(null)));
        Seen.equal("wrId() in another thread", 1, rig.elsewhere(() -> (int) rig.a.cq.wrId()));
        Seen.errno("nextPoll in another thread", Errno.ENOENT, rig.elsewhere(rig.a.cq::nextPoll));
        Seen.errno("endPoll in a third thread", 0, rig.elsewhere(rig.a.cq::endPoll));
        Seen.errno("endPoll in the first thread after that", Errno.EINVAL, rig.a.cq.endPoll());
        Seen.errno("startPoll in the first thread", Errno.ENOENT, rig.a.cq.startPoll(null));
    }

    @Rule(
            id = "R12.09",
            since = 3,
            says = "a poll without a size leaves nothing of an earlier completion in what came after level 1",
            look = "CompletionQueue.poll",
            man = "the Javadoc of CompletionQueue.poll and WorkCompletion.compMask",
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS},
            needs = Capability.EXTENDED_CQ)
    default void r1209Stale(CompletionRig rig) {
        boolean times = rig.has(Capability.COMPLETION_TIMESTAMPS);
        rig.startExtended(WcExFlags.STANDARD | (times ? WcExFlags.COMPLETION_TIMESTAMP : 0));
        rig.b.ready(10, 0, 100);
        rig.a.post(rig.a.operation(rig.b, 1, 0, 0, 100));
        WorkCompletion wc = new WorkCompletion().completionTs(1).completionWallclockNs(1);
        WorkCompletion[] one = {wc};
        long end = System.nanoTime() + rig.kit.patience().toNanos();
        int n;
        do {
            n = rig.a.cq.poll(1, one);
        } while (n == 0 && System.nanoTime() < end);
        Seen.equal("the result of poll", 1, n);
        Seen.equal("compMask() after poll without a size", 0L, wc.compMask());
    }
}
