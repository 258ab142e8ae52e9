/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim.programs;

import static io.verbs4j.rdmacore.sim.Check.require;

import com.sun.management.ThreadMXBean;
import io.verbs4j.CompletionQueue;
import io.verbs4j.CqCreateFlags;
import io.verbs4j.CqInitAttrEx;
import io.verbs4j.Errno;
import io.verbs4j.PollCqAttr;
import io.verbs4j.QpAttr;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsObject;
import io.verbs4j.WcExFlags;
import io.verbs4j.WcFlags;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.mlx5dv.Mlx5CqInitAttr;
import io.verbs4j.rdmacore.sim.Simulator;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A program for a simulated device: checks which calls are allowed while completions are read one by one, and which are
 * refused. Arguments: the data path, and whether the program promises to use the queue from one thread at a time.
 */
// Longer than 500 lines because it tries each call in each state of reading, on the objects of one process.
public final class ReadingRulesProgram {
    private static final long ALL = WcExFlags.STANDARD | WcExFlags.COMPLETION_TIMESTAMP;
    private static final int TIMES = 20_000;
    private static final int WINDOW = 1_000;

    private final boolean java;
    private final Mlx5Rig rig;
    private final ByteBuffer memory = ByteBuffer.allocateDirect(4096).order(ByteOrder.nativeOrder());
    private final CompletionQueue cq;
    private final WorkCompletion[] wc = {new WorkCompletion(), new WorkCompletion()};
    private final SendWorkRequest wr;
    private final boolean single;
    private long posted;

    private ReadingRulesProgram(String path, boolean single) {
        this.single = single;
        java = path.equals("java");
        rig = new Mlx5Rig("mlx5_0", path, QpType.RC, memory, context -> {
            CqInitAttrEx attr = new CqInitAttrEx().cqe(63).wcFlags(ALL);
            return context.createCqEx(single ? attr.flags(CqCreateFlags.SINGLE_THREADED) : attr);
        });
        cq = rig.cq;
        wr = new SendWorkRequest()
                .opcode(WrOpcode.RDMA_WRITE)
                .sendFlags(SendFlags.SIGNALED)
                .remoteAddr(rig.mr.addr())
                .rkey(rig.mr.rkey());
    }

    public static void main(String... args) throws InterruptedException {
        ReadingRulesProgram test = new ReadingRulesProgram(args[0], Boolean.parseBoolean(args[1]));
        test.refusals();
        test.order();
        test.whatWasNotAskedFor();
        if (test.single) {
            test.handedOver();
        } else {
            test.others();
        }
        test.closing();
        test.queuePairs();
        test.currentStays();
        test.smallMessages();
        test.abandoned();
        test.vendor();
        test.places();
        test.allocation();
        test.rig.close();
        test.closed();
        Simulator.requireNoViolation();
        System.out.println("reading rules hold");
    }

    private void complete(int count) {
        for (int i = 0; i < count; i++) {
            require(rig.qp.postSend(wr.wrId(posted++)) == 0, "a post was refused");
        }
        Simulator.pump();
    }

    private static void refused(int errno, Runnable call) {
        try {
            call.run();
        } catch (VerbsException e) {
            require(e.errno() == errno, "errno " + e.errno() + " and not " + errno + ": " + e);
            return;
        }
        throw new IllegalStateException("not refused with " + errno);
    }

    private static void same(long is, long wanted) {
        require(is == wanted, is + " and not " + wanted);
    }

    private CqInitAttrEx attr() {
        return new CqInitAttrEx().cqe(10);
    }

