/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.WcStatus;
import io.verbs4j.cm.CmId;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/**
 * A connection on an event loop. Like a socket in the kernel, it outlives its channel until the peer has received
 * everything that was written. Belongs to the loop's thread.
 */
final class Link {
    /** Stages of a connection. */
    private enum State {
        CONNECTING,
        ACCEPTED,
        OPEN,

        /** The channel was closed before the peer confirmed; written data is sent once it does. */
        LEAVING,

        /** The channel is closed; written data is still being sent. */
        LINGERING,

        /** Disconnected; waits for the queue pair's last completions. */
        DRAINING,
        CLOSED
    }

    private static final long DRAIN_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final VerbsIoHandler loop;
    private final CmId id;
    private final Handshake handshake;
    private LinkOwner owner;
    private State state = State.CONNECTING;
    private LinkQueues queues;
    private long lingerNanos;
    private long deadline;
    private boolean touched;
    private int failure;

    Link(VerbsIoHandler loop, CmId id, LinkOwner owner, LinkSettings settings, Traffic traffic) {
        this.loop = loop;
        this.id = id;
        this.owner = owner;
        this.handshake = new Handshake(this, id, settings, traffic);
    }

    VerbsIoHandler loop() {
        return loop;
    }

    /** Starts connecting; reports the outcome to the owner. */
    void connect(InetSocketAddress local, InetSocketAddress remote) {
        handshake.connect(local, remote);
    }

    /** Accepts an id that a listener has received; called on the loop of this connection. */
    void accept(Wire.Greeting peer) throws IOException {
        handshake.accept(peer);
    }

    /** Called when the queue pair was made. */
    void queues(LinkQueues made) {
        queues = made;
    }

    /** Called when the peer has announced what it can receive. */
    void accepted() {
        state = State.ACCEPTED;
    }

    /** Called when both sides have confirmed the connection. */
    void open() {
        if (state == State.ACCEPTED) {
            state = State.OPEN;
            queues.outbox().start();
            owner.opened();
            touch();
        } else if (state == State.LEAVING) {
            queues.outbox().start();
            endAndLinger();
        }
    }

    /** Called when the connection fails or cannot be established. */
    void refuse(Exception cause) {
        if (state == State.CONNECTING || state == State.ACCEPTED) {
            LinkOwner last = owner;
            finish();
            last.refused(cause);
        } else if (state == State.LEAVING) {
            finish();
        } else {
            lost(Errno.ECONNABORTED);
        }
    }

    /** Called when the peer has disconnected or the device is gone. */
    void disconnected() {
        loop.pollAll(); // what came before
        if (state == State.CONNECTING
                || state == State.LEAVING
                || state == State.ACCEPTED
                        && queues.inbox().isEmpty()
                        && !queues.inbox().isEnded()) {
            refuse(new ConnectException("the peer gave up"));
        } else {
            lost(Errno.ECONNRESET);
        }
    }

    /** Called when the peer has disconnected or rejected; the event itself will be handled later. */
    void ended(VerbsIoHandler from) {
        if (from == loop && state == State.OPEN) {
            loop.pollAll();
            lost(Errno.ECONNRESET);
        }
    }

    /** Marks the connection as lost. */
    private void lost(int errno) {
        if (failure == 0) {
            failure = errno;
        }
        queues.outbox().fail();
        touch();
    }

    /** Called when a receive has completed. */
    void received(Slot slot, int length, int immediate) {
        queues.receives().taken(slot);
        queues.inbox().add(slot, length, immediate);
        touch();
    }

    /** Called when a receive has failed, for instance because its message broke off. */
    void receiveFailed(Slot slot) {
        queues.receives().taken(slot);
        queues.receives().failed(slot);
    }

    /** Called when a send request of this side has completed. */
    void sent(int number, int status) {
        if (number == SendQueue.MARKER) {
            finish();
            return;
        }
        queues.outbox().completed(number);
        if (status != WcStatus.SUCCESS && failure == 0 && state != State.DRAINING) {
            lost(status == WcStatus.RETRY_EXC_ERR ? Errno.ETIMEDOUT : Errno.ECONNRESET);
        }
        touch();
    }

