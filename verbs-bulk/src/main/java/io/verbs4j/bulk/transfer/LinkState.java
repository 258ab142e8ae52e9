/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import java.util.concurrent.TimeUnit;

/** Where a connection stands, and why it ends. Knows no device: {@link Link} does what follows. */
final class LinkState {
    private enum State {
        /** Nothing may be sent yet. */
        CONNECTING,
        UP,
        /** What was posted still has to complete, then the queue pair is closed and the connection recovered. */
        LOST,
        /** There is no queue pair, and perhaps soon another one. */
        RECOVERING,
        /** The peer is told that this side goes. */
        CLOSING,
        /** What was posted still has to complete. */
        DRAINING,
        DOWN
    }

    /** How long the peer may take to hear that this side goes, and the device to complete what was posted. */
    static final long PATIENCE = TimeUnit.SECONDS.toNanos(1);

    private State state = State.CONNECTING;
    private int reason;
    private boolean orderly;
    private boolean byeSent;

    /** There is no queue pair: nothing that was posted will complete. */
    private boolean suspended;

    private long endingSince;

    /** It is connected. Returns whether that is news. */
    boolean up() {
        if (state != State.CONNECTING) {
            return false;
        }
        state = State.UP;
        return true;
    }

    /** The queue pair has failed. Returns whether the connection was up: then it may be recovered. */
    boolean lose(long now) {
        if (state != State.UP) {
            return false;
        }
        state = State.LOST;
        endingSince = now;
        return true;
    }

    /** The device is lost, and the queue pair with it. */
    void abandon() {
        suspended = true;
    }

    boolean isLost() {
        return state == State.LOST;
    }

    /** The queue pair is closed. */
    void suspend() {
        state = State.RECOVERING;
        suspended = true;
    }

    boolean isRecovering() {
        return state == State.RECOVERING;
    }

    /** There is another queue pair. */
    void resume() {
        state = State.UP;
        suspended = false;
    }

    boolean isUp() {
        return state == State.UP;
    }

    boolean isConnecting() {
        return state == State.CONNECTING;
    }

    boolean isClosing() {
        return state == State.CLOSING;
    }

    /** Whether transfers may be taken. */
    boolean isOpen() {
        return isUp() || isConnecting() || isLost() || isRecovering();
    }

    /** Nothing is sent any more. Returns whether that is news: then the queue pair has to fail. */
    boolean fail(int errno, long now) {
        if (state == State.DRAINING || state == State.DOWN) {
            return false;
        }
        if (state != State.CLOSING) {
            reason = errno;
        }
        state = State.DRAINING;
        endingSince = now;
        return true;
    }

    /** This side ends an open connection: the peer is told first. */
    void close(int errno, long now) {
        state = State.CLOSING;
        reason = errno;
        orderly = true;
        endingSince = now;
    }

    /** The peer has said that it goes. */
    void peerLeft() {
        orderly = true;
    }

    /** The message that this side goes is posted. */
    void byeSent() {
        byeSent = true;
    }

    boolean isByeSent() {
        return byeSent;
    }

    /** Whether the peer was told that this side goes, or has had time enough. */
    boolean isTold(boolean allSent, long now) {
        return state == State.CLOSING && (byeSent && allSent || now - endingSince > PATIENCE);
    }

    /** Whether all that was posted has completed, or has had time enough. */
    boolean isOver(boolean allCompleted, long now) {
        boolean drains = state == State.DRAINING || state == State.LOST;
        return drains && (suspended || allCompleted || now - endingSince > PATIENCE);
    }

    void down() {
        state = State.DOWN;
    }

    /** The errno that transfers end with. */
    int errno() {
        return reason;
    }

    /** Why it has ended: an errno; 0 where one side has closed it. */
    int reason() {
        return orderly ? 0 : reason;
    }
}