    private void refusals() {
        int unknown = Errno.EOPNOTSUPP;
        for (long ofPackets : new long[] {WcExFlags.CVLAN, WcExFlags.FLOW_TAG}) {
            rig.context.createCqEx(attr().wcFlags(ofPackets)).close();
        }
        refused(unknown, () -> rig.context.createCqEx(attr().wcFlags(WcExFlags.TM_INFO)));
        refused(unknown, () -> rig.context.createCqEx(attr().wcFlags(1L << 40)));
        refused(unknown, () -> rig.context.createCqEx(attr().flags(1 << 5)));
        refused(unknown, () -> rig.context.createCqEx(attr().vendor("somebody's")));
        CqInitAttrEx bit = attr();
        bit.masks(1L << 9, 0);
        refused(unknown, () -> rig.context.createCqEx(bit));
        refused(Errno.EINVAL, () -> rig.context.createCqEx(attr().cqe(1 << 25)));
        rig.context.createCqEx(attr().flags(CqCreateFlags.IGNORE_OVERRUN)).close();
        same(cq.wcFlags(), ALL);
        PollCqAttr poll = new PollCqAttr();
        poll.masks(1, 0);
        same(cq.startPoll(poll), unknown);
        try (CompletionQueue plain = rig.context.createCq(10)) {
            same(plain.startPoll(null), unknown);
            same(plain.nextPoll(), unknown);
            same(plain.endPoll(), unknown);
            refused(unknown, plain::status);
            same(plain.poll(1, wc, WorkCompletion.SIZE), 0);
        }
    }

    private void order() {
        same(cq.startPoll(null), Errno.ENOENT);
        same(cq.nextPoll(), Errno.EINVAL);
        same(cq.endPoll(), Errno.EINVAL);
        refused(Errno.EINVAL, cq::wrId);
        complete(2);
        same(cq.startPoll(new PollCqAttr()), 0);
        same(cq.wrId(), posted - 2);
        same(cq.startPoll(null), Errno.EBUSY);
        same(cq.poll(2, wc), -Errno.EBUSY);
        same(cq.poll(2, wc, WorkCompletion.SIZE), -Errno.EBUSY);
        same(cq.reqNotify(false), 0);
        same(cq.nextPoll(), 0);
        same(cq.wrId(), posted - 1);
        same(cq.nextPoll(), Errno.ENOENT);
        refused(Errno.EINVAL, cq::wrId);
        refused(Errno.EINVAL, cq::readCompletionTs);
        complete(1); // more may arrive later
        same(cq.nextPoll(), 0);
        same(cq.wrId(), posted - 1);
        same(cq.endPoll(), 0);
        refused(Errno.EINVAL, cq::wrId);
        same(cq.endPoll(), Errno.EINVAL);
        // A request for fewer completions gets fewer, and none is lost between the two ways.
        complete(3);
        same(cq.poll(1, wc, WorkCompletion.SIZE), 1);
        same(wc[0].compMask(), 1);
        same(cq.poll(1, new WorkCompletion[1], WorkCompletion.SIZE), -Errno.EINVAL);
        same(cq.poll(0, wc, WorkCompletion.SIZE), 0);
        same(cq.poll(1, wc, -1), -Errno.EINVAL);
        same(cq.poll(1, wc, 0), 1);
        same(wc[0].compMask(), 0);
        same(wc[0].wrId(), posted - 2);
        same(cq.startPoll(null), 0);
        same(cq.wrId(), posted - 1);
        same(cq.endPoll(), 0);
        same(cq.poll(1, wc), 0);
    }

    private void whatWasNotAskedFor() {
        try (CompletionQueue few = rig.context.createCqEx(attr().wcFlags(WcExFlags.BYTE_LEN));
                QueuePair one = rig.pd.createQp(Mlx5Rig.attr(QpType.RC, few, null))) {
            Mlx5Rig.connect(rig.context, one, one.qpNum());
            require(one.postSend(wr) == 0, "a post was refused");
            Simulator.pump();
            same(few.startPoll(null), 0);
            few.readByteLen();
            few.readOpcode();
            few.readWcFlags();
            refused(Errno.EINVAL, few::readImmData);
            refused(Errno.EINVAL, few::readInvalidatedRkey);
            refused(Errno.EINVAL, few::readQpNum);
            refused(Errno.EINVAL, few::readSrcQp);
            refused(Errno.EINVAL, few::readSlid);
            refused(Errno.EINVAL, few::readSl);
            refused(Errno.EINVAL, few::readDlidPathBits);
            refused(Errno.EINVAL, few::readCompletionTs);
            refused(Errno.EINVAL, few::readCompletionWallclockNs);
            same(few.endPoll(), 0);
        }
    }

