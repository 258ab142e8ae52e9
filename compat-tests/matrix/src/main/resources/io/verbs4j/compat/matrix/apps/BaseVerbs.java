/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package app;

import io.verbs4j.AccessFlags;
import io.verbs4j.AhAttr;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.Device;
import io.verbs4j.GlobalRoute;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpAttr;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsLevel;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.core.ProviderReport;
import io.verbs4j.core.Verbs;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The verbs of level 1: a reliable connection between two queue pairs of one device, and data that are verified. */
final class BaseVerbs {
    static final int SIZE = 10_000; // several packets, the last one odd
    private static final long PATIENCE_SECONDS = 60;

    /** That of the provider in use: the report tells it with every library. */
    static int providerLevel;

    final ProtectionDomain pd;
    final CompletionQueue cq;
    final MemoryRegion source;
    final MemoryRegion target;
    private final Context context;
    private final ByteBuffer from = ByteBuffer.allocateDirect(SIZE);
    private final ByteBuffer to = ByteBuffer.allocateDirect(SIZE);

    BaseVerbs(Context context) {
        this.context = context;
        pd = Results.step("old", "alloc_pd", () -> Results.need(context, "a device").allocPd());
        cq = Results.step("old", "create_cq", () -> Results.need(context, "a device").createCq(16));
        source = Results.step("old", "reg_mr", () -> Results.need(pd, "alloc_pd").regMr(from, 0));
        target = Results.step("old", "reg_mr_remote", () -> Results.need(pd, "alloc_pd")
                .regMr(to, AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE));
    }

    /**
     * Opens the first device of the provider in that jar, or the one that the system property {@code app.device} names;
     * null where it has none.
     */
    static Context open(Path providerJar) {
        List<Device> devices = Results.step("old", "get_device_list", Verbs::devices);
        for (ProviderReport.Entry entry : Verbs.report().entries()) {
            // One that could not be loaded has no jar to its name.
            if (entry.location().equals(providerJar.toString()) || entry.location().equals("?")) {
                Results.line(
                        "provider",
                        entry.name(),
                        entry.used() ? "used" : "aside",
                        entry.used()
                                ? entry.level() + " " + entry.minimumLibraryLevel() + " " + entry.deviceNames()
                                : entry.reason());
                for (Device device : devices == null ? List.<Device>of() : devices) {
                    boolean asked = device.name().equals(System.getProperty("app.device", device.name()));
                    if (asked && entry.used() && entry.deviceNames().contains(device.name())) {
                        providerLevel = entry.level();
                        return Results.step("old", "open_device", () -> Verbs.open(device, VerbsLevel.CURRENT));
                    }
                }
            }
        }
        System.err.println(Verbs.report());
        return null;
    }

    /** The verbs of level 1, one after the other. */
    void run() {
        QueuePair left = Results.step("old", "create_qp", () -> {
            QpInitAttr attr = reliable(Results.need(cq, "create_cq"));
            QueuePair qp = Results.need(pd, "alloc_pd").createQp(attr);
            atLeastAsked(attr.cap());
            return qp;
        });
        QueuePair right = Results.step(
                "old", "create_qp_peer", () -> pair(Results.need(pd, "alloc_pd"), Results.need(cq, "create_cq")));
        transfer("old", "", left, right);
        for (QueuePair qp : new QueuePair[] {left, right}) {
            if (qp != null) {
                qp.close();
            }
        }
    }

    /** Connects two queue pairs and moves data with SEND and RDMA WRITE. */
    void transfer(String group, String suffix, QueuePair left, QueuePair right) {
        Boolean connected = Results.step(group, "modify_qp" + suffix, () -> {
            Results.need(left, "create_qp");
            Results.need(right, "create_qp");
            join(left, right);
            return true;
        });
        Results.step(group, "send" + suffix, () -> {
            Results.need(connected, "modify_qp");
            prepare(1);
            post(right.postRecv(new RecvWorkRequest().wrId(1).sgList(ScatterGatherElement.of(target))), "post_recv");
            post(left.postSend(request(WrOpcode.SEND)), "post_send");
            await(cq, 2);
            return verify(1);
        });
        Results.step(group, "rdma_write" + suffix, () -> {
            Results.need(connected, "modify_qp");
            write(left, cq, target.addr(), target.rkey(), 2);
            return verify(2);
        });
    }

    void close() {
        Results.step("old", "close", () -> {
            Results.need(context, "a device");
            for (AutoCloseable handle : new AutoCloseable[] {source, target, cq, pd, context}) {
                if (handle != null) {
                    Results.close(handle);
                }
            }
            return true;
        });
    }

    QpCap capacities() {
        return new QpCap().maxSendWr(4).maxRecvWr(4).maxSendSge(1).maxRecvSge(1);
    }

