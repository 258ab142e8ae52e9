/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.sim;

import io.verbs4j.AhAttr;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.CqInitAttrEx;
import io.verbs4j.Device;
import io.verbs4j.GlobalRoute;
import io.verbs4j.Mtu;
import io.verbs4j.OpenAttr;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpAttr;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.VerbsLevel;
import io.verbs4j.WcExFlags;
import io.verbs4j.core.Verbs;
import io.verbs4j.hbldv.HblCqInitAttr;
import io.verbs4j.hbldv.HblDv;
import io.verbs4j.hbldv.HblOpenAttr;
import io.verbs4j.hbldv.HblQpAttr;

/** An open card, with its protection domain. */
final class Card implements AutoCloseable {
    final Context context;
    final HblDv dv;
    final ProtectionDomain pd;

    Card(int index) {
        this(index, new HblOpenAttr());
    }

    Card(int index, HblOpenAttr attr) {
        context = Verbs.open(device(index), VerbsLevel.CURRENT, new OpenAttr().vendor(attr));
        dv = context.vendor(HblDv.class);
        pd = context.allocPd();
    }

    static Device device(int index) {
        return Verbs.devices().stream()
                .filter(d -> d.name().equals("hbl_" + index))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no hbl_" + index + ": " + Verbs.report()));
    }

    CompletionQueue cq(int port) {
        return context.createCqEx(
                new CqInitAttrEx().cqe(16).wcFlags(WcExFlags.STANDARD).vendor(new HblCqInitAttr().portNum(port)));
    }

    static QpInitAttr attr(CompletionQueue cq, int requests) {
        return new QpInitAttr()
                .qpType(QpType.RC)
                .sendCq(cq)
                .recvCq(cq)
                .cap(new QpCap().maxSendWr(requests).maxRecvWr(1).maxSendSge(1).maxRecvSge(1));
    }

    QueuePair qp(CompletionQueue cq) {
        return pd.createQp(attr(cq, 15));
    }

    static QpAttr init(int port) {
        return new QpAttr()
                .qpState(QpState.INIT)
                .portNum(port)
                .pkeyIndex(0)
                .qpAccessFlags(io.verbs4j.AccessFlags.REMOTE_WRITE);
    }

    /** On the way to a queue pair of another card, by its port of the same number. */
    static QpAttr rtr(Card peer, int port, int number) {
        AhAttr way = new AhAttr()
                .isGlobal(true)
                .portNum(port)
                .grh(new GlobalRoute()
                        .dgid(peer.context.queryGid(port, 0))
                        .sgidIndex(0)
                        .hopLimit(64));
        return new QpAttr()
                .qpState(QpState.RTR)
                .pathMtu(Mtu.MTU_1024)
                .destQpNum(number)
                .rqPsn(0)
                .maxDestRdAtomic(1)
                .minRnrTimer(12)
                .ahAttr(way);
    }

    static QpAttr rts() {
        return new QpAttr()
                .qpState(QpState.RTS)
                .timeout(14)
                .retryCnt(7)
                .rnrRetry(7)
                .sqPsn(0)
                .maxRdAtomic(1);
    }

    static QpAttr with(QpAttr attr, HblQpAttr hbl) {
        return attr.vendor(hbl);
    }

    @Override
    public void close() {
        pd.close();
        context.close();
    }
}
