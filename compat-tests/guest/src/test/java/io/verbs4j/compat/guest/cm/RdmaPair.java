/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.guest.cm;

import io.verbs4j.QpType;
import io.verbs4j.WrOpcode;
import io.verbs4j.cm.CmConnection;
import io.verbs4j.cm.CmListener;
import io.verbs4j.cm.ConnParam;
import java.util.concurrent.TimeUnit;

/** The counterpart of rdma_server and rdma_client: one message in each direction. */
final class RdmaPair {
    private static final int SIZE = 16;

    private RdmaPair() {}

    static void run(CmMain.Task task, boolean serves) {
        Side side = task.side();
        if (serves) {
            try (CmListener listener = task.listen();
                    CmConnection connection = listener.accept(
                            side.pd,
                            side.attr(QpType.RC),
                            ConnParam.DEFAULT,
                            qp -> side.receive(qp, 0, SIZE),
                            Side.PATIENCE,
                            TimeUnit.SECONDS)) {
                side.await(Side.RECEIVE);
                send(side, connection);
                connection.awaitDisconnected(Side.PATIENCE, TimeUnit.SECONDS);
            }
            return;
        }
        try (CmConnection connection = CmConnection.connect(
                side.pd,
                task.address(),
                side.attr(QpType.RC),
                ConnParam.DEFAULT,
                qp -> side.receive(qp, 0, SIZE),
                Side.PATIENCE,
                TimeUnit.SECONDS)) {
            send(side, connection);
            side.await(Side.RECEIVE);
        }
    }

    private static void send(Side side, CmConnection connection) {
        side.post(connection.queuePair(), side.request(WrOpcode.SEND, Side.SEND, SIZE, SIZE));
        side.await(Side.SEND);
    }
}
