/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import io.verbs4j.AddressHandle;
import io.verbs4j.Errno;
import io.verbs4j.MwBind;
import io.verbs4j.QpAttr;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendBuilder;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;
import java.util.Arrays;
import org.junit.jupiter.api.Assumptions;

/**
 * R21: builders. A provider has them by {@code postSend}, or posts what they have gathered itself: the rules are the same, but for what is
 * posted of a batch that is refused, which {@code posted()} tells.
 */
abstract class BuilderRules extends ChannelRules {
    static final String BUILDER = "ibv_wr_post(3), and the Javadoc of SendBuilder";
    static final String BUILT = "QueuePair.postBuilt";
    static final String POSTED = "QueuePair.postSend";
    private static final int APART = 4096;

    /** For {@link ProviderKit}. */
    BuilderRules() {}

    /** An operation of 100 bytes that shares no memory with one of another number. */
    private SendWorkRequest one(int number) {
        return a.operation(b, number, number * APART, number * APART, 100);
    }

    private void ready(int... numbers) {
        for (int number : numbers) {
            b.ready(number, number * APART, 100);
        }
    }

    private void done(int... numbers) {
        new Arrivals(a, b, 100, number -> number * APART).have(numbers);
    }

    /** A batch that must be refused; answers how many of it were posted all the same. */
    private int refused(String what, SendBuilder builder, int errno, SendWorkRequest... batch) {
        Seen.errno("complete of a batch with " + what, errno, Gathered.complete(builder, batch));
        return builder.posted();
    }

    private void refusedWhole(String what, SendBuilder builder, int errno, SendWorkRequest wr) {
        Seen.equal("posted() after " + what, 0, refused(what, builder, errno, wr));
    }

