/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi;

import io.verbs4j.AhAttr;
import io.verbs4j.Errno;
import io.verbs4j.QpAttr;
import io.verbs4j.QpAttrMask;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpState;
import io.verbs4j.QueuePair;
import io.verbs4j.VerbsException;
import io.verbs4j.hbldv.HblGranularities;
import io.verbs4j.hbldv.HblMemIds;
import io.verbs4j.hbldv.HblQpAttr;
import io.verbs4j.hbldv.HblQpCaps;
import io.verbs4j.hbldv.HblWqArray;
import io.verbs4j.hbldv.HblWqTypes;
import io.verbs4j.natives.call.NativeFunction;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.provider.gaudi.dv.Libhbl;
import io.verbs4j.provider.gaudi.dv.QpPlace;
import io.verbs4j.provider.gaudi.layout.HblQpAttrLayout;
import io.verbs4j.rdmacore.VendorContext;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.object.IbvObject;
import io.verbs4j.rdmacore.object.NativeQueuePair;

/** State changes of queue pairs: passes on their Gaudi attributes, and updates the queue pair afterwards. */
final class GaudiSteps {
    private static final String VERB = "modify_qp";
    private static final String MODIFY = "hbldv_modify_qp";

    /** Attributes passed at RTR for a queue pair that replaces another. */
    private static final int MIGRATING = QpAttrMask.STATE | QpAttrMask.AV | QpAttrMask.DEST_QPN;

    private static final long OF_SHIPPED = HblQpCaps.SACK | HblQpCaps.COLL;
    private static final int USUAL_PRIORITY = 1;
    private static final int BYTE = 0xff;

    /** Enough bytes for the structure of every release. */
    private static final int ROOM = 64;

    private final GaudiContext base;

    GaudiSteps(GaudiContext base) {
        this.base = base;
    }