    /** What a device gives may be more, and is told. */
    void atLeastAsked(QpCap given) {
        QpCap asked = capacities();
        boolean enough = given.maxSendWr() >= asked.maxSendWr() && given.maxRecvWr() >= asked.maxRecvWr();
        if (!enough || given.maxSendSge() < asked.maxSendSge() || given.maxRecvSge() < asked.maxRecvSge()) {
            throw new IllegalStateException("got less than requested: " + given);
        }
    }

    private QpInitAttr reliable(CompletionQueue queue) {
        return new QpInitAttr().qpType(QpType.RC).sendCq(queue).recvCq(queue).cap(capacities());
    }

    /** A reliable queue pair whose completions are in one queue. */
    QueuePair pair(ProtectionDomain domain, CompletionQueue queue) {
        return domain.createQp(reliable(queue));
    }

    /** Connects two queue pairs. */
    void join(QueuePair left, QueuePair right) {
        connect(left, right.qpNum());
        connect(right, left.qpNum());
    }

    /** Writes new data by RDMA, and waits until that has completed. */
    void write(QueuePair qp, CompletionQueue queue, long addr, int rkey, int seed) {
        prepare(seed);
        post(qp.postSend(request(WrOpcode.RDMA_WRITE).remoteAddr(addr).rkey(rkey)), "post_send");
        await(queue, 1);
    }

    SendWorkRequest request(int opcode) {
        return new SendWorkRequest()
                .wrId(2)
                .opcode(opcode)
                .sendFlags(SendFlags.SIGNALED)
                .sgList(ScatterGatherElement.of(source));
    }

    void connect(QueuePair qp, int peer) {
        toReceive(qp, peer);
        qp.modify(new QpAttr()
                .qpState(QpState.RTS)
                .sqPsn(0)
                .timeout(14)
                .retryCnt(7)
                .rnrRetry(7)
                .maxRdAtomic(1));
    }

    /** To INIT and RTR, for any type that has a connection. */
    void toReceive(QueuePair qp, int peer) {
        init(qp);
        qp.modify(path(peer).maxDestRdAtomic(1).minRnrTimer(12));
    }

    void init(QueuePair qp) {
        qp.modify(new QpAttr()
                .qpState(QpState.INIT)
                .portNum(1)
                .pkeyIndex(0)
                .qpAccessFlags(AccessFlags.REMOTE_WRITE));
    }

    QpAttr path(int peer) {
        int gid = Integer.getInteger("app.gid", 0);
        AhAttr path = new AhAttr()
                .isGlobal(true)
                .portNum(1)
                .grh(new GlobalRoute().dgid(context.queryGid(1, gid)).sgidIndex(gid).hopLimit(64));
        return new QpAttr()
                .qpState(QpState.RTR)
                .ahAttr(path)
                .destQpNum(peer)
                .rqPsn(0)
                .pathMtu(context.queryPort(1).activeMtu());
    }

    void prepare(int seed) {
        for (int i = 0; i < SIZE; i++) {
            from.put(i, pattern(i, seed));
            to.put(i, (byte) 0);
        }
    }

    String verify(int seed) {
        return verify(to, seed);
    }

    /** The same of the first bytes, wherever they came to. */
    static String verify(ByteBuffer bytes, int seed) {
        for (int i = 0; i < bytes.capacity(); i++) {
            if (bytes.get(i) != pattern(i, seed)) {
                throw new IllegalStateException("byte " + i + " is " + bytes.get(i) + ", not " + pattern(i, seed));
            }
        }
        return bytes.capacity() + " bytes verified";
    }

    String zeros() {
        for (int i = 0; i < SIZE; i++) {
            if (to.get(i) != 0) {
                throw new IllegalStateException("byte " + i + " is " + to.get(i) + ", not 0");
            }
        }
        return SIZE + " bytes verified";
    }

    private static byte pattern(int i, int seed) {
        return (byte) (i * 31 + (i >> 8) + seed);
    }

    static void post(int errno, String verb) {
        if (errno != 0) {
            throw new VerbsException(Math.abs(errno), verb, "returned " + errno);
        }
    }

    static void await(CompletionQueue queue, int count) {
        WorkCompletion[] wc = {new WorkCompletion()};
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        int seen = 0;
        while (seen < count) {
            int polled = queue.poll(1, wc);
            if (polled < 0) {
                throw new VerbsException(-polled, "poll_cq", "returned " + polled);
            }
            if (polled == 1 && wc[0].status() != WcStatus.SUCCESS) {
                throw new IllegalStateException("completion: " + WcStatus.toString(wc[0].status()));
            }
            seen += polled;
            if (System.nanoTime() - end > 0) {
                throw new IllegalStateException("no completion after " + PATIENCE_SECONDS + " s");
            }
            if (polled == 0) {
                Thread.yield();
            }
        }
    }
}
