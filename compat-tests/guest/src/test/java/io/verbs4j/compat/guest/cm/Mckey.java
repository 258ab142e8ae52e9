/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.guest.cm;

import io.verbs4j.AddressHandle;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.WrOpcode;
import io.verbs4j.cm.CmEvent;
import io.verbs4j.cm.CmEventType;
import io.verbs4j.cm.CmId;
import io.verbs4j.cm.PortSpace;
import java.net.InetSocketAddress;

/** The counterpart of mckey: one member sends to a group, the others receive. The serving side receives. */
final class Mckey {
    private static final int MESSAGES = 10;
    private static final int SIZE = 100;
    private static final int GRH = 40;

    private Mckey() {}

    static void run(CmMain.Task task, boolean receives) {
        Side side = task.side();
        CmId id = side.channel.createId(side.context, PortSpace.UDP);
        id.bind(new InetSocketAddress(task.source(), 0));
        QueuePair qp = id.createQp(side.pd, side.attr(QpType.UD));
        for (int i = 0; i < MESSAGES; i++) { // the sender is a member, too
            side.receive(qp, 0, GRH + SIZE);
        }
        id.joinMulticast(task.address().getAddress(), null);
        CmEvent joined = side.next(CmEventType.MULTICAST_JOIN);
        System.out.println("joined");
        if (receives) {
            side.await(Side.RECEIVE); // mckey does not wait for its sends to complete: some may never leave
            if (side.last[Side.RECEIVE].byteLen() != GRH + SIZE) {
                throw new IllegalStateException("a datagram of " + side.last[Side.RECEIVE].byteLen() + " bytes");
            }
        } else {
            send(side, qp, joined);
        }
        id.leaveMulticast(task.address().getAddress());
        id.close();
    }

    private static void send(Side side, QueuePair qp, CmEvent joined) {
        try (AddressHandle ah = side.pd.createAh(joined.ud().ahAttr())) {
            for (int i = 0; i < MESSAGES; i++) {
                side.post(
                        qp,
                        side.request(WrOpcode.SEND_WITH_IMM, Side.SEND, 0, SIZE)
                                .immData(qp.qpNum())
                                .ah(ah)
                                .remoteQpn(joined.ud().qpNum())
                                .remoteQkey(joined.ud().qkey()));
            }
            for (int i = 0; i < MESSAGES; i++) {
                side.await(Side.SEND);
            }
        }
    }
}
