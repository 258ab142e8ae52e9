/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.guest.cm;

import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.WrOpcode;
import io.verbs4j.cm.CmConnection;
import io.verbs4j.cm.CmListener;
import io.verbs4j.cm.ConnParam;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * The counterpart of rping: the client announces a text, the server reads it; the client announces a target, and the
 * server writes the text back. A message is an address (64 bits), a key (32) and a size (32). Both sides check every
 * byte.
 */
final class Rping {
    private static final int MESSAGE = 16;
    private static final int RECEIVED = 0;
    private static final int SENT = 64;
    private static final int SOURCE = 4096;
    private static final int SINK = SOURCE + (64 << 10);
    private static final int FIRST = 'A';
    private static final int LAST = 'z';

    private final Side side;
    private final QueuePair qp;
    private final CmConnection connection;

    private Rping(Side side, CmConnection connection) {
        this.side = side;
        this.connection = connection;
        this.qp = connection.queuePair();
    }

    static void run(CmMain.Task task, boolean serves) {
        Side side = task.side();
        int count = task.number(0);
        if (serves) {
            try (CmListener listener = task.listen();
                    CmConnection connection = listener.accept(
                            side.pd,
                            side.attr(QpType.RC),
                            ConnParam.DEFAULT,
                            qp -> ready(side, qp),
                            60,
                            TimeUnit.SECONDS)) {
                int rounds = new Rping(side, connection).serve();
                if (rounds != count) {
                    throw new IllegalStateException(rounds + " rounds, not " + count);
                }
            }
            return;
        }
        ConnParam one = ConnParam.DEFAULT.withInitiatorDepth(1).withResponderResources(1);
        try (CmConnection connection = CmConnection.connect(
                side.pd, task.address(), side.attr(QpType.RC), one, qp -> ready(side, qp), 60, TimeUnit.SECONDS)) {
            Rping client = new Rping(side, connection);
            for (int i = 0; i < count; i++) {
                client.ping(i, task.number(1));
            }
            connection.id().disconnect();
            if (!connection.awaitDisconnected(Side.PATIENCE, TimeUnit.SECONDS)) {
                throw new IllegalStateException("the peer did not report the disconnect");
            }
        }
    }

    private static void ready(Side side, QueuePair qp) {
        side.receive(qp, RECEIVED, MESSAGE);
    }

    /** {@return the text of a round: a name, then letters and the characters between them, and a final zero} */
    private static byte[] text(int round, int size) {
        byte[] bytes = new byte[size];
        byte[] name = ("rdma-ping-" + round + ": ").getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(name, 0, bytes, 0, name.length);
        int span = LAST - FIRST + 1;
        for (int i = name.length; i < size - 1; i++) {
            bytes[i] = (byte) (FIRST + (round + i - name.length) % span);
        }
        return bytes;
    }

    private void holds(int offset, byte[] text) {
        byte[] there = new byte[text.length];
        side.memory.get(offset, there);
        if (!Arrays.equals(text, there)) {
            throw new IllegalStateException("other bytes than " + new String(text, StandardCharsets.US_ASCII) + ": "
                    + new String(there, StandardCharsets.US_ASCII));
        }
    }

    private void send() {
        side.post(qp, side.request(WrOpcode.SEND, Side.SEND, SENT, MESSAGE));
        side.await(Side.SEND);
    }

    private void received() {
        side.await(Side.RECEIVE);
        length();
    }

    private void length() {
        if (side.last[Side.RECEIVE].byteLen() != MESSAGE) {
            throw new IllegalStateException("a message of " + side.last[Side.RECEIVE].byteLen() + " bytes");
        }
    }

    // ---- client

    private void ping(int round, int size) {
        byte[] text = text(round, size);
        side.memory.put(SOURCE, text);
        side.memory.put(SINK, new byte[size]);
        tell(SOURCE, size);
        received();
        ready(side, qp);
        tell(SINK, size);
        received();
        ready(side, qp);
        holds(SINK, text);
    }

    private void tell(int offset, int size) {
        side.memory.putLong(SENT, side.mr.addr() + offset);
        side.memory.putInt(SENT + 8, side.mr.rkey());
        side.memory.putInt(SENT + 12, size);
        send();
    }

    // ---- server

    private int serve() {
        int rounds = 0;
        for (; told(); rounds++) {
            int size = side.memory.getInt(RECEIVED + 12);
            move(WrOpcode.RDMA_READ, size);
            byte[] text = text(rounds, size);
            holds(SINK, text);
            send();
            if (!told()) {
                throw new IllegalStateException("the peer left during a round");
            }
            move(WrOpcode.RDMA_WRITE, size);
            side.post(qp, side.request(WrOpcode.SEND, Side.SEND, SENT, MESSAGE));
            side.awaitLast(Side.SEND);
        }
        return rounds;
    }

    /** Waits for a message; returns false once the peer is gone. */
    private boolean told() {
        while (!side.isDone(Side.RECEIVE)) {
            if (connection.awaitDisconnected(1, TimeUnit.MILLISECONDS)) {
                return false;
            }
        }
        length();
        return true;
    }

    private void move(int opcode, int size) {
        long remote = side.memory.getLong(RECEIVED);
        int key = side.memory.getInt(RECEIVED + 8);
        ready(side, qp); // the received message has been read
        side.post(
                qp,
                side.request(opcode, Side.RDMA, SINK, size).remoteAddr(remote).rkey(key));
        side.await(Side.RDMA);
    }
}
