/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.guest.cm;

import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.WrOpcode;
import io.verbs4j.cm.CmConnection;
import io.verbs4j.cm.CmListener;
import io.verbs4j.cm.ConnParam;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The counterpart of ucmatose: simultaneous connections, messages from the server on each, replies; then the server
 * disconnects.
 */
final class Ucmatose {
    private static final int MESSAGES = 10;
    private static final int SIZE = 100;

    private Ucmatose() {}

    static void run(CmMain.Task task, boolean serves) {
        Side side = task.side();
        List<CmConnection> all = new ArrayList<>();
        CmListener listener = serves ? task.listen() : null;
        try {
            for (int i = 0; i < task.number(0); i++) {
                all.add(serves ? accept(side, listener) : connect(task));
            }
            if (serves) {
                send(side, all);
                for (int i = 0; i < MESSAGES * all.size(); i++) {
                    side.await(Side.SEND);
                }
                receive(side, all.size());
                all.forEach(connection -> connection.id().disconnect());
            } else {
                receive(side, all.size());
                send(side, all); // the server disconnects once it has them, so acknowledgements may be missing
            }
            for (CmConnection connection : all) {
                if (!connection.awaitDisconnected(Side.PATIENCE, TimeUnit.SECONDS)) {
                    throw new IllegalStateException("still connected: " + connection);
                }
            }
        } finally {
            all.forEach(CmConnection::close);
            if (listener != null) {
                listener.close();
            }
        }
    }

    private static CmConnection accept(Side side, CmListener listener) {
        return listener.accept(
                side.pd,
                side.attr(QpType.RC),
                ConnParam.DEFAULT,
                qp -> ready(side, qp),
                Side.PATIENCE,
                TimeUnit.SECONDS);
    }

    private static CmConnection connect(CmMain.Task task) {
        Side side = task.side();
        return CmConnection.connect(
                side.pd,
                task.address(),
                side.attr(QpType.RC),
                ConnParam.DEFAULT,
                qp -> ready(side, qp),
                Side.PATIENCE,
                TimeUnit.SECONDS);
    }

    private static void ready(Side side, QueuePair qp) {
        for (int i = 0; i < MESSAGES; i++) {
            side.receive(qp, 0, SIZE);
        }
    }

    private static void send(Side side, List<CmConnection> all) {
        for (CmConnection connection : all) {
            for (int i = 0; i < MESSAGES; i++) {
                side.post(connection.queuePair(), side.request(WrOpcode.SEND, Side.SEND, SIZE, SIZE));
            }
        }
    }

    private static void receive(Side side, int connections) {
        for (int i = 0; i < MESSAGES * connections; i++) {
            side.await(Side.RECEIVE);
            if (side.last[Side.RECEIVE].byteLen() != SIZE) {
                throw new IllegalStateException("a message of " + side.last[Side.RECEIVE].byteLen() + " bytes");
            }
        }
    }
}