    /** Makes the loop process this connection after the current completions. */
    void touch() {
        if (!touched) {
            touched = true;
            loop.touched(this);
        }
    }

    /** Continues with whatever completions and the program have made possible. */
    void process() {
        touched = false;
        switch (state) {
            case ACCEPTED -> {
                if (!queues.inbox().isEmpty() || queues.inbox().isEnded()) {
                    open(); // a message of the peer came before the event that confirms the connection
                }
            }
            case OPEN -> {
                queues.outbox().post();
                if (owner != null) {
                    owner.readable();
                }
                if (owner != null) {
                    owner.writable();
                }
                if (state == State.OPEN) {
                    queues.inbox().returnCredits();
                }
            }
            case LINGERING -> {
                queues.outbox().post();
                if (queues.outbox().isDone() || queues.outbox().hasFailed()) {
                    drain();
                }
            }
            default -> {
                // only waits
            }
        }
    }

    /** {@return 0 while the connection exists, otherwise the errno that ended it} */
    int failure() {
        return failure;
    }

    boolean isConnecting() {
        return state == State.CONNECTING;
    }

    boolean isClosed() {
        return state == State.CLOSED;
    }

    /** {@return whether this side has the peer's greeting, but the connection is not confirmed yet} */
    boolean isAccepted() {
        return state == State.ACCEPTED;
    }

    boolean isOpen() {
        return state == State.OPEN;
    }

    /** {@return the received messages; only after the queue pair was made} */
    Inbox inbox() {
        return queues.inbox();
    }

    /** {@return the send queue; only after the queue pair was made} */
    SendQueue outbox() {
        return queues.outbox();
    }

    Slab slab() {
        return loop.slab();
    }

    /**
     * Ends the connection, without further calls to the owner.
     *
     * @param nanos how long the peer may take to acknowledge written data; 0 drops everything that was not sent yet and
     *     the end of the stream, so that the peer sees a reset
     */
    void close(long nanos) {
        owner = null;
        if (state == State.CONNECTING) {
            finish();
        } else if (state == State.ACCEPTED || state == State.OPEN) {
            queues.inbox().shut();
            lingerNanos = nanos;
            if (failure != 0 || nanos <= 0 && state == State.ACCEPTED) {
                drain();
            } else if (nanos <= 0) {
                queues.outbox().cut(); // those that were sent must complete before the queue pair goes to ERR
                linger(DRAIN_NANOS);
            } else if (state == State.ACCEPTED) {
                state = State.LEAVING; // RDMA-CM will report the outcome, so the peer cannot delay this forever
            } else {
                endAndLinger();
            }
        }
    }

    /** Waits until the peer has acknowledged everything, including the end of the stream. */
    private void endAndLinger() {
        queues.outbox().end();
        linger(lingerNanos);
    }

    /** Waits until the peer has acknowledged everything that is to be sent. */
    private void linger(long nanos) {
        state = State.LINGERING;
        deadline = System.nanoTime() + nanos;
        loop.await(this);
        touch();
    }

    private void drain() {
        state = State.DRAINING;
        deadline = System.nanoTime() + DRAIN_NANOS;
        queues.outbox().fail();
        try {
            id.disconnect(); // moves the queue pair to ERR
        } catch (VerbsException e) {
            // the peer was faster
        }
        if (queues.outbox().postMarker()) {
            loop.await(this);
        } else {
            finish();
        }
    }

    /** {@return whether it is closed, or its time was over and it has moved on} */
    boolean isOver(long now) {
        if (state == State.CLOSED) {
            return true;
        }
        if (now - deadline < 0) {
            return false;
        }
        if (state == State.LINGERING) {
            drain(); // this added it to the deadlines again
        } else {
            finish();
        }
        return true;
    }

    /** Closes everything now. */
    void finish() {
        if (state == State.CLOSED) {
            return;
        }
        state = State.CLOSED;
        owner = null;
        try {
            id.close();
        } finally {
            if (queues != null) {
                queues.close();
            }
        }
    }
}
