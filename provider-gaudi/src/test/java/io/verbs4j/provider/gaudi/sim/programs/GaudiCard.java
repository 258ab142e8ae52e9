/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.sim.programs;

import io.verbs4j.AccessFlags;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.CqInitAttrEx;
import io.verbs4j.Device;
import io.verbs4j.OpenAttr;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpAttr;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.WcExFlags;
import io.verbs4j.core.Verbs;
import io.verbs4j.hbldv.HblCqInitAttr;
import io.verbs4j.hbldv.HblDv;
import io.verbs4j.hbldv.HblOpenAttr;
import io.verbs4j.hbldv.HblQpAttr;
import io.verbs4j.rdmacore.sim.QpWalk;
import io.verbs4j.rdmacore.sim.SimulatedDevice;

/** An open card with its protection domain. */
final class GaudiCard implements AutoCloseable {
    final Context context;
    final HblDv dv;
    final ProtectionDomain pd;

    GaudiCard(int index) {
        this(index, new HblOpenAttr());
    }

    GaudiCard(int index, HblOpenAttr attr) {
        context = SimulatedDevice.open("hbl_" + index, new OpenAttr().vendor(attr));
        dv = context.vendor(HblDv.class);
        pd = context.allocPd();
    }

    static Device device(int index) {
        return Verbs.device("hbl_" + index);
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

    private static QpWalk walk() {
        return QpWalk.of(QpType.RC).access(AccessFlags.REMOTE_WRITE);
    }

    static QpAttr init(int port) {
        return walk().port(port).init();
    }

    /** Returns the attributes for RTR towards a queue pair of another card, through its port of the same number. */
    static QpAttr rtr(GaudiCard peer, int port, int number) {
        return walk().rtr(SimulatedDevice.path(peer.context, port, 0), number);
    }

    static QpAttr rts() {
        return walk().rts();
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
