/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm.engine;

import io.verbs4j.cm.spi.GsiPort;
import java.util.concurrent.TimeUnit;

/**
 * Looks, while a connection is established, whether its peer still exists. Guarded by the engine.
 *
 * <p>Whether a process of this machine is there the kernel knows. Everybody else is asked by DREQ, in two ways that end
 * nothing: one about ids that nobody has, which every connection manager confirms by DREP, so there is one; and one
 * about this connection with queue pair 0, which is dropped where the connection exists, and confirmed where it does
 * not. Source: InfiniBand Architecture Specification volume 1, 12.9.8; Linux answers likewise (cm_dreq_handler).
 */
final class KeepAlive extends Timed {
    /** How often the kernel is asked for a process of this machine. */
    private static final long LOCAL_PERIOD = TimeUnit.MILLISECONDS.toNanos(500);

    /** How often a peer of another machine is asked before it is given up. */
    private static final int QUESTIONS = 8;

    /** How often the kernel is asked before a peer of this machine is asked about the connection. */
    private static final int LOOKS_PER_QUESTION = 16;

    private static final int NOBODY = 0;

    private final Connection connection;
    private final long period;
    private int unanswered;
    private int looks;

    /** Of an established connection; {@code nanos} is the time after which a silent peer is given up. */
    KeepAlive(Connection connection, long nanos) {
        this.connection = connection;
        this.period = Math.max(1, nanos / (QUESTIONS + 1));
    }

    void begin() {
        connection.engine.scheduleOnGrid(this, Math.min(LOCAL_PERIOD, period));
    }

    @Override
    void fire() {
        int presence = connection.engine.port().presence(connection.remoteGid);
        if (presence == GsiPort.PRESENCE_GONE || unanswered >= QUESTIONS) {
            connection.lost();
        } else if (presence == GsiPort.PRESENCE_THERE) {
            unanswered = 0;
            if (++looks % LOOKS_PER_QUESTION == 0) {
                ask(connection.remoteId); // another process may have its address by now
            }
            connection.engine.scheduleOnGrid(this, LOCAL_PERIOD);
        } else if (looks++ == 0) {
            connection.engine.scheduleOnGrid(this, period); // of another machine: not yet
        } else {
            unanswered++;
            ask(connection.remoteId);
            ask(NOBODY);
            connection.engine.scheduleOnGrid(this, period);
        }
    }

    private void ask(int remoteId) {
        Dreq question = new Dreq();
        question.tid(connection.engine.newTid(connection.localId));
        question.localId(connection.localId);
        question.remoteId(remoteId);
        question.remoteQpNum(0);
        connection.send(question);
    }

    /**
     * The peer has confirmed that a connection is over; the id that was asked about says which. An answer has the
     * transaction id of its question, of which half is a random number that only the peer has seen.
     */
    void answered(Drep drep) {
        int about = drep.localId();
        if (drep.tid() != connection.engine.newTid(connection.localId)) {
            return;
        }
        if (about == NOBODY) {
            unanswered = 0;
        } else if (about == connection.remoteId) {
            connection.lost();
        }
    }
}
