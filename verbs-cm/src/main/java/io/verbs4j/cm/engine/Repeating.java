/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm.engine;

import io.verbs4j.Gid;

/** A message that is repeated until it is answered. Guarded by the engine. */
abstract class Repeating extends Timed {
    final Engine engine;
    Gid localGid;
    Gid remoteGid;
    int trafficClass;

    private Mad message;
    private int left;
    private long pause;

    /** Whether the peer has asked for more time since the message was last sent. */
    private boolean asked;

    Repeating(Engine engine) {
        this.engine = engine;
    }

    void send(Mad mad) {
        engine.send(localGid, remoteGid, trafficClass, mad);
    }

    /** Sends a message, and repeats it until {@link #answered()} is called. */
    final void repeat(Mad mad) {
        repeat(mad, CmTime.RETRIES);
    }

    final void repeat(Mad mad, int retries) {
        message = mad;
        left = retries;
        pause = CmTime.FIRST_PAUSE;
        asked = false;
        send(mad);
        engine.schedule(this, pause);
    }

    /**
     * Grants the peer the time that it needs to answer. This happens once for each time that the message is sent, and
     * for no longer than Linux asks for. Otherwise a peer that asks for hours, or again and again, would keep the
     * connection forever.
     */
    final void waitLonger(long nanos) {
        if (asked) {
            return;
        }
        asked = true;
        pause = CmTime.LONGEST_PAUSE;
        engine.schedule(this, Math.min(nanos, CmTime.MOST_PATIENCE));
    }

    final void answered() {
        engine.cancel(this);
        message = null;
    }

    @Override
    void fire() {
        if (message == null) {
            elapsed();
        } else if (left-- > 0) {
            send(message);
            asked = false;
            pause = Math.min(2 * pause, CmTime.LONGEST_PAUSE);
            engine.schedule(this, pause);
        } else {
            message = null;
            unanswered();
        }
    }

    /** Called when all repetitions are unanswered. */
    abstract void unanswered();

    /** Called when a time has elapsed that did not concern a message. */
    abstract void elapsed();
}