    private interface Body {
        void run() throws InterruptedException;
    }

    /** Runs the body in another thread, which must end. */
    private static void elsewhere(Body body) throws InterruptedException {
        Throwable[] thrown = new Throwable[1];
        Thread t = new Thread(() -> {
            try {
                body.run();
            } catch (Throwable e) {
                thrown[0] = e;
            }
        });
        t.start();
        t.join(20_000);
        require(!t.isAlive(), "the other thread hangs");
        if (thrown[0] != null) {
            throw new IllegalStateException("another thread", thrown[0]);
        }
    }

    /** A queue for one thread at a time belongs to its next caller, even in the middle of reading. */
    private void handedOver() throws InterruptedException {
        complete(2);
        same(cq.startPoll(null), 0);
        elsewhere(() -> {
            same(cq.startPoll(null), Errno.EBUSY);
            same(cq.wrId(), posted - 2);
            refused(Errno.EBUSY, () -> cq.resize(100));
            refused(Errno.EBUSY, () -> tryToClose(cq));
            same(cq.nextPoll(), 0);
        });
        same(cq.wrId(), posted - 1);
        elsewhere(() -> same(cq.endPoll(), 0));
        same(cq.endPoll(), Errno.EINVAL);
        same(cq.startPoll(null), Errno.ENOENT);
    }

    private void others() throws InterruptedException {
        complete(2);
        same(cq.startPoll(null), 0);
        elsewhere(() -> {
            same(cq.nextPoll(), Errno.EINVAL);
            same(cq.endPoll(), Errno.EINVAL);
            refused(Errno.EINVAL, cq::wrId);
            refused(Errno.EBUSY, () -> cq.resize(100));
            refused(Errno.EBUSY, () -> tryToClose(cq));
        });
        AtomicInteger taken = new AtomicInteger(-1);
        List<Thread> waiting = new ArrayList<>();
        WorkCompletion[] theirs = {new WorkCompletion(), new WorkCompletion()};
        waiting.add(new Thread(() -> taken.set(cq.poll(2, theirs))));
        waiting.add(new Thread(() -> {
            int error = cq.startPoll(null);
            require(error == Errno.ENOENT || error == 0 && cq.endPoll() == 0, "start " + error);
        }));
        waiting.forEach(Thread::start);
        waiting.get(0).interrupt(); // does not end the wait
        Thread.sleep(100);
        require(waiting.stream().allMatch(Thread::isAlive), "a thread did not wait");
        same(cq.wrId(), posted - 2);
        same(cq.endPoll(), 0);
        for (Thread t : waiting) {
            t.join(10_000);
            require(!t.isAlive(), "a thread waits forever");
        }
        require(taken.get() == 1 || taken.get() == 0, "taken " + taken);
    }

    private static void tryToClose(VerbsObject object) {
        object.close();
    }

    /** The program's own queue pairs are closed by then, so that nothing else keeps the queue. */
    private void closing() {
        CompletionQueue alone = rig.context.createCqEx(attr().wcFlags(ALL));
        QueuePair one = rig.pd.createQp(Mlx5Rig.attr(QpType.RC, alone, null));
        Mlx5Rig.connect(rig.context, one, one.qpNum());
        require(one.postSend(wr) == 0, "a post was refused");
        Simulator.pump();
        same(alone.startPoll(null), 0);
        refused(Errno.EBUSY, () -> alone.resize(100));
        if (java) {
            one.close(); // the current completion stays where it is
            refused(Errno.EBUSY, alone::close);
        } else {
            refused(Errno.EBUSY, one::close);
            refused(Errno.EBUSY, () -> one.modify(new QpAttr().qpState(QpState.RESET)));
        }
        same(alone.status(), 0);
        same(alone.nextPoll(), Errno.ENOENT);
        same(alone.endPoll(), 0);
        one.close();
        alone.resize(100);
        alone.close();
        same(alone.startPoll(null), Errno.EINVAL);
        same(alone.nextPoll(), Errno.EINVAL);
        same(alone.endPoll(), Errno.EINVAL);
        same(alone.poll(1, wc, WorkCompletion.SIZE), -Errno.EINVAL);
        refused(Errno.EINVAL, alone::wrId);
        refused(Errno.EINVAL, alone::readCompletionTs);
    }

