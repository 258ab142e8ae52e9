/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.rdmacore;

import io.verbs4j.AccessFlags;
import io.verbs4j.CompletionQueue;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpAttr;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.WorkCompletion;
import io.verbs4j.benchmarks.harness.Contents;
import io.verbs4j.benchmarks.rc.RcEnd;
import java.nio.ByteBuffer;
import org.openjdk.jmh.annotations.Benchmark;

/** Verbs that give the device nothing to do. */
public class IdleBenchmark extends OnPair {
    private static final int PAGE = 4096;
    private static final int ACCESS = AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE;

    private final ByteBuffer page = Contents.allocate(PAGE);
    private final WorkCompletion[] completions = {new WorkCompletion()};
    private final QpAttr init =
            new QpAttr().qpState(QpState.INIT).pkeyIndex(0).portNum(1).qpAccessFlags(AccessFlags.REMOTE_WRITE);
    private final QpAttr reset = new QpAttr().qpState(QpState.RESET);
    private ProtectionDomain pd;
    private QueuePair spare;

    @Override
    void opened() {
        pd = context().allocPd();
        spare = pd.createQp(new QpInitAttr()
                .qpType(QpType.RC)
                .sendCq(from().sends().queue())
                .recvCq(from().receives().queue())
                .cap(new QpCap().maxSendWr(1).maxRecvWr(1).maxSendSge(1).maxRecvSge(1)));
    }

    @Override
    void closing() {
        spare.close();
        pd.close();
    }

    @Override
    public void before() {}

    @Override
    public void after() {
        RcEnd.posted(error);
    }

    /** {@code poll_cq} of an empty queue. */
    @Benchmark
    public void pollEmpty() {
        CompletionQueue cq = from().sends().queue();
        for (int i = 0; i < OPERATIONS; i++) {
            error |= cq.poll(1, completions);
        }
    }

    /** {@code reg_mr} and {@code dereg_mr}. */
    @Benchmark
    public void registerPage() {
        for (int i = 0; i < OPERATIONS; i++) {
            pd.regMr(page, ACCESS).close();
        }
    }

    /** {@code modify_qp}: RESET to INIT and back. */
    @Benchmark
    public void modify() {
        for (int i = 0; i < OPERATIONS; i += 2) {
            spare.modify(init);
            spare.modify(reset);
        }
    }
}
