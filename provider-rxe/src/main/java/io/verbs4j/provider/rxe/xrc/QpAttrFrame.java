/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.xrc;

import io.verbs4j.AhAttr;
import io.verbs4j.Gid;
import io.verbs4j.GlobalRoute;
import io.verbs4j.QpAttr;
import java.nio.ByteBuffer;

/** The attributes of a receiving queue pair in a frame. */
final class QpAttrFrame {
    private static final int BITS_24 = 0xff_ffff;
    private static final int MTU_CODES = 7;
    private static final int TIMER_CODES = 31;
    private static final int BYTE = 0xff;

    private QpAttrFrame() {}

    static void write(ByteBuffer b, QpAttr a) {
        b.putInt(a.qpState()).putInt(a.curQpState()).putInt(a.pathMtu());
        b.putInt(a.pathMigState()).putInt(a.qkey()).putInt(a.rqPsn()).putInt(a.sqPsn());
        b.putInt(a.destQpNum()).putInt(a.qpAccessFlags()).putInt(a.pkeyIndex());
        b.putInt(a.enSqdAsyncNotify() ? 1 : 0).putInt(a.sqDraining() ? 1 : 0);
        b.putInt(a.maxRdAtomic()).putInt(a.maxDestRdAtomic()).putInt(a.minRnrTimer());
        b.putInt(a.portNum()).putInt(a.timeout()).putInt(a.retryCnt()).putInt(a.rnrRetry());
        AhAttr ah = a.ahAttr() == null ? new AhAttr() : a.ahAttr(); // not set, unless the mask says so
        b.putInt(ah.dlid()).putInt(ah.sl()).putInt(ah.srcPathBits()).putInt(ah.staticRate());
        b.putInt(ah.isGlobal() ? 1 : 0).putInt(ah.portNum());
        GlobalRoute route = ah.grh() == null ? new GlobalRoute() : ah.grh();
        Gid gid = route.dgid() == null ? Gid.ZERO : route.dgid();
        b.putLong(gid.subnetPrefix()).putLong(gid.interfaceId());
        b.putInt(route.flowLabel()).putInt(route.sgidIndex());
        b.putInt(route.hopLimit()).putInt(route.trafficClass());
    }

    static QpAttr read(ByteBuffer b) {
        QpAttr attr = new QpAttr();
        read(b, attr);
        return attr;
    }

    /**
     * Reads attributes and forces them into the range of their fields. The mask says which of them apply, and the code
     * that changes the queue pair validates the rest.
     */
    static void read(ByteBuffer b, QpAttr a) {
        a.qpState(b.getInt() & BYTE).curQpState(b.getInt() & BYTE).pathMtu(mtu(b.getInt()));
        a.pathMigState(b.getInt()).qkey(b.getInt()).rqPsn(b.getInt() & BITS_24).sqPsn(b.getInt() & BITS_24);
        a.destQpNum(b.getInt() & BITS_24).qpAccessFlags(b.getInt()).pkeyIndex(b.getInt());
        a.enSqdAsyncNotify(b.getInt() != 0).sqDraining(b.getInt() != 0);
        a.maxRdAtomic(b.getInt() & BYTE).maxDestRdAtomic(b.getInt() & BYTE).minRnrTimer(b.getInt() & TIMER_CODES);
        a.portNum(b.getInt())
                .timeout(b.getInt() & TIMER_CODES)
                .retryCnt(b.getInt())
                .rnrRetry(b.getInt());
        AhAttr ah = new AhAttr()
                .dlid(b.getInt())
                .sl(b.getInt())
                .srcPathBits(b.getInt())
                .staticRate(b.getInt());
        ah.isGlobal(b.getInt() != 0).portNum(b.getInt());
        ah.grh(new GlobalRoute()
                .dgid(Gid.of(b.getLong(), b.getLong()))
                .flowLabel(b.getInt())
                .sgidIndex(b.getInt())
                .hopLimit(b.getInt())
                .trafficClass(b.getInt()));
        a.ahAttr(ah);
    }

    private static int mtu(int code) {
        int bits = code & MTU_CODES;
        return bits == 0 || bits > 5 ? 1 : bits;
    }
}
