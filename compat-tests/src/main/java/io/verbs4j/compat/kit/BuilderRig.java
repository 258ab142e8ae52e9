/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import io.verbs4j.Errno;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendBuilder;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;

/** Batches of numbered requests, each with its own part of the memory. See {@link BuilderRules}. */
final class BuilderRig extends DatagramRig {
    static final String BUILDER = "ibv_wr_post(3), and the Javadoc of SendBuilder";
    static final String BUILT = "QueuePair.postBuilt";
    static final String POSTED = "QueuePair.postSend";
    static final int APART = 4096;

    BuilderRig(ProviderKit kit) {
        super(kit);
    }

    /** {@return an operation of 100 bytes that shares no memory with operations of other numbers} */
    SendWorkRequest one(int number) {
        return a.operation(b, number, number * APART, number * APART, 100);
    }

    void ready(int... numbers) {
        for (int number : numbers) {
            b.ready(number, number * APART, 100);
        }
    }

    void done(int... numbers) {
        new Arrivals(a, b, 100, number -> number * APART).have(numbers);
    }

    /** Posts a batch that must be refused; returns how many of its requests were posted anyway. */
    int refused(String what, SendBuilder builder, int errno, SendWorkRequest... batch) {
        Seen.errno("complete of a batch with " + what, errno, Gathered.complete(builder, batch));
        return builder.posted();
    }

    void refusedWhole(String what, SendBuilder builder, int errno, SendWorkRequest wr) {
        Seen.equal("posted() after " + what, 0, refused(what, builder, errno, wr));
    }

    void wrongCalls(SendBuilder builder) {
        ScatterGatherElement piece = a.sge(0, 8);
        Seen.errno("complete without start", Errno.EINVAL, builder.complete());
        builder.start();
        builder.sge(piece.lkey(), piece.addr(), 8);
        Gathered.add(builder, one(5));
        Seen.errno("complete after an element of no request", Errno.EINVAL, builder.complete());
        Seen.equal("posted() after an error", 0, builder.posted());
        builder.start();
        Gathered.add(builder, one(5));
        builder.sge(piece.lkey(), piece.addr(), -1);
        Seen.errno("complete after an element of -1 bytes", Errno.EINVAL, builder.complete());
        builder.start();
        Gathered.add(builder, one(5));
        builder.start();
        Seen.errno("complete after a second start", Errno.EINVAL, builder.complete());
    }

    /** Receives several messages, one after the other. */
    void received(int first, int count) {
        for (int i = first; i < first + count; i++) {
            b.recv(i, 0, 10);
            a.next(i, WcStatus.SUCCESS);
            b.next(i, WcStatus.SUCCESS);
            b.memory.holds(0, a.memory, i, 10);
        }
    }

    void hasNot(String type, SendBuilder builder, SendWorkRequest wr) {
        String what = WrOpcode.toString(wr.opcode()) + ", which the queue pair" + type + " does not support,";
        refusedWhole(what, builder, Errno.EOPNOTSUPP, wr);
    }
}
