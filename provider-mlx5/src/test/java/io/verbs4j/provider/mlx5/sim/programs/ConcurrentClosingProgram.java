/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim.programs;

import static io.verbs4j.rdmacore.sim.Check.require;

import io.verbs4j.AccessFlags;
import io.verbs4j.AddressHandle;
import io.verbs4j.CompletionChannel;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.CqInitAttrEx;
import io.verbs4j.Errno;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MemoryWindow;
import io.verbs4j.MwBind;
import io.verbs4j.MwType;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpAttrMask;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.SrqAttr;
import io.verbs4j.SrqInitAttr;
import io.verbs4j.VerbsException;
import io.verbs4j.WcExFlags;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.rdmacore.sim.Simulator;
import io.verbs4j.testsupport.Patience;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * A program for a simulated device that works in a thread of its own: everything is closed, in any order, while other
 * threads post, poll, arm, wait for events, bind windows and query. Calls may fail; nothing may crash, hang, or throw
 * anything else. Arguments: the number of rounds, a seed, and the data path.
 */
public final class ConcurrentClosingProgram {
    private static final int BYTES = 4096;
    private static final long PATIENCE = Patience.NANOS;

    private static final AtomicLong WORK = new AtomicLong();
    private static final AtomicLong REFUSED = new AtomicLong();

    private final Random random;
    private final Context context;
    private final ProtectionDomain pd;
    private final ByteBuffer memory = ByteBuffer.allocateDirect(BYTES);
    private final MemoryRegion mr;
    private final CompletionChannel channel;
    private final CompletionQueue cq;
    private final CompletionQueue other;
    private final SharedReceiveQueue srq;
    private final AddressHandle ah;
    private final MemoryWindow mw;
    private final QueuePair sender;
    private final QueuePair receiver;
    private final QueuePair datagrams;
    private final long addr;
    private final int key;
    private final List<AutoCloseable> open = new ArrayList<>();

    private ConcurrentClosingProgram(long seed, String dataPath) {
        random = new Random(seed);
        context = add(Mlx5Rig.open("mlx5_0", dataPath));
        pd = add(context.allocPd());
        mr = add(pd.regMr(memory, Mlx5Rig.ACCESS | AccessFlags.MW_BIND));
        addr = mr.addr();
        key = mr.lkey();
        channel = add(context.createCompChannel());
        cq = add(context.createCqEx(new CqInitAttrEx()
                .cqe(512)
                .channel(channel)
                .wcFlags(WcExFlags.STANDARD | WcExFlags.COMPLETION_TIMESTAMP_WALLCLOCK)));
        other = add(context.createCq(512, null, channel, 0));
        srq = add(pd.createSrq(new SrqInitAttr().attr(new SrqAttr().maxWr(64).maxSge(2))));
        ah = add(pd.createAh(Mlx5Rig.path(context)));
        mw = WINDOWS ? add(pd.allocMw(MwType.TYPE_1)) : null;
        sender = add(pd.createQp(Mlx5Rig.attr(QpType.RC, cq, null)));
        receiver = add(pd.createQp(Mlx5Rig.attr(QpType.RC, other, srq)));
        datagrams = add(pd.createQp(Mlx5Rig.attr(QpType.UD, other, null)));
        Mlx5Rig.connect(sender, Mlx5Rig.path(context), receiver.qpNum(), Mlx5Rig.WITHOUT_END);
        Mlx5Rig.connect(receiver, Mlx5Rig.path(context), sender.qpNum(), Mlx5Rig.WITHOUT_END);
        Mlx5Rig.connect(datagrams, null, 0, Mlx5Rig.WITHOUT_END);
    }

    private <T extends AutoCloseable> T add(T handle) {
        open.add(handle);
        return handle;
    }

    /** Whether windows are bound as well; {@code -Dwindows=false} if binding makes the driver write behind its ring. */
    private static final boolean WINDOWS = Boolean.parseBoolean(System.getProperty("windows", "true"));

    public static void main(String... args) throws Exception {
        int rounds = Integer.parseInt(args[0]);
        long seed = Long.parseLong(args[1]);
        for (int i = 0; i < rounds; i++) {
            try {
                new ConcurrentClosingProgram(seed + i, args[2]).run();
            } catch (IllegalStateException e) {
                throw new IllegalStateException("round with seed " + (seed + i), e);
            }
        }
        Simulator.requireNoViolation();
        System.out.println("closing " + rounds + " rounds, " + WORK + " calls that worked, " + REFUSED + " refused");
    }

