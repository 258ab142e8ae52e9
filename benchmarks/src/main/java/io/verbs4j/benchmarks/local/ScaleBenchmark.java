/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.local;

import io.verbs4j.AccessFlags;
import io.verbs4j.AhAttr;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpAttr;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.benchmarks.harness.Contents;
import io.verbs4j.benchmarks.rc.RcEnd;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** An RDMA write posted and its completion polled, on one queue pair of many, always the same or each time another. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ScaleBenchmark {
    static final int MANY = 10_000;

    /** Has no divisor in common with {@link #MANY}, so that all have their turn, but not in the order in which they were made. */
    private static final int STRIDE = 3_331;

    private static final int DEPTH = 4;
    private static final int SIZE = 64;
    private static final int PORT = 1;
    private static final int HOP_LIMIT = 64;
    private static final int PATH_MTU = 3; // 1,024 bytes

    private final ByteBuffer memory = Contents.allocate(2 * SIZE);
    private final QueuePair[] pairs = new QueuePair[MANY];
    private final WorkCompletion[] completion = {new WorkCompletion()};
    private Context context;
    private ProtectionDomain pd;
    private CompletionQueue cq;
    private MemoryRegion mr;
    private SendWorkRequest write;
    private int next;

    /** Makes all queue pairs, each connected to itself. */
    @Setup
    public void open() {
        Contents.fill(memory, 1);
        context = RcEnd.openDevice();
        pd = context.allocPd();
        cq = context.createCq(DEPTH);
        mr = pd.regMr(memory, AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE);
        write = new SendWorkRequest()
                .opcode(WrOpcode.RDMA_WRITE)
                .sendFlags(SendFlags.SIGNALED)
                .sgList(ScatterGatherElement.of(mr, 0, SIZE))
                .remoteAddr(mr.addr() + SIZE)
                .rkey(mr.rkey());
        for (int i = 0; i < MANY; i++) {
            pairs[i] = pair();
        }
    }

    private QueuePair pair() {
        QueuePair qp = pd.createQp(new QpInitAttr()
                .qpType(QpType.RC)
                .sendCq(cq)
                .recvCq(cq)
                .cap(new QpCap().maxSendWr(DEPTH).maxRecvWr(1).maxSendSge(1).maxRecvSge(1)));
        qp.modify(
                new QpAttr().qpState(QpState.INIT).pkeyIndex(0).portNum(PORT).qpAccessFlags(AccessFlags.REMOTE_WRITE));
        AhAttr path = new AhAttr().portNum(PORT).isGlobal(true);
        path.grh().dgid(context.queryGid(PORT, 0)).sgidIndex(0).hopLimit(HOP_LIMIT);
        qp.modify(new QpAttr()
                .qpState(QpState.RTR)
                .ahAttr(path)
                .pathMtu(PATH_MTU)
                .destQpNum(qp.qpNum())
                .rqPsn(0)
                .maxDestRdAtomic(1)
                .minRnrTimer(1));
        qp.modify(new QpAttr()
                .qpState(QpState.RTS)
                .sqPsn(0)
                .timeout(18)
                .retryCnt(7)
                .rnrRetry(7)
                .maxRdAtomic(1));
        return qp;
    }

    /** Checks what was moved. */
    @TearDown
    public void close() {
        Contents.check(
                memory.duplicate().position(SIZE).slice(),
                memory.duplicate().limit(SIZE).slice());
        for (QueuePair qp : pairs) {
            qp.close();
        }
        mr.close();
        cq.close();
        pd.close();
        context.close();
    }

    /** On the first. */
    @Benchmark
    public int one() {
        return write(pairs[0]);
    }

    /** On another each time. */
    @Benchmark
    public int many() {
        next = (next + STRIDE) % MANY;
        return write(pairs[next]);
    }

    private int write(QueuePair qp) {
        RcEnd.posted(qp.postSend(write));
        int n = cq.poll(1, completion);
        if (n != 1 || completion[0].status() != 0) {
            throw new IllegalStateException("the write has not completed: " + completion[0]);
        }
        return n;
    }
}
