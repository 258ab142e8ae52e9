/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import io.verbs4j.AddressHandle;
import io.verbs4j.CompletionQueue;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import java.util.BitSet;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Sides that exchange reliable datagrams. See {@link SrdRules}. */
class SrdRig extends Rig {
    static final String POST = "QueuePair.postSend";
    static final String POLL = "CompletionQueue.poll";
    static final String POST_MAN = "ibv_post_send(3), DESCRIPTION";
    static final String SRD = "efadv_create_qp_ex(3), DESCRIPTION (EFADV_QP_DRIVER_TYPE_SRD)";
    static final int MESSAGES = 16;
    static final int ROUNDS = 6;
    static final int SLOTS = 20;
    static final int SLOT = 2000;
    static final int SHORTEST = 100;

    AddressHandle toA;
    AddressHandle toB;

    SrdRig(ProviderKit kit) {
        super(kit);
    }

    /** Creates both sides with address handles to each other: the target of reads and writes may need one too. */
    void startSrd(Consumer<Side> settings) {
        make(settings.andThen(s -> s.qpType = QpType.DRIVER));
        a.unconnected(a.qp);
        b.unconnected(b.qp);
        toA = way(b, a);
        toB = way(a, b);
    }

    void startSrd() {
        startSrd(s -> {});
    }

    /** {@return another side} */
    Side another(int seed) {
        Side side = side(seed);
        side.qpType = QpType.DRIVER;
        side.create();
        side.unconnected(side.qp);
        return side;
    }

    AddressHandle way(Side from, Side to) {
        return made(AddressHandle.class, from.pd.createAh(to.path()));
    }

    static SendWorkRequest addressed(SendWorkRequest wr, AddressHandle way, QueuePair to) {
        return wr.ah(way).remoteQpn(to.qpNum()).remoteQkey(Side.QKEY);
    }

    /** {@return a message to the other side} */
    SendWorkRequest message(long wrId, int offset, int length) {
        return addressed(a.wr(WrOpcode.SEND, wrId, a.sge(offset, length)), toB, b.qp);
    }

    /** {@return an operation on the other side's memory} */
    SendWorkRequest remote(int opcode, long wrId, int offset, int offsetThere, int length) {
        return addressed(a.request(opcode, b, wrId, offsetThere, a.sge(offset, length)), toB, b.qp);
    }

    /** {@return a message to a queue pair that does not exist} */
    SendWorkRequest lost(long wrId) {
        return message(wrId, 0, 10).remoteQpn(b.qp.qpNum() + 1000 & 0xffff);
    }

    /** Checks that a request has completed, and that it succeeded or failed, as given. */
    static WorkCompletion ended(Map<Long, WorkCompletion> all, long wrId, boolean well) {
        WorkCompletion wc = all.get(wrId);
        Seen.check(wc != null, "no completion of request " + wrId);
        Seen.check(
                well == (wc.status() == WcStatus.SUCCESS),
                "the status of completion " + wrId + " is " + WcStatus.toString(wc.status()) + ", which is "
                        + (well ? "an error" : "not an error"));
        return wc;
    }

    /** Checks that all messages of a round have arrived once; their lengths identify them. */
    void arrived(int round) {
        BitSet seen = new BitSet();
        for (WorkCompletion wc : b.all(MESSAGES).values()) {
            Seen.equal("status", WcStatus.toString(WcStatus.SUCCESS), WcStatus.toString(wc.status()));
            Seen.equal("opcode", WcOpcode.toString(WcOpcode.RECV), WcOpcode.toString(wc.opcode()));
            Seen.equal("qpNum of the receive", b.qp.qpNum(), wc.qpNum());
            int i = wc.byteLen() - SHORTEST;
            Seen.check(i >= 0 && i < MESSAGES, "byteLen is " + wc.byteLen() + ", but no message has that length");
            Seen.check(!seen.get(i), "message " + i + " arrived twice");
            seen.set(i);
            b.memory.holds((int) wc.wrId() * SLOT, a.memory, i * SHORTEST + round, wc.byteLen());
        }
    }

    static void from(Side sender, WorkCompletion wc, int length) {
        Seen.equal("byteLen of " + wc.wrId(), length, wc.byteLen());
        Seen.equal("srcQp of " + wc.wrId(), sender.qp.qpNum(), wc.srcQp());
    }

    void tells(Side side, String otherwise) {
        CompletionQueue cq = side.channel.getEvent(kit.patience().toNanos(), TimeUnit.NANOSECONDS);
        Seen.check(cq != null, "no event " + otherwise);
        Seen.check(cq == side.cq, "the event is for another completion queue");
        cq.ackEvents(1);
    }
}
