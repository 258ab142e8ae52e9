/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.wire;

import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WrOpcode;
import io.verbs4j.benchmarks.rc.RcEnd;
import java.io.IOException;
import org.HdrHistogram.Histogram;

/** Sends, or RDMA writes that notify the receiver, which polls and reposts its receives. */
final class RcSends extends Rc {
    /** Number of requests posted together with {@link Transports#RC_SEND_LIST}. */
    static final int LIST = 32;

    private final RecvWorkRequest[] receives;
    private final SendWorkRequest answer;
    private final boolean told;
    private long answers;
    private long answersDone;

    /** Creates an end. If {@code told} is true, ping-pong uses RDMA writes with immediate data. */
    RcSends(Link link, int size, int list, boolean told) throws IOException {
        super(link, size, list, size <= RcEnd.INLINE ? SendFlags.INLINE : 0);
        ScatterGatherElement from = ScatterGatherElement.of(end.memory(), sourceOffset(), size);
        for (SendWorkRequest request : requests()) {
            request.opcode(WrOpcode.SEND).sgList(from);
        }
        this.told = told;
        answer = new SendWorkRequest()
                .opcode(told ? WrOpcode.RDMA_WRITE_WITH_IMM : WrOpcode.SEND)
                .rkey(peer.rkey())
                .sgList(from);
        receives = new RecvWorkRequest[recvDepth];
        for (int i = 0; i < recvDepth; i++) {
            receives[i] = new RecvWorkRequest()
                    .wrId(i)
                    .sgList(ScatterGatherElement.of(end.memory(), (long) i % places * size, size));
            RcEnd.posted(end.qp().postRecv(receives[i]));
        }
        end.connect(peer);
        link.exchange("connected");
    }

    @Override
    void address(SendWorkRequest request, long number) {
        // the receiver chooses the address
    }

    @Override
    public void receive(long messages) {
        long received = 0;
        while (received < messages) {
            received += take();
        }
        if (received != messages) {
            throw new IllegalStateException(received + " messages arrived instead of " + messages);
        }
    }

    /** Waits for messages, and reposts their receives as a list. */
    private int take() {
        int n = end.receives().await();
        RecvWorkRequest list = null;
        for (int i = n - 1; i >= 0; i--) {
            if (end.receives().get(i).byteLen() != size) {
                throw new IllegalStateException(
                        "a message has " + end.receives().get(i).byteLen() + " bytes instead of " + size);
            }
            list = receives[(int) end.receives().get(i).wrId()].next(list);
        }
        RcEnd.posted(end.qp().postRecv(list));
        return n;
    }

    @Override
    public void ping(long messages, Histogram roundTrips) {
        for (long i = 0; i < messages; i++) {
            long start = System.nanoTime();
            sendOne();
            take();
            roundTrips.recordValue(System.nanoTime() - start);
        }
        drain();
    }

    @Override
    public void pong(long messages) {
        for (long i = 0; i < messages; i++) {
            take();
            sendOne();
        }
        drain();
    }

    private void sendOne() {
        if (told) {
            answer.immData((int) answers).remoteAddr(peer.addr() + answers % places * size);
        }
        answers++;
        boolean signal = answers % (sendDepth / 4) == 0;
        answer.wrId(answers)
                .sendFlags((size <= RcEnd.INLINE ? SendFlags.INLINE : 0) | (signal ? SendFlags.SIGNALED : 0));
        RcEnd.posted(end.qp().postSend(answer));
        if (answers - answersDone > sendDepth / 2) {
            int n = end.sends().await();
            answersDone = end.sends().get(n - 1).wrId();
        }
    }

    /** Takes the remaining completions, so that the next measurement does not find them. */
    private void drain() {
        long last = answers - answers % (sendDepth / 4);
        while (answersDone < last) {
            int n = end.sends().await();
            answersDone = end.sends().get(n - 1).wrId();
        }
    }
}
