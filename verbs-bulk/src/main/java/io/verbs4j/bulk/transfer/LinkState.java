/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import java.util.concurrent.TimeUnit;

/** The state of a connection and the reason for its end. Touches no device; {@link Link} acts on the changes. */
final class LinkState {
    private enum State {
        /** Nothing may be sent yet. */
        CONNECTING,
        UP,
        /** Posted requests still have to complete; then the queue pair is closed and the connection recovered. */
        LOST,
        /** There is no queue pair, but there may be a new one soon. */
        RECOVERING,
        /** The peer is being told that this side leaves. */
        CLOSING,
        /** Posted requests still have to complete. */
        DRAINING,
        DOWN
    }

    /** Time for telling the peer that this side leaves, and for the device to complete posted requests. */
    static final long PATIENCE = TimeUnit.SECONDS.toNanos(1);

    private State state = State.CONNECTING;
    private int reason;
    private boolean orderly;
    private boolean byeSent;

    /** Whether there is no queue pair, so that posted requests will not complete. */
    private boolean suspended;

    private long endingSince;

    /** Moves from CONNECTING to UP. Returns false in any other state. */
    boolean up() {
        if (state != State.CONNECTING) {
            return false;
        }
        state = State.UP;
        return true;
    }

    /** Records that the queue pair has failed. Returns whether the connection was up and may be recovered. */
    boolean lose(long now) {
        if (state != State.UP) {
            return false;
        }
        state = State.LOST;
        endingSince = now;
        return true;
    }

    /** Records that the device is lost, and the queue pair with it. */
    void abandon() {
        suspended = true;
    }

    boolean isLost() {
        return state == State.LOST;
    }

    /** Records that the queue pair is closed. */
    void suspend() {
        state = State.RECOVERING;
        suspended = true;
    }

    boolean isRecovering() {
        return state == State.RECOVERING;
    }

    /** Records that there is a new queue pair. */
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

    /** Whether transfers may be accepted. */
    boolean isOpen() {
        return isUp() || isConnecting() || isLost() || isRecovering();
    }

    /** Stops all sending. Returns whether that is new, in which case the queue pair must be failed. */
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

    /** Starts to close an open connection from this side; the peer is told first. */
    void close(int errno, long now) {
        state = State.CLOSING;
        reason = errno;
        orderly = true;
        endingSince = now;
    }

    /** Records that the peer leaves. */
    void peerLeft() {
        orderly = true;
    }

    /** Records that the message of this side's leave is posted. */
    void byeSent() {
        byeSent = true;
    }

    boolean isByeSent() {
        return byeSent;
    }

    /** Whether the peer was told that this side leaves, or the time for that is over. */
    boolean isTold(boolean allSent, long now) {
        return state == State.CLOSING && (byeSent && allSent || now - endingSince > PATIENCE);
    }

    /** Whether all posted requests have completed, or the time for that is over. */
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

    /** The errno of its end; 0 if one side has closed it. */
    int reason() {
        return orderly ? 0 : reason;
    }
}
