/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.guest.cm;

import io.verbs4j.AddressHandle;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.cm.CmEvent;
import io.verbs4j.cm.CmEventType;
import io.verbs4j.cm.CmId;
import io.verbs4j.cm.ConnParam;
import io.verbs4j.cm.PortSpace;

/** The counterpart of udaddy: datagrams from the client to the queue pair that it resolved, and as many replies. */
final class Udaddy {
    private static final int MESSAGES = 10;
    private static final int SIZE = 100;
    private static final int GRH = 40;
    private static final int SOURCE = 8192;

    private Udaddy() {}

    static void run(CmMain.Task task, boolean serves) {
        Side side = task.side();
        if (serves) {
            serve(task);
            return;
        }
        CmId id = side.resolved(PortSpace.UDP, task.source(), task.address());
        QueuePair qp = id.createQp(side.pd, side.attr(QpType.UD));
        ready(side, qp);
        id.connect(ConnParam.DEFAULT);
        CmEvent found = side.next(CmEventType.ESTABLISHED);
        try (AddressHandle ah = side.pd.createAh(found.ud().ahAttr())) {
            send(side, qp, ah, found.ud().qpNum(), found.ud().qkey());
            receive(side);
        }
        id.close();
    }

    private static void serve(CmMain.Task task) {
        Side side = task.side();
        CmId listener = side.channel.createId(side.context, PortSpace.UDP);
        listener.bind(task.address());
        listener.listen(0);
        System.out.println("listening");
        CmId id = side.next(CmEventType.CONNECT_REQUEST).id();
        QueuePair qp = id.createQp(side.pd, side.attr(QpType.UD));
        ready(side, qp);
        id.accept(ConnParam.DEFAULT);
        receive(side);
        WorkCompletion first = side.last[Side.RECEIVE];
        try (AddressHandle ah = side.pd.createAhFromWc(first, side.memory.slice(0, GRH), 1)) {
            send(side, qp, ah, first.immData(), PortSpace.UDP_QKEY);
        }
        id.close();
        listener.close();
    }

    /** Posts receives for all messages into the same memory: all start with the same header. */
    private static void ready(Side side, QueuePair qp) {
        for (int i = 0; i < MESSAGES; i++) {
            side.receive(qp, 0, GRH + SIZE);
        }
    }

    private static void send(Side side, QueuePair qp, AddressHandle ah, int qpNum, int qkey) {
        for (int i = 0; i < MESSAGES; i++) {
            side.post(
                    qp,
                    side.request(WrOpcode.SEND_WITH_IMM, Side.SEND, SOURCE, SIZE)
                            .immData(qp.qpNum())
                            .ah(ah)
                            .remoteQpn(qpNum)
                            .remoteQkey(qkey));
        }
        for (int i = 0; i < MESSAGES; i++) {
            side.await(Side.SEND);
        }
    }

    private static void receive(Side side) {
        for (int i = 0; i < MESSAGES; i++) {
            side.await(Side.RECEIVE);
            if (side.last[Side.RECEIVE].byteLen() != GRH + SIZE) {
                throw new IllegalStateException("a datagram of " + side.last[Side.RECEIVE].byteLen() + " bytes");
            }
        }
    }
}