    void modify(QueuePair handle, QpAttr attr, int mask) {
        boolean vendor = (mask & QpAttrMask.VENDOR) != 0;
        HblQpAttr hbl = vendor ? VendorContext.vendorAttr(VERB, attr.vendor(), HblQpAttr.class) : new HblQpAttr();
        requireRelease(hbl.caps());
        GaudiQp qp = (GaudiQp) ((NativeQueuePair) handle).ibv;
        int plain = mask & ~QpAttrMask.VENDOR;
        if ((plain & QpAttrMask.ACCESS_FLAGS) != 0) {
            GaudiRegions.refuse(VERB, "qpAccessFlags", attr.qpAccessFlags());
        }
        if ((plain & QpAttrMask.STATE) == 0) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP, VERB, "Gaudi changes attributes only together with the state; set qpState, too");
        }
        base.numbering(() -> step(handle, qp, attr, plain, hbl));
    }

    private void step(QueuePair handle, GaudiQp qp, QpAttr attr, int plain, HblQpAttr hbl) {
        switch (attr.qpState()) {
            case QpState.INIT -> initialise(handle, qp, attr, plain, hbl);
            case QpState.RTR -> receive(handle, qp, attr, plain, hbl);
            case QpState.RTS -> send(handle, qp, attr, plain, hbl);
            case QpState.RESET -> {
                change(handle, qp, attr, plain, hbl, 0, 0);
                qp.forgotten();
            }
            case QpState.ERR -> {
                qp.notice();
                change(handle, qp, attr, plain, hbl, 0, 0);
            }
            default ->
                throw new VerbsException(
                        Errno.EOPNOTSUPP,
                        VERB,
                        "Gaudi does not drain queue pairs: there is no state " + QpState.toString(attr.qpState()));
        }
    }

    private void requireRelease(long caps) {
        if ((caps & OF_SHIPPED) != 0) {
            base.requireRelease(
                    MODIFY, "HblQpCaps.SACK and COLL", base.layout().hasCollectives(), "1.16 and newer have them");
        }
        if ((caps & HblQpCaps.MIGRATE) != 0) {
            base.requireRelease(MODIFY, "HblQpCaps.MIGRATE", base.layout().hasMigration(), "1.19 and newer have it");
        }
    }

    private void initialise(QueuePair handle, GaudiQp qp, QpAttr attr, int mask, HblQpAttr hbl) {
        int number = (mask & QpAttrMask.PORT) != 0 ? attr.portNum() : qp.port();
        GaudiPort port = base.ports().get(VERB, number);
        requireQueueOf(port, "sendCq", base.portOf(handle.sendCq()));
        requireQueueOf(port, "recvCq", base.portOf(handle.recvCq()));
        port.prepare();
        change(handle, qp, attr, mask, hbl, 0, 0);
        qp.initialised(port, QpPlace.of(qp.address()).qpNum());
    }

    private static void requireQueueOf(GaudiPort port, String name, int of) {
        if (of != port.number()) {
            throw new VerbsException(
                    Errno.EINVAL,
                    VERB,
                    "port is " + port.number() + ", but " + name + " belongs to port " + of
                            + "; create it by createCqEx with HblCqInitAttr.portNum");
        }
    }

    private void receive(QueuePair handle, GaudiQp qp, QpAttr attr, int mask, HblQpAttr hbl) {
        long loops = (mask & QpAttrMask.AV) != 0 && isOwn(qp.port(), attr.ahAttr()) ? HblQpCaps.LOOPBACK : 0;
        int told = (hbl.caps() & HblQpCaps.MIGRATE) != 0 ? mask & MIGRATING : mask;
        change(handle, qp, attr, told, hbl, loops, base.key());
    }

    /**
     * Returns whether a path leads back to its own port, which the device must be told. Internal ports all have the
     * same GID.
     */
    private boolean isOwn(int port, AhAttr path) {
        return path != null
                && path.grh() != null
                && base.isExternal(port)
                && base.queryGid(port, path.grh().sgidIndex()).equals(path.grh().dgid());
    }

    private void send(QueuePair handle, GaudiQp qp, QpAttr attr, int mask, HblQpAttr hbl) {
        GaudiPort port = base.ports().get(VERB, qp.port());
        HblWqArray array = port.array();
        if (qp.ringSize() > array.wqes() && (hbl.caps() & HblQpCaps.COLL) == 0 && array.wqes() != 0) {
            throw new VerbsException(
                    Errno.EINVAL,
                    VERB,
                    "the queue pair was created for " + (qp.ringSize() - 1) + " requests, but the queues of port "
                            + port.number() + " have " + array.wqes() + " elements; create it for fewer");
        }
        int told = (hbl.caps() & HblQpCaps.MIGRATE) != 0 ? mask & QpAttrMask.STATE : mask;
        boolean ours = array.memId() == HblMemIds.HOST;
        if (ours) {
            port.doorbells(); // before the change, so that the state stays on failure
        }
        change(handle, qp, attr, told, hbl, 0, base.key());
        int element =
                hbl.wqGranularity() == HblGranularities.BYTES_64 || array.granularity() == HblGranularities.BYTES_64
                        ? 64
                        : 32;
        qp.ready(port, ours ? QpPlace.of(qp.address()).swqCpuAddr() : 0, element, hbl.remoteKeyOr(base.key()));
    }

    /**
     * Changes the state. A failure on the way to RTR or RTS leaves the queue pair in RESET, which the verbs do not
     * report.
     */
    private void change(QueuePair handle, GaudiQp qp, QpAttr attr, int mask, HblQpAttr hbl, long moreCaps, int key) {
        NativeFunction function = Libhbl.function(MODIFY);
        try (Scratch c = new Scratch(ROOM)) {
            write(c.address(), attr.qpState(), hbl, moreCaps, key);
            base.modifyBy(handle, attr, mask, at -> function.call(qp.address(), at, mask, c.address()));
        } catch (VerbsException e) {
            QpAttr now = new QpAttr();
            base.queryQp(handle, now, QpAttrMask.STATE, new QpInitAttr());
            if (now.qpState() != QpState.RESET || attr.qpState() == QpState.RESET) {
                throw e;
            }
            qp.change(QpState.RESET, () -> {});
            qp.forgotten();
            throw new VerbsException(e.errno(), VERB, e.getMessage() + "; the queue pair is in RESET now", e);
        }
    }

    private static void write(long at, int state, HblQpAttr hbl, long moreCaps, int key) {
        NativeMemory.putLong(at + HblQpAttrLayout.CAPS, hbl.caps() | moreCaps);
        if (state == QpState.RTR) {
            NativeMemory.putInt(at + HblQpAttrLayout.LOCAL_KEY, hbl.localKeyOr(key));
        }
        if (state == QpState.RTS) {
            NativeMemory.putInt(at + HblQpAttrLayout.REMOTE_KEY, hbl.remoteKeyOr(key));
        }
        boolean usual = state == QpState.INIT && hbl.wqType() == 0;
        NativeMemory.putInt(at + HblQpAttrLayout.WQ_TYPE, usual ? HblWqTypes.WRITE : hbl.wqType());
        NativeMemory.putInt(at + HblQpAttrLayout.WQ_GRANULARITY, hbl.wqGranularity());
        NativeMemory.putInt(at + HblQpAttrLayout.CONGESTION_WND, hbl.congestionWnd());
        NativeMemory.putInt(at + HblQpAttrLayout.QP_NUM_HINT, hbl.qpNumHint());
        NativeMemory.putInt(at + HblQpAttrLayout.DEST_WQ_SIZE, hbl.destWqSize());
        int priority = state == QpState.RTS && hbl.priority() == 0 ? USUAL_PRIORITY : hbl.priority();
        putByte(at + HblQpAttrLayout.PRIORITY, "priority", priority);
        putByte(at + HblQpAttrLayout.COLL_LAG_IDX, "collLagIdx", hbl.collLagIdx());
        NativeMemory.putByte(at + HblQpAttrLayout.COLL_LAST_IN_LAG, hbl.collLastInLag() ? 1 : 0);
        putByte(at + HblQpAttrLayout.ENCAP_NUM, "encapNum", hbl.encapNum());
        putByte(at + HblQpAttrLayout.COLL_LAG_SIZE, "collLagSize", hbl.collLagSize());
        QueuePair other = hbl.qpToMigrate();
        if (other != null) {
            if (!(other instanceof NativeQueuePair known)) {
                throw new VerbsException(Errno.EINVAL, VERB, "qpToMigrate belongs to another provider");
            }
            NativeMemory.putLong(at + HblQpAttrLayout.QP_TO_MIGRATE, ((IbvObject) known.ibv).address());
        }
    }

    private static void putByte(long at, String name, int value) {
        NativeMemory.putByte(at, Answers.narrow(VERB, name, value, BYTE));
    }
}
