/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.rdmacore;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WrOpcode;
import io.verbs4j.benchmarks.rc.RcEnd;

/** Batches of the API's verbs on a pair of queue pairs of a simulated device. */
public abstract class OnPair extends Batches {
    private Pair pair;
    private SendWorkRequest writeList;
    private SendWorkRequest sendList;
    private RecvWorkRequest receiveList;

    @Override
    void open() {
        pair = pair(DeviceSim.open());
        if (!Conditions.current().isEfa()) {
            Conditions.current()
                    .check(Register.of(pair.from().qp()), Register.of(pair.to().qp()));
        }
        writeList = requests(WrOpcode.RDMA_WRITE, true)[0];
        sendList = requests(WrOpcode.SEND, true)[0];
        receiveList = receives(true)[0];
        opened();
    }

    /** Connects two queue pairs. */
    Pair pair(Context context) {
        return new Pair(context);
    }

    /** Creates what else the benchmark needs. */
    void opened() {}

    /** Closes what {@link #opened} has created. */
    void closing() {}

    @Override
    public void before() {
        fill();
    }

    /** Lets the device process what was posted, and checks the results. */
    @Override
    public void after() {
        DeviceSim.pump();
        take(from().sends().queue());
        check();
    }

    /** Checks all of the memory and the device's error counters, and closes the pair. */
    @Override
    public void close() {
        closing();
        pair.close();
        DeviceSim.check();
    }

    final Context context() {
        return pair.context();
    }

    final RcEnd from() {
        return pair.from();
    }

    final RcEnd to() {
        return pair.to();
    }

    /** Returns requests for all messages, single or linked. */
    final SendWorkRequest[] requests(int opcode, boolean linked) {
        return pair.requests(opcode, linked);
    }

    /** Returns receives for all messages, single or linked. */
    final RecvWorkRequest[] receives(boolean linked) {
        return pair.receives(linked);
    }

    /** Changes the contents of the messages. */
    final void fill() {
        pair.fill();
    }

    /** Posts writes of all messages. */
    final void postWrites() {
        for (int i = 0; i < REPEATS; i++) {
            RcEnd.posted(from().qp().postSend(writeList));
        }
    }

    /** Posts sends of all messages. */
    final void postSends() {
        for (int i = 0; i < REPEATS; i++) {
            RcEnd.posted(from().qp().postSend(sendList));
        }
    }

    /** Posts receives of all messages. */
    final void postReceives() {
        for (int i = 0; i < REPEATS; i++) {
            RcEnd.posted(to().qp().postRecv(receiveList));
        }
    }

    /** Takes the completions of all operations, which must be successful and in order. */
    final void take(CompletionQueue cq) {
        pair.take(cq);
    }

    /** Takes the completions of a number of operations, in any order. */
    final void takeAny(CompletionQueue cq, int operations) {
        pair.takeAny(cq, operations);
    }

    /** Throws if a message has not arrived, or a timed verb has failed. */
    final void check() {
        RcEnd.posted(error);
        pair.check();
    }
}