    @Rule(
            id = "R21.01",
            since = 3,
            says = "what a builder has gathered leaves when it is complete, not before, and arrives whole",
            look = {BUILT, POSTED},
            man = BUILDER,
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS})
    final void r2101Arrives() {
        start();
        SendBuilder builder = a.qp.builder();
        Seen.check(builder.qp() == a.qp, "qp() of the builder is another queue pair");
        ready(1, 2);
        builder.start();
        Gathered.whole(builder, one(1));
        Gathered.add(builder, one(2));
        a.nothing("of a batch that is not complete");
        Seen.errno("complete of a batch of 2", 0, builder.complete());
        Seen.equal("posted()", 2, builder.posted());
        done(1, 2);
        for (int size : new int[] {0, 1, Side.MTU, 3 * Side.MTU + 7}) {
            b.ready(3, 20_000, 10_000);
            b.ready(4, 40_000, 10_000);
            builder.start();
            Gathered.whole(builder, a.operation(b, 3, 20_000, 20_000, size));
            Gathered.add(builder, a.operation(b, 4, 40_000, 40_000, size));
            Seen.errno("complete of a batch of 2", 0, builder.complete());
            new Arrivals(a, b, size, number -> number * 20_000 - 40_000).have(3, 4);
        }
        b.memory.untouched(60_000, 1000);
    }

    @Rule(
            id = "R21.02",
            since = 3,
            says =
                    "a batch is posted in the order of its requests, and behind what others have posted until it is complete",
            look = {BUILT, POSTED},
            man = BUILDER,
            needs = Capability.RC)
    final void r2102Order() {
        // Held back where the device can: so there is something that could be overtaken.
        start();
        SendBuilder builder = a.qp.builder();
        if (!hasRnr()) {
            ready(1, 2, 3, 4, 5);
        }
        builder.start();
        Gathered.add(builder, one(3));
        a.post(one(1));
        Gathered.add(builder, one(4));
        Gathered.post(a.qp.builder(), one(2));
        Gathered.add(builder, one(5));
        Seen.errno("complete of a batch of 3", 0, builder.complete());
        if (hasRnr()) {
            ready(1, 2, 3, 4, 5);
        }
        done(1, 2, 3, 4, 5);
    }

    @Rule(
            id = "R21.03",
            since = 3,
            says = "a request of a batch has its own pieces of memory, all of them, in their order",
            look = {BUILT, POSTED},
            man = BUILDER + " (ibv_wr_set_sge_list)",
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS})
    final void r2103Pieces() {
        int most = Math.min(3, open().queryDevice().maxSge());
        start(s -> s.maxSge = most);
        int third = most > 2 ? 993 : 0;
        int second = most > 1 ? 7 : 0;
        SendWorkRequest[] batch = new SendWorkRequest[2];
        for (int i = 0; i < 2; i++) {
            int from = 20_000 * i;
            ScatterGatherElement[] pieces = {
                a.sge(from, 3000 - second - third),
                a.sge(from + 3000 - second - third, second),
                a.sge(from + 3000 - third, third)
            };
            b.ready(1 + i, from, 4000);
            batch[i] = a.operation(b, 1 + i, from, Arrays.copyOf(pieces, most));
        }
        Gathered.post(a.qp.builder(), batch);
        new Arrivals(a, b, 3000, number -> 20_000 * (number - 1)).have(1, 2);
        b.memory.untouched(3000, 10_000);
        b.memory.untouched(23_000, 10_000);
    }

    @Rule(
            id = "R21.04",
            since = 3,
            says =
                    "inline data are taken when a batch is complete, neither before nor after, as much as there is room for",
            look = {BUILT, POSTED},
            man = BUILDER + " (ibv_wr_set_inline_data)",
            needs = {Capability.RC, Capability.INLINE})
    final void r2104Inline() {
        start(s -> s.maxInline = 32);
        Assumptions.assumeTrue(a.opcode() != WrOpcode.RDMA_READ, "a read has nothing that could be inline");
        Memory before = new Memory(Side.BYTES, 1);
        SendBuilder builder = a.qp.builder();
        if (!hasRnr()) {
            ready(1, 2);
        }
        builder.start();
        for (int i = 1; i <= 2; i++) {
            SendWorkRequest wr = a.operation(b, i, i * APART, i * APART, i == 1 ? 32 : 5);
            Gathered.add(builder, wr.sendFlags(SendFlags.SIGNALED | SendFlags.INLINE));
        }
        for (int i = 0; i < 5; i++) {
            a.memory.buffer.put(2 * APART + i, before.at(i)); // the second has these
        }
        Seen.errno("complete of a batch of 2", 0, builder.complete());
        for (int i = 0; i < 32; i++) {
            a.memory.buffer.put(APART + i, (byte) 0);
            a.memory.buffer.put(2 * APART + i, (byte) 0);
        }
        if (hasRnr()) {
            ready(1, 2);
        }
        for (int i = 1; i <= 2; i++) {
            a.next(i, WcStatus.SUCCESS);
            b.took(i);
        }
        b.memory.holds(APART, before, APART, 32);
        b.memory.holds(2 * APART, before, 0, 5);
        int room = capOf(a).maxInlineData();
        SendWorkRequest wr = a.operation(b, 3, 0, 0, room + 1).sendFlags(SendFlags.SIGNALED | SendFlags.INLINE);
        refusedWhole(room + 1 + " bytes inline, where there is room for " + room + ",", builder, Errno.EINVAL, wr);
    }

    @Rule(
            id = "R21.05",
            since = 3,
            says = "each request of a batch is signaled or not by itself, and all are with sqSigAll",
            look = {BUILT, POSTED},
            man = BUILDER + " (wr_flags)",
            needs = Capability.RC)
    final void r2105Signaled() {
        start();
        ready(1, 2, 3, 4);
        Gathered.post(a.qp.builder(), one(1).sendFlags(0), one(2), one(3).sendFlags(0), one(4));
        a.next(2, WcStatus.SUCCESS);
        a.next(4, WcStatus.SUCCESS);
        a.nothing("though two of the requests were signaled, and those have completed");
        start(s -> s.sigAll = true);
        ready(1, 2);
        Gathered.post(a.qp.builder(), one(1).sendFlags(0), one(2).sendFlags(0));
        done(1, 2);
    }

    @Rule(
            id = "R21.06",
            since = 3,
            says =
                    "an error is told when the batch is complete; what posted() does not count was not posted, and is not posted later",
            look = {BUILT, POSTED},
            man = BUILDER,
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS})
    final void r2106Refused() {
        start();
        SendBuilder builder = a.qp.builder();
        ScatterGatherElement[] list =
                new ScatterGatherElement[a.context.queryDevice().maxSge() + 1];
        Arrays.setAll(list, i -> a.sge(0, 1));
        ready(1, 2);
        int posted = refused(
                list.length + " pieces", builder, Errno.EINVAL, one(1), one(2), a.operation(b, 3, 0, list), one(4));
        Seen.check(posted == 0 || posted == 2, "posted() is " + posted + ", where the third request was refused");
        if (posted != 0) {
            done(1, 2); // in any order, where the device has none
        }
        a.nothing("of what posted() says was not posted");
        wrongCalls(builder);
        a.nothing("of a batch that was not posted");
        if (posted != 0) {
            ready(1, 2);
        }
        SendWorkRequest first = a.operation(b, 6, 6 * APART, APART, 100);
        Gathered.post(builder, first, a.operation(b, 7, 7 * APART, 2 * APART, 100));
        new Arrivals(a, b, 100, number -> number * APART).have(new int[] {6, 7}, new int[] {1, 2});
        a.nothing("of a batch that was refused, after another");
    }

    private void wrongCalls(SendBuilder builder) {
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

    @Rule(
            id = "R21.07",
            since = 3,
            says =
                    "of a batch that was given up nothing is posted, not with the next one either; an empty one posts nothing",
            look = {BUILT, POSTED},
            man = BUILDER + " (ibv_wr_abort)",
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS})
    final void r2107Aborted() {
        start();
        SendBuilder builder = a.qp.builder();
        ready(4, 5, 6); // two more than are needed, for what must not come
        builder.start();
        for (int i = 1; i <= 3; i++) {
            Gathered.add(builder, one(i));
        }
        builder.abort();
        a.nothing("of a batch that was given up");
        Seen.errno("complete after abort", Errno.EINVAL, builder.complete());
        Gathered.post(builder);
        Gathered.post(builder, one(4));
        done(4);
        a.nothing("of a batch that was given up, after another");
        b.memory.untouched(0, 4 * APART);
    }

    @Rule(
            id = "R21.08",
            since = 3,
            says = "a batch that does not fit is answered with ENOMEM, and one that just fits is posted",
            look = {BUILT, POSTED},
            man = BUILDER,
            needs = {Capability.RC, Capability.SEND, Capability.RNR})
    final void r2108Full() {
        start(s -> s.maxWr = 4);
        SendBuilder builder = a.qp.builder();
        int room = capOf(a).maxSendWr();
        SendWorkRequest[] batch = new SendWorkRequest[room + 1];
        Arrays.setAll(batch, i -> a.wr(WrOpcode.SEND, i, a.sge(i, 10))); // nothing is received, so nothing completes
        int posted = refused("one request more than fit", builder, Errno.ENOMEM, batch);
        Seen.check(posted == 0 || posted == room, "posted() is " + posted + ", where " + room + " requests fit");
        received(0, posted);
        a.nothing("of what posted() says was not posted");
        Arrays.setAll(batch, i -> a.wr(WrOpcode.SEND, 1000 + i, a.sge(1000 + i, 10)));
        Gathered.post(builder, Arrays.copyOf(batch, room));
        refusedWhole("a request for a full queue", builder, Errno.ENOMEM, batch[0]);
        received(1000, room);
        a.nothing("of a request that did not fit");
    }

    /** Receives so many, one after the other. */
    private void received(int first, int count) {
        for (int i = first; i < first + count; i++) {
            b.recv(i, 0, 10);
            a.next(i, WcStatus.SUCCESS);
            b.next(i, WcStatus.SUCCESS);
            b.memory.holds(0, a.memory, i, 10);
        }
    }

    @Rule(
            id = "R21.09",
            since = 3,
            says =
                    "an operation that the queue pair's type or the device does not have is answered with EOPNOTSUPP, and not posted",
            look = {BUILT, POSTED},
            man = BUILDER,
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS})
    final void r2109Operations() {
        start();
        SendBuilder builder = a.qp.builder();
        for (Operation operation : Operation.values()) {
            if (!operation.isStated(this)) {
                hasNot("", builder, a.request(operation.opcode, b, 1, 64, a.sge(0, 8)));
            }
        }
        for (LaterOperation operation : LaterOperation.values()) {
            if (!operation.capability.in(this)) {
                hasNot("", builder, operation.request(a, b));
            }
        }
        if (!hasTypeTwoWindows()) {
            hasNot("", builder, a.wr(WrOpcode.BIND_MW, 1).mwBind(new MwBind().mr(a.mr)));
        }
        if (!hasSendWithInvalidate()) {
            hasNot("", builder, a.wr(WrOpcode.SEND_WITH_INV, 1));
        }
        ready(1);
        Gathered.post(builder, one(1));
        done(1);
        if (hasUc()) {
            start(s -> {
                s.qpType = QpType.UC;
                s.access &= io.verbs4j.AccessFlags.REMOTE_WRITE;
            });
            hasNot(" of type UC", a.qp.builder(), a.to(b, 64, a.wr(WrOpcode.RDMA_READ, 1, a.sge(0, 8))));
            a.nothing("of an operation that UC has not");
        }
        if (hasUd()) {
            startUd();
            AddressHandle ah = toB();
            SendWorkRequest write = a.to(b, 64, a.wr(WrOpcode.RDMA_WRITE, 1, a.sge(0, 8)));
            hasNot(
                    " of type UD",
                    a.qp.builder(),
                    write.ah(ah).remoteQpn(b.qp.qpNum()).remoteQkey(Side.QKEY));
            a.nothing("of an operation that UD has not");
            b.memory.untouched(64, 8);
        }
    }

    private void hasNot(String type, SendBuilder builder, SendWorkRequest wr) {
        String what = WrOpcode.toString(wr.opcode()) + ", which the queue pair" + type + " does not have,";
        refusedWhole(what, builder, Errno.EOPNOTSUPP, wr);
    }

    @Rule(
            id = "R21.10",
            since = 3,
            says =
                    "it is the state when a batch is complete that counts: EINVAL before RTS and after close, flushed in ERR",
            look = {BUILT, POSTED},
            man = BUILDER,
            needs = Capability.RC)
    final void r2110States() {
        make(s -> {});
        SendBuilder builder = a.qp.builder();
        refusedWhole("a request in state RESET", builder, Errno.EINVAL, one(1));
        a.toInit(a.qp);
        refusedWhole("a request in state INIT", builder, Errno.EINVAL, one(1));
        a.qp.modify(new QpAttr().qpState(QpState.RESET));
        Side.connect(a, b);
        builder.start();
        Gathered.add(builder, one(1));
        Gathered.add(builder, one(2));
        a.qp.modify(new QpAttr().qpState(QpState.ERR));
        Seen.errno("complete in state ERR", 0, builder.complete());
        a.next(1, WcStatus.WR_FLUSH_ERR);
        a.next(2, WcStatus.WR_FLUSH_ERR);
        builder.start();
        Gathered.add(builder, one(3));
        a.qp.close();
        Seen.errno("complete after close", Errno.EINVAL, builder.complete());
        Seen.equal("posted() after close", 0, builder.posted());
    }
}
