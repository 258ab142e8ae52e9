/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm.engine;

import io.verbs4j.cm.spi.GsiPort;
import java.util.concurrent.TimeUnit;

/**
 * Checks, while a connection is established, whether its peer still exists. Guarded by the engine.
 *
 * <p>For a process on this machine the kernel knows the answer. Other peers are probed by two kinds of DREQ that end
 * nothing. One names ids that nobody has, which every connection manager confirms by DREP; so a DREP shows that there
 * is one. The other names this connection with queue pair 0, which is dropped if the connection exists, and confirmed
 * if it does not. Source: InfiniBand Architecture Specification volume 1, 12.9.8; Linux answers in the same way
 * (cm_dreq_handler).
 */
final class KeepAlive extends Timed {
    /** Interval between checks of a process on this machine. */
    private static final long LOCAL_PERIOD = TimeUnit.MILLISECONDS.toNanos(500);

    /** Number of unanswered probes before a peer on another machine is given up. */
    private static final int QUESTIONS = 8;

    /** Number of local checks between probes of a peer on this machine. */
    private static final int LOOKS_PER_QUESTION = 16;

    private static final int NOBODY = 0;

    private final Connection connection;
    private final long period;
    private int unanswered;
    private int looks;

    /** For an established connection; {@code nanos} is the time after which a silent peer is given up. */
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
            connection.engine.scheduleOnGrid(this, period); // on another machine: wait before the first probe
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
     * Handles a DREP; the id that it names tells which probe it answers. An answer must carry the transaction id of its
     * probe, half of which is a random number that only the peer has seen.
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
