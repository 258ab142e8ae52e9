/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import static io.verbs4j.compat.kit.BuilderRig.APART;
import static io.verbs4j.compat.kit.BuilderRig.BUILDER;
import static io.verbs4j.compat.kit.BuilderRig.BUILT;
import static io.verbs4j.compat.kit.BuilderRig.POSTED;

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
 * R21: builders. A provider gets them through {@code postSend}, or posts batches itself. The rules are the same, except
 * for how much of a refused batch is posted, which {@code posted()} reports.
 */
interface BuilderRules {
    @Rule(
            id = "R21.01",
            since = 3,
            says = "what a builder has gathered leaves when it is complete, not before, and arrives whole",
            look = {BUILT, POSTED},
            man = BUILDER,
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS})
    default void r2101Arrives(BuilderRig rig) {
        rig.start();
        SendBuilder builder = rig.a.qp.builder();
        Seen.check(builder.qp() == rig.a.qp, "qp() of the builder is another queue pair");
        rig.ready(1, 2);
        builder.start();
        Gathered.whole(builder, rig.one(1));
        Gathered.add(builder, rig.one(2));
        rig.a.nothing("of a batch that is not complete");
        Seen.errno("complete of a batch of 2", 0, builder.complete());
        Seen.equal("posted()", 2, builder.posted());
        rig.done(1, 2);
        for (int size : new int[] {0, 1, Side.MTU, 3 * Side.MTU + 7}) {
            rig.b.ready(3, 20_000, 10_000);
            rig.b.ready(4, 40_000, 10_000);
            builder.start();
            Gathered.whole(builder, rig.a.operation(rig.b, 3, 20_000, 20_000, size));
            Gathered.add(builder, rig.a.operation(rig.b, 4, 40_000, 40_000, size));
            Seen.errno("complete of a batch of 2", 0, builder.complete());
            new Arrivals(rig.a, rig.b, size, number -> number * 20_000 - 40_000).have(3, 4);
        }
        rig.b.memory.untouched(60_000, 1000);
    }

    @Rule(
            id = "R21.02",
            since = 3,
            says = "a batch is posted in the order of its requests, and behind what others have posted until it is"
                    + " complete",
            look = {BUILT, POSTED},
            man = BUILDER,
            needs = Capability.RC)
    default void r2102Order(BuilderRig rig) {
        // The device holds requests back if it can, so that there is something to overtake.
        rig.start();
        SendBuilder builder = rig.a.qp.builder();
        if (!rig.has(Capability.RNR)) {
            rig.ready(1, 2, 3, 4, 5);
        }
        builder.start();
        Gathered.add(builder, rig.one(3));
        rig.a.post(rig.one(1));
        Gathered.add(builder, rig.one(4));
        Gathered.post(rig.a.qp.builder(), rig.one(2));
        Gathered.add(builder, rig.one(5));
        Seen.errno("complete of a batch of 3", 0, builder.complete());
        if (rig.has(Capability.RNR)) {
            rig.ready(1, 2, 3, 4, 5);
        }
        rig.done(1, 2, 3, 4, 5);
    }

    @Rule(
            id = "R21.03",
            since = 3,
            says = "a request of a batch has its own pieces of memory, all of them, in their order",
            look = {BUILT, POSTED},
            man = BUILDER + " (ibv_wr_set_sge_list)",
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS})
    default void r2103Pieces(Rig rig) {
        int most = Math.min(3, rig.open().queryDevice().maxSge());
        rig.start(s -> s.maxSge = most);
        int third = most > 2 ? 993 : 0;
        int second = most > 1 ? 7 : 0;
        SendWorkRequest[] batch = new SendWorkRequest[2];
        for (int i = 0; i < 2; i++) {
            int from = 20_000 * i;
            ScatterGatherElement[] pieces = {
                rig.a.sge(from, 3000 - second - third),
                rig.a.sge(from + 3000 - second - third, second),
                rig.a.sge(from + 3000 - third, third)
            };
            rig.b.ready(1 + i, from, 4000);
            batch[i] = rig.a.operation(rig.b, 1 + i, from, Arrays.copyOf(pieces, most));
        }
        Gathered.post(rig.a.qp.builder(), batch);
        new Arrivals(rig.a, rig.b, 3000, number -> 20_000 * (number - 1)).have(1, 2);
        rig.b.memory.untouched(3000, 10_000);
        rig.b.memory.untouched(23_000, 10_000);
    }

    @Rule(
            id = "R21.04",
            since = 3,
            says = "inline data are taken when a batch is complete, neither before nor after, as much as there is"
                    + " room for",
            look = {BUILT, POSTED},
            man = BUILDER + " (ibv_wr_set_inline_data)",
            needs = {Capability.RC, Capability.INLINE})
    default void r2104Inline(BuilderRig rig) {
        rig.start(s -> s.maxInline = 32);
        Assumptions.assumeTrue(rig.a.opcode() != WrOpcode.RDMA_READ, "an RDMA read carries no inline data");
        Memory before = new Memory(Side.BYTES, 1);
        SendBuilder builder = rig.a.qp.builder();
        if (!rig.has(Capability.RNR)) {
            rig.ready(1, 2);
        }
        builder.start();
        for (int i = 1; i <= 2; i++) {
            SendWorkRequest wr = rig.a.operation(rig.b, i, i * APART, i * APART, i == 1 ? 32 : 5);
            Gathered.add(builder, wr.sendFlags(SendFlags.SIGNALED | SendFlags.INLINE));
        }
        for (int i = 0; i < 5; i++) {
            rig.a.memory.buffer.put(2 * APART + i, before.at(i)); // the second request sends these
        }
        Seen.errno("complete of a batch of 2", 0, builder.complete());
        for (int i = 0; i < 32; i++) {
            rig.a.memory.buffer.put(APART + i, (byte) 0);
            rig.a.memory.buffer.put(2 * APART + i, (byte) 0);
        }
        if (rig.has(Capability.RNR)) {
            rig.ready(1, 2);
        }
        for (int i = 1; i <= 2; i++) {
            rig.a.next(i, WcStatus.SUCCESS);
            rig.b.took(i);
        }
        rig.b.memory.holds(APART, before, APART, 32);
        rig.b.memory.holds(2 * APART, before, 0, 5);
        int room = Rig.capOf(rig.a).maxInlineData();
        SendWorkRequest wr = rig.a.operation(rig.b, 3, 0, 0, room + 1).sendFlags(SendFlags.SIGNALED | SendFlags.INLINE);
        rig.refusedWhole(room + 1 + " inline bytes, more than the room for " + room + ",", builder, Errno.EINVAL, wr);
    }

    @Rule(
            id = "R21.05",
            since = 3,
            says = "each request of a batch is signaled or not by itself, and all are with sqSigAll",
            look = {BUILT, POSTED},
            man = BUILDER + " (wr_flags)",
            needs = Capability.RC)
    default void r2105Signaled(BuilderRig rig) {
        rig.start();
        rig.ready(1, 2, 3, 4);
        Gathered.post(
                rig.a.qp.builder(),
                rig.one(1).sendFlags(0),
                rig.one(2),
                rig.one(3).sendFlags(0),
                rig.one(4));
        rig.a.next(2, WcStatus.SUCCESS);
        rig.a.next(4, WcStatus.SUCCESS);
        rig.a.nothing("although only two requests were signaled, and both have completed");
        rig.start(s -> s.sigAll = true);
        rig.ready(1, 2);
        Gathered.post(rig.a.qp.builder(), rig.one(1).sendFlags(0), rig.one(2).sendFlags(0));
        rig.done(1, 2);
    }

    @Rule(
            id = "R21.06",
            since = 3,
            says = "an error is reported when the batch is complete; requests that posted() does not count were not"
                    + " posted, and are not posted later",
            look = {BUILT, POSTED},
            man = BUILDER,
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS})
    default void r2106Refused(BuilderRig rig) {
        rig.start();
        SendBuilder builder = rig.a.qp.builder();
        ScatterGatherElement[] list =
                new ScatterGatherElement[rig.a.context.queryDevice().maxSge() + 1];
        Arrays.setAll(list, i -> rig.a.sge(0, 1));
        rig.ready(1, 2);
        int posted = rig.refused(
                list.length + " pieces",
                builder,
                Errno.EINVAL,
                rig.one(1),
                rig.one(2),
                rig.a.operation(rig.b, 3, 0, list),
                rig.one(4));
        Seen.check(
                posted == 0 || posted == 2,
                "posted() is " + posted + ", not 0 or 2, after the third request was refused");
        if (posted != 0) {
            rig.done(1, 2); // in any order, if the device has none
        }
        rig.a.nothing("of a request that posted() did not count");
        rig.wrongCalls(builder);
        rig.a.nothing("of a batch that was not posted");
        if (posted != 0) {
            rig.ready(1, 2);
        }
        SendWorkRequest first = rig.a.operation(rig.b, 6, 6 * APART, APART, 100);
        Gathered.post(builder, first, rig.a.operation(rig.b, 7, 7 * APART, 2 * APART, 100));
        new Arrivals(rig.a, rig.b, 100, number -> number * APART).have(new int[] {6, 7}, new int[] {1, 2});
        rig.a.nothing("of a refused batch, after a later one");
    }

    @Rule(
            id = "R21.07",
            since = 3,
            says = "of a batch that was given up nothing is posted, not with the next one either; an empty one posts"
                    + " nothing",
            look = {BUILT, POSTED},
            man = BUILDER + " (ibv_wr_abort)",
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS})
    default void r2107Aborted(BuilderRig rig) {
        rig.start();
        SendBuilder builder = rig.a.qp.builder();
        rig.ready(4, 5, 6); // two more than needed, for messages that must not come
        builder.start();
        for (int i = 1; i <= 3; i++) {
            Gathered.add(builder, rig.one(i));
        }
        builder.abort();
        rig.a.nothing("of an aborted batch");
        Seen.errno("complete after abort", Errno.EINVAL, builder.complete());
        Gathered.post(builder);
        Gathered.post(builder, rig.one(4));
        rig.done(4);
        rig.a.nothing("of an aborted batch, after a later one");
        rig.b.memory.untouched(0, 4 * APART);
    }

    @Rule(
            id = "R21.08",
            since = 3,
            says = "a batch that does not fit is answered with ENOMEM, and one that just fits is posted",
            look = {BUILT, POSTED},
            man = BUILDER,
            needs = {Capability.RC, Capability.SEND, Capability.RNR})
    default void r2108Full(BuilderRig rig) {
        rig.start(s -> s.maxWr = 4);
        SendBuilder builder = rig.a.qp.builder();
        int room = Rig.capOf(rig.a).maxSendWr();
        SendWorkRequest[] batch = new SendWorkRequest[room + 1];
        Arrays.setAll(
                batch, i -> rig.a.wr(WrOpcode.SEND, i, rig.a.sge(i, 10))); // nothing is received, so nothing completes
        int posted = rig.refused("one request more than fits", builder, Errno.ENOMEM, batch);
        Seen.check(posted == 0 || posted == room, "posted() is " + posted + ", not 0 or the " + room + " that fit");
        rig.received(0, posted);
        rig.a.nothing("of a request that posted() did not count");
        Arrays.setAll(batch, i -> rig.a.wr(WrOpcode.SEND, 1000 + i, rig.a.sge(1000 + i, 10)));
        Gathered.post(builder, Arrays.copyOf(batch, room));
        rig.refusedWhole("a request for a full queue", builder, Errno.ENOMEM, batch[0]);
        rig.received(1000, room);
        rig.a.nothing("of a request that did not fit");
    }

    @Rule(
            id = "R21.09",
            since = 3,
            says = "an operation that the queue pair's type or the device does not have is answered with EOPNOTSUPP,"
                    + " and not posted",
            look = {BUILT, POSTED},
            man = BUILDER,
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS})
    default void r2109Operations(BuilderRig rig) {
        rig.start();
        SendBuilder builder = rig.a.qp.builder();
        for (Operation operation : Operation.values()) {
            if (!operation.isStated(rig)) {
                rig.hasNot("", builder, rig.a.request(operation.opcode, rig.b, 1, 64, rig.a.sge(0, 8)));
            }
        }
        for (LaterOperation operation : LaterOperation.values()) {
            if (!rig.has(operation.capability)) {
                rig.hasNot("", builder, operation.request(rig.a, rig.b));
            }
        }
        if (!rig.has(Capability.TYPE_2_WINDOWS)) {
            rig.hasNot("", builder, rig.a.wr(WrOpcode.BIND_MW, 1).mwBind(new MwBind().mr(rig.a.mr)));
        }
        if (!rig.has(Capability.SEND_WITH_INV)) {
            rig.hasNot("", builder, rig.a.wr(WrOpcode.SEND_WITH_INV, 1));
        }
        rig.ready(1);
        Gathered.post(builder, rig.one(1));
        rig.done(1);
        if (rig.has(Capability.UC)) {
            rig.start(s -> {
                s.qpType = QpType.UC;
                s.access &= io.verbs4j.AccessFlags.REMOTE_WRITE;
            });
            rig.hasNot(
                    " of type UC",
                    rig.a.qp.builder(),
                    rig.a.to(rig.b, 64, rig.a.wr(WrOpcode.RDMA_READ, 1, rig.a.sge(0, 8))));
            rig.a.nothing("of an operation that UC does not support");
        }
        if (rig.has(Capability.UD)) {
            rig.startUd();
            AddressHandle ah = rig.toB();
            SendWorkRequest write = rig.a.to(rig.b, 64, rig.a.wr(WrOpcode.RDMA_WRITE, 1, rig.a.sge(0, 8)));
            rig.hasNot(
                    " of type UD",
                    rig.a.qp.builder(),
                    write.ah(ah).remoteQpn(rig.b.qp.qpNum()).remoteQkey(Side.QKEY));
            rig.a.nothing("of an operation that UD does not support");
            rig.b.memory.untouched(64, 8);
        }
    }

    @Rule(
            id = "R21.10",
            since = 3,
            says = "it is the state when a batch is complete that counts: EINVAL before RTS and after close, flushed"
                    + " in ERR",
            look = {BUILT, POSTED},
            man = BUILDER,
            needs = Capability.RC)
    default void r2110States(BuilderRig rig) {
        rig.make(s -> {});
        SendBuilder builder = rig.a.qp.builder();
        rig.refusedWhole("a request in state RESET", builder, Errno.EINVAL, rig.one(1));
        rig.a.toInit(rig.a.qp);
        rig.refusedWhole("a request in state INIT", builder, Errno.EINVAL, rig.one(1));
        rig.a.qp.modify(new QpAttr().qpState(QpState.RESET));
        Side.connect(rig.a, rig.b);
        builder.start();
        Gathered.add(builder, rig.one(1));
        Gathered.add(builder, rig.one(2));
        rig.a.qp.modify(new QpAttr().qpState(QpState.ERR));
        Seen.errno("complete in state ERR", 0, builder.complete());
        rig.a.next(1, WcStatus.WR_FLUSH_ERR);
        rig.a.next(2, WcStatus.WR_FLUSH_ERR);
        builder.start();
        Gathered.add(builder, rig.one(3));
        rig.a.qp.close();
        Seen.errno("complete after close", Errno.EINVAL, builder.complete());
        Seen.equal("posted() after close", 0, builder.posted());
    }
}
