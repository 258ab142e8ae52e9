/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.sim.programs;

import io.verbs4j.CompletionQueue;
import io.verbs4j.DeviceTraits;
import io.verbs4j.Errno;
import io.verbs4j.QpAttr;
import io.verbs4j.QpAttrMask;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpState;
import io.verbs4j.QueuePair;
import io.verbs4j.hbldv.HblQpAttr;
import io.verbs4j.hbldv.HblQpCaps;
import io.verbs4j.rdmacore.sim.Check;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/**
 * Checks what released libraries have for collectives: a number shared by several ports, and a queue pair that takes
 * over another's.
 */
final class CollectiveCases {
    private static final int FIRST = 1;
    private static final int SECOND = 2;
    private static final int MIGRATES = 4;
    private static final int SOME_PORTS = 6;
    private static final int MAYBE_SOME_PORTS = 5;

    private final GaudiCard card;
    private final GaudiCard peer;
    private final int layout;
    private final LibraryLog log;

    private CollectiveCases(GaudiCard card, GaudiCard peer, int layout, LibraryLog log) {
        this.card = card;
        this.peer = peer;
        this.layout = layout;
        this.log = log;
    }

    static void run(GaudiCard card, GaudiCard peer, int layout, LibraryLog log) {
        CollectiveCases verbs = new CollectiveCases(card, peer, layout, log);
        long traits = card.context.queryDeviceEx().deviceTraits();
        Check.require((traits & DeviceTraits.COLLECTIVES) != 0, "no collectives");
        Check.equal(0, card.dv.reserveCollSchedResources().size(), "resources");
        CompletionQueue first = card.cq(FIRST);
        CompletionQueue second = card.cq(SECOND);
        verbs.reserve(first, second);
        verbs.migrate(second);
        first.close();
        second.close();
    }

    private static HblQpAttr collective(int number) {
        return new HblQpAttr().caps(HblQpCaps.COLL).qpNumHint(number);
    }

    private int offset(int port) {
        return card.dv.queryPort(port).collQpsOffset();
    }

    private void reserve(CompletionQueue first, CompletionQueue second) {
        long some = 1 << FIRST;
        if (layout < MAYBE_SOME_PORTS) {
            Check.fails(Errno.ENOSYS, "1.21", () -> card.dv.reserveCollQps(card.pd, false, some, 0, TimeUnit.SECONDS));
        }
        int id = card.dv.reserveCollQps(
                card.pd, false, 0b110, 0, TimeUnit.SECONDS); // all of the kind, which every release supports
        ByteBuffer in = log.last("hbldv_reserve_coll_qps", "in");
        Check.equal(layout == SOME_PORTS ? 16 : 1, in.capacity(), "length");
        Check.equal(0, in.get(0), "scale-out");
        if (layout == SOME_PORTS) {
            Check.equal(0b110, in.getLong(8), "ports");
        }
        QueuePair one = card.qp(first);
        QueuePair two = card.qp(second);
        QueuePair wrong = card.qp(second);
        one.modify(GaudiCard.with(GaudiCard.init(FIRST), collective(id + offset(FIRST))));
        two.modify(GaudiCard.with(GaudiCard.init(SECOND), collective(id + offset(SECOND))));
        ByteBuffer init = log.last("hbldv_modify_qp", "in");
        Check.equal(HblQpCaps.COLL, init.getLong(0), "caps");
        Check.equal(id + offset(SECOND), init.getInt(20), "hint");
        Check.equal(id, one.qpNum() - offset(FIRST), "number at the first port");
        Check.equal(id, two.qpNum() - offset(SECOND), "number at the second port");
        Check.fails(
                Errno.EINVAL,
                "",
                () -> wrong.modify(GaudiCard.with(GaudiCard.init(SECOND), collective(id + 1 + offset(SECOND)))));
        one.close();
        two.close();
        wrong.close();
        Check.fails(
                Errno.EBUSY,
                "still being released",
                () -> card.dv.reserveCollQps(card.pd, false, 0, 0, TimeUnit.SECONDS));
        QueuePair again = card.qp(first);
        int busy = card.dv.reserveCollQps(card.pd, false, 0, 0, TimeUnit.SECONDS);
        again.modify(GaudiCard.with(GaudiCard.init(FIRST), collective(busy + offset(FIRST))));
        again.close();
        Check.require(card.dv.reserveCollQps(card.pd, false, 0, 30, TimeUnit.SECONDS) >= 0, "not tried again");
        Check.fails(Errno.EINVAL, "unit is null", () -> card.dv.reserveCollQps(card.pd, false, 0, 1, null));
        Check.fails(Errno.EPERM, "set up all ports", this::unprepared);
    }

    private int unprepared() {
        return peer.dv.reserveCollQps(peer.pd, false, 0, 0, TimeUnit.SECONDS);
    }

    private void migrate(CompletionQueue cq) {
        QueuePair old = card.qp(cq);
        QueuePair taker = card.qp(cq);
        int id = card.dv.reserveCollQps(card.pd, false, 0, 30, TimeUnit.SECONDS);
        old.modify(GaudiCard.with(GaudiCard.init(SECOND), collective(id + offset(SECOND))));
        old.modify(GaudiCard.rtr(peer, SECOND, 1));
        old.modify(GaudiCard.rts());
        taker.modify(GaudiCard.init(SECOND));
        HblQpAttr moves = new HblQpAttr().caps(HblQpCaps.MIGRATE).qpToMigrate(old);
        if (layout < MIGRATES) {
            Check.fails(
                    Errno.ENOSYS, "1.19", () -> taker.modify(GaudiCard.with(GaudiCard.rtr(peer, SECOND, 1), moves)));
            Check.fails(Errno.ENOSYS, "1.19", () -> card.dv.migrateQp(taker, old));
        } else {
            taker.modify(GaudiCard.with(GaudiCard.rtr(peer, SECOND, 1), moves));
            Check.require(log.last("hbldv_modify_qp", "in").getLong(48) != 0, "not told which queue pair it replaces");
            Check.equal(QpAttrMask.STATE | QpAttrMask.AV | QpAttrMask.DEST_QPN, log.modifiedMask(), "mask at RTR");
            taker.modify(GaudiCard.with(GaudiCard.rts(), new HblQpAttr().caps(HblQpCaps.MIGRATE)));
            Check.equal(QpAttrMask.STATE, log.modifiedMask(), "mask at RTS");
            int number = old.qpNum();
            Check.require(number != taker.qpNum(), "both queue pairs have the same number");
            card.dv.migrateQp(taker, old);
            Check.equal(number, taker.qpNum(), "number");
            QpAttr now = new QpAttr();
            old.query(now, QpAttrMask.STATE, new QpInitAttr());
            Check.equal(QpState.ERR, now.qpState(), "state of the old one");
        }
        taker.close();
        old.close();
    }
}