    private void run() throws Exception {
        ThreadsProgram.Group group = new ThreadsProgram.Group();
        SendWorkRequest[] wrs = {new SendWorkRequest(), new SendWorkRequest(), new SendWorkRequest()};
        group.meanwhile("sender", () -> told(sender.postSend(send(wrs[0]))));
        group.meanwhile("second sender", () -> told(sender.postSend(send(wrs[1]))));
        group.meanwhile("datagrams", () -> told(datagrams.postSend(datagram(wrs[2]))));
        RecvWorkRequest recv = new RecvWorkRequest().sgList(element(new ScatterGatherElement()));
        group.meanwhile("receives", () -> {
            told(srq.postRecv(recv));
            told(datagrams.postRecv(recv));
            told(sender.postRecv(recv));
        });
        WorkCompletion[] wc = {new WorkCompletion(), new WorkCompletion(), new WorkCompletion(), new WorkCompletion()};
        WorkCompletion[] stamped = {new WorkCompletion(), new WorkCompletion()};
        group.meanwhile("poller", () -> {
            told(Math.min(0, cq.poll(wc.length, wc)));
            told(Math.min(0, other.poll(wc.length, wc)));
        });
        group.meanwhile("reader", this::read);
        group.meanwhile("with stamps", () -> told(Math.min(0, cq.poll(2, stamped, WorkCompletion.SIZE))));
        group.meanwhile("events", this::awaitEvent);
        if (WINDOWS) {
            group.meanwhile("windows", () -> told(sender.bindMw(mw, bind())));
        }
        group.meanwhile(
                "queries",
                () -> thrown(() -> {
                    sender.query(QpAttrMask.STATE);
                    srq.query();
                    context.queryPort(1);
                }));
        LockSupport.parkNanos(500_000L + random.nextInt(3_000_000));
        Collections.shuffle(open, random);
        closeAll();
        requireRefused();
        LockSupport.parkNanos(500_000);
        group.work("end", () -> {});
        group.await("closing under load");
    }

    /** Closes everything that can be closed, over and over: objects with children fail with EBUSY. */
    private void closeAll() throws Exception {
        long start = System.nanoTime();
        while (!open.isEmpty()) {
            require(System.nanoTime() - start < PATIENCE, "can't be closed: " + open);
            for (AutoCloseable handle : List.copyOf(open)) {
                try {
                    handle.close();
                    open.remove(handle);
                } catch (VerbsException e) {
                    require(e.errno() == Errno.EBUSY, "closing " + handle + ": " + e);
                }
                if (random.nextInt(3) == 0) {
                    LockSupport.parkNanos(random.nextInt(200_000));
                }
            }
        }
    }

    private void requireRefused() {
        WorkCompletion[] wc = {new WorkCompletion()};
        require(sender.postSend(send(new SendWorkRequest())) != 0, "a closed queue pair takes sends");
        require(sender.postRecv(new RecvWorkRequest()) != 0, "a closed queue pair takes receives");
        require(srq.postRecv(new RecvWorkRequest()) != 0, "a closed shared receive queue takes receives");
        require(cq.poll(1, wc) < 0, "a closed completion queue is polled");
        require(cq.reqNotify(false) != 0, "a closed completion queue is armed");
        require(!WINDOWS || sender.bindMw(mw, bind()) != 0, "a closed queue pair binds");
    }

    private static void told(int answer) {
        (answer == 0 ? WORK : REFUSED).incrementAndGet();
    }

    private static void thrown(Runnable call) {
        try {
            call.run();
            told(0);
        } catch (VerbsException e) {
            told(e.errno());
        }
    }

    /** Reads a few completions one by one, and now and then at the wrong time. */
    private void read() {
        int answer = cq.startPoll(null);
        for (int i = 0; i < 4 && answer == 0; i++) {
            WORK.addAndGet(cq.status() == WcStatus.SUCCESS && cq.readCompletionWallclockNs() > 0 ? cq.readOpcode() : 0);
            answer = cq.nextPoll();
        }
        thrown(cq::readByteLen);
        told(cq.endPoll());
        thrown(cq::wrId);
    }

    private void awaitEvent() {
        told(cq.reqNotify(false));
        told(other.reqNotify(true));
        thrown(() -> {
            CompletionQueue from = channel.getEvent(1, TimeUnit.MILLISECONDS);
            if (from != null) {
                from.ackEvents(1);
            }
        });
    }

    private ScatterGatherElement element(ScatterGatherElement e) {
        return e.addr(addr).length(48).lkey(key);
    }

    private SendWorkRequest send(SendWorkRequest wr) {
        ThreadLocalRandom r = ThreadLocalRandom.current();
        int opcode = r.nextInt(WrOpcode.RDMA_READ + 1);
        return wr.opcode(opcode)
                .sendFlags(SendFlags.SIGNALED
                        | (opcode != WrOpcode.RDMA_READ && r.nextBoolean() ? SendFlags.INLINE : 0)
                        | (r.nextInt(4) == 0 ? SendFlags.SOLICITED : 0))
                .remoteAddr(addr + 1024)
                .rkey(key)
                .sgList(element(new ScatterGatherElement()));
    }

    private SendWorkRequest datagram(SendWorkRequest wr) {
        return wr.opcode(WrOpcode.SEND)
                .sendFlags(SendFlags.SIGNALED)
                .ah(ah)
                .remoteQpn(datagrams.qpNum())
                .remoteQkey(Mlx5Rig.QKEY)
                .sgList(element(new ScatterGatherElement()));
    }

    private MwBind bind() {
        return new MwBind()
                .sendFlags(SendFlags.SIGNALED)
                .mr(mr)
                .addr(addr)
                .length(256)
                .mwAccessFlags(AccessFlags.REMOTE_WRITE);
    }
}
