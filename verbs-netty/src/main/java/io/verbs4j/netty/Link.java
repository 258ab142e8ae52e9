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
 * A connection on an event loop. It outlives its channel until the peer has all that was written, as a socket's does in
 * the kernel. Belongs to the loop's thread.
 */
final class Link {
    /** Where a connection is on its way. */
    private enum State {
        CONNECTING,
        ACCEPTED,
        OPEN,

        /** The channel is closed before the peer has confirmed; what was written is sent then. */
        LEAVING,

        /** The channel is closed; what was written is still being sent. */
        LINGERING,

        /** Disconnected; the queue pair's last completions are awaited. */
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

    /** Begins to connect; reports the outcome to the owner. */
    void connect(InetSocketAddress local, InetSocketAddress remote) {
        handshake.connect(local, remote);
    }

    /** Accepts what a listener's id has taken, on the loop of this connection. */
    void accept(Wire.Greeting peer) throws IOException {
        handshake.accept(peer);
    }

    /** The queue pair was made. */
    void queues(LinkQueues made) {
        queues = made;
    }

    /** The peer has said what it can receive. */
    void accepted() {
        state = State.ACCEPTED;
    }

    /** Both sides know of each other. */
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

    /** The connection does not come about, or breaks. */
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

    /** The peer, or the device, is gone. */
    void disconnected() {
        loop.pollAll(); // what came before
        if (state == State.CONNECTING
                || state == State.LEAVING
                || state == State.ACCEPTED
                        && queues.inbox().isEmpty()
                        && !queues.inbox().isEnded()) {
            refuse(new ConnectException("the peer has given up"));
        } else {
            lost(Errno.ECONNRESET);
        }
    }

    /** The peer has disconnected, or rejected; the event that reports it is not handled yet. */
    void ended(VerbsIoHandler from) {
        if (from == loop && state == State.OPEN) {
            loop.pollAll();
            lost(Errno.ECONNRESET);
        }
    }

    /** The connection is no more. */
    private void lost(int errno) {
        if (failure == 0) {
            failure = errno;
        }
        queues.outbox().fail();
        touch();
    }

    /** A receive has completed. */
    void received(Slot slot, int length, int immediate) {
        queues.receives().taken(slot);
        queues.inbox().add(slot, length, immediate);
        touch();
    }

    /** A receive has failed, as of a message that broke off. */
    void receiveFailed(Slot slot) {
        queues.receives().taken(slot);
        queues.receives().failed(slot);
    }

    /** A request of this side has completed. */
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

    /** Has the loop look at this connection when the completions at hand are done. */
    void touch() {
        if (!touched) {
            touched = true;
            loop.touched(this);
        }
    }

    /** Does what completions and the program have made possible. */
    void process() {
        touched = false;
        switch (state) {
            case ACCEPTED -> {
                if (!queues.inbox().isEmpty() || queues.inbox().isEnded()) {
                    open(); // the message that says so is still to come
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
                // nothing to do but to wait
            }
        }
    }

    /** {@return 0 while the connection is there, else the errno of what ended it} */
    int failure() {
        return failure;
    }

    boolean isConnecting() {
        return state == State.CONNECTING;
    }

    boolean isClosed() {
        return state == State.CLOSED;
    }

    /** {@return whether the peer has yet to confirm that it is accepted} */
    boolean isAccepted() {
        return state == State.ACCEPTED;
    }

    boolean isOpen() {
        return state == State.OPEN;
    }

    /** {@return what was received; once the connection is there} */
    Inbox inbox() {
        return queues.inbox();
    }

    /** {@return what is sent; once the connection is there} */
    SendQueue outbox() {
        return queues.outbox();
    }

    Slab slab() {
        return loop.slab();
    }

    /**
     * Ends the connection, without another call to the owner.
     *
     * @param nanos how long the peer may take to acknowledge what was written; 0 to drop what is not under way yet,
     *     and the end of the stream, so that the peer sees a reset
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
                queues.outbox().cut(); // requests under way would not be executed any more: the queue pair goes to ERR
                linger(DRAIN_NANOS);
            } else if (state == State.ACCEPTED) {
                state = State.LEAVING; // RDMA-CM reports the outcome: the peer can't keep it waiting
            } else {
                endAndLinger();
            }
        }
    }

    /** Waits until the peer has acknowledged what is to be sent, and the end behind it. */
    private void endAndLinger() {
        queues.outbox().end();
        linger(lingerNanos);
    }

    /** Waits until the peer has acknowledged what is to be sent. */
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
            id.disconnect(); // the queue pair goes to ERR
        } catch (VerbsException e) {
            // the peer was faster
        }
        if (queues.outbox().postMarker()) {
            loop.await(this);
        } else {
            finish();
        }
    }

    /** {@return whether it is closed, or has been made to go on as its time was over} */
    boolean isOver(long now) {
        if (state == State.CLOSED) {
            return true;
        }
        if (now - deadline < 0) {
            return false;
        }
        if (state == State.LINGERING) {
            drain(); // awaited once more
        } else {
            finish();
        }
        return true;
    }

    /** Closes all, now. */
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