    /** Completions of a closed queue pair are dropped; those of others stay, with their time. */
    private void queuePairs() {
        QueuePair one = rig.pd.createQp(Mlx5Rig.attr(QpType.RC, cq, null));
        Mlx5Rig.connect(rig.context, one, one.qpNum());
        complete(1);
        long before = Simulator.device_sim_clock();
        for (int i = 0; i < 3; i++) {
            require(one.postSend(wr.wrId(77)) == 0, "a post was refused");
            Simulator.pump();
        }
        complete(2);
        one.close();
        same(cq.startPoll(null), 0);
        same(cq.wrId(), posted - 3);
        long first = cq.readCompletionTs();
        require(first < before && before - first < 10_000, "stamp " + first + " before " + before);
        same(cq.readVendorErr(), 0);
        same(cq.nextPoll(), 0);
        same(cq.wrId(), posted - 2);
        same(cq.readQpNum(), rig.qp.qpNum());
        require(cq.readCompletionTs() > before, "stamp " + cq.readCompletionTs() + " after " + before);
        same(cq.endPoll(), 0);
        same(cq.poll(2, wc, WorkCompletion.SIZE), 1);
        same(wc[0].wrId(), posted - 1);
        require(wc[0].completionTs() > before, "stamp " + wc[0].completionTs() + " after " + before);
    }

    /**
     * The current completion stays unchanged until the end, whatever is closed meanwhile: completions of a closed queue
     * pair are dropped, and the device gets none of their places. One completion more than fit is lost, and does not
     * overwrite the current one.
     */
    private void currentStays() {
        try (CompletionQueue four = rig.context.createCqEx(attr().cqe(3).wcFlags(ALL));
                QueuePair stays = rig.pd.createQp(Mlx5Rig.attr(QpType.RC, four, null));
                QueuePair goes = rig.pd.createQp(Mlx5Rig.attr(QpType.RC, four, null))) {
            same(four.cqe(), 3);
            Mlx5Rig.connect(rig.context, stays, stays.qpNum());
            Mlx5Rig.connect(rig.context, goes, goes.qpNum());
            post(stays, 1);
            post(goes, 2);
            post(stays, 3);
            same(four.startPoll(null), 0);
            long time = four.readCompletionTs();
            if (java) {
                tryToClose(goes);
            }
            same(four.readCompletionTs(), time);
            post(stays, 4);
            post(stays, 5);
            same(four.wrId(), 1);
            same(four.readQpNum(), stays.qpNum());
            same(four.readCompletionTs(), time);
            same(four.nextPoll(), 0);
            same(four.wrId(), java ? 3 : 2);
            require(four.readCompletionTs() > time, "stamp " + four.readCompletionTs() + " after " + time);
            while (four.nextPoll() == 0) {
                require(four.wrId() != 5, "a completion arrived without room for it");
            }
            same(four.endPoll(), 0);
        }
    }

    private void post(QueuePair to, long id) {
        require(to.postSend(wr.wrId(id)) == 0, "a post was refused");
        Simulator.pump();
    }

    /** Small messages arrive inside the completion, and are in memory as soon as it is current. */
    private void smallMessages() {
        ScatterGatherElement[] from = {
            new ScatterGatherElement().addr(rig.mr.addr()).length(8).lkey(rig.mr.lkey())
        };
        ScatterGatherElement[] to = {
            new ScatterGatherElement().addr(rig.mr.addr() + 64).length(8).lkey(rig.mr.lkey())
        };
        for (int i = 1; i <= 3; i++) {
            memory.putLong(0, 0x1234567L * i);
            memory.putLong(64, 0);
            require(rig.peer.postRecv(new RecvWorkRequest().wrId(i).sgList(to)) == 0, "a receive was refused");
            SendWorkRequest send = new SendWorkRequest()
                    .opcode(WrOpcode.SEND_WITH_IMM)
                    .immData(i)
                    .sgList(from);
            require(rig.qp.postSend(send) == 0, "a post was refused");
            Simulator.pump();
            CompletionQueue receives = rig.peerCq;
            same(receives.startPoll(null), 0);
            same(memory.getLong(64), 0x1234567L * i);
            same(receives.wrId(), i);
            same(receives.status(), WcStatus.SUCCESS);
            same(receives.readOpcode(), WcOpcode.RECV);
            same(receives.readByteLen(), 8);
            same(receives.readImmData(), i);
            same(receives.readWcFlags(), WcFlags.WITH_IMM);
            same(receives.readVendorErr(), 0);
            same(receives.endPoll(), 0);
        }
    }

    /** A thread that ends while reading blocks no other. */
    private void abandoned() throws InterruptedException {
        for (int i = 0; i < 3; i++) {
            complete(2);
            elsewhere(() -> same(cq.startPoll(null), 0));
            if (single) { // any thread may continue: this one does
                same(cq.poll(2, wc), -Errno.EBUSY);
                same(cq.wrId(), posted - 2);
                same(cq.endPoll(), 0);
                same(cq.poll(2, wc), 1);
                continue;
            }
            switch (i) {
                case 0 -> same(cq.poll(2, wc), 1);
                case 1 -> {
                    same(cq.startPoll(null), 0);
                    same(cq.wrId(), posted - 1);
                    same(cq.endPoll(), 0);
                }
                default -> {
                    cq.resize(80);
                    same(cq.poll(2, wc, WorkCompletion.SIZE), 1);
                }
            }
        }
    }

    private void vendor() {
        CqInitAttrEx large = attr().wcFlags(ALL).vendor(new Mlx5CqInitAttr().cqeSize(128));
        try (CompletionQueue queue = rig.context.createCqEx(large);
                QueuePair one = rig.pd.createQp(Mlx5Rig.attr(QpType.RC, queue, null))) {
            Mlx5Rig.connect(rig.context, one, one.qpNum());
            long now = Simulator.device_sim_clock();
            require(one.postSend(wr.wrId(5)) == 0, "a post was refused");
            require(Simulator.device_sim_pump(1) == 1, "no step");
            same(queue.startPoll(null), 0);
            same(queue.readCompletionTs(), now);
            same(queue.endPoll(), 0);
        }
    }

    /** Ending returns the places even if nothing else ever does; the device stops at a full queue. */
    private void places() {
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < cq.cqe(); j++) {
                complete(1);
                same(cq.startPoll(null), 0);
                same(cq.wrId(), posted - 1);
                same(cq.endPoll(), 0);
            }
        }
    }

    /** The compiler allocates occasionally, at times of its own. */
    private void allocation() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long allocated = 0;
        long least = Long.MAX_VALUE;
        PollCqAttr none = new PollCqAttr();
        for (int i = 0; i < TIMES; i++) {
            if (i % WINDOW == 0 && i > 0) {
                least = Math.min(least, allocated);
                allocated = 0;
            }
            complete(2);
            long before = threads.getCurrentThreadAllocatedBytes();
            long sum = 0;
            if (i % 2 == 0) {
                sum = cq.startPoll(none);
                sum += cq.wrId() - posted + 2 + cq.status() + cq.readOpcode() - WcOpcode.RDMA_WRITE;
                sum += cq.readQpNum() - rig.qp.qpNum() + (cq.readCompletionTs() > 0 ? 0 : 1) + cq.readWcFlags();
                sum += cq.nextPoll();
                sum += cq.nextPoll() - Errno.ENOENT + cq.endPoll();
            } else {
                sum = cq.poll(2, wc, WorkCompletion.SIZE) == 2 ? 0 : 1;
            }
            allocated += threads.getCurrentThreadAllocatedBytes() - before;
            same(sum, 0);
        }
        require(least == 0, "at least " + least + " bytes were allocated by " + WINDOW + " times");
    }

    private void closed() {
        same(cq.startPoll(null), Errno.EINVAL);
        same(cq.nextPoll(), Errno.EINVAL);
        same(cq.endPoll(), Errno.EINVAL);
        refused(Errno.EINVAL, cq::status);
        same(cq.poll(1, wc), -Errno.EINVAL);
    }
}
