/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty;

import static io.verbs4j.cm.CmEventType.ADDR_ERROR;
import static io.verbs4j.cm.CmEventType.ADDR_RESOLVED;
import static io.verbs4j.cm.CmEventType.CONNECT_ERROR;
import static io.verbs4j.cm.CmEventType.DEVICE_REMOVAL;
import static io.verbs4j.cm.CmEventType.DISCONNECTED;
import static io.verbs4j.cm.CmEventType.ESTABLISHED;
import static io.verbs4j.cm.CmEventType.REJECTED;
import static io.verbs4j.cm.CmEventType.ROUTE_ERROR;
import static io.verbs4j.cm.CmEventType.ROUTE_RESOLVED;
import static io.verbs4j.cm.CmEventType.UNREACHABLE;

import io.verbs4j.Errno;
import io.verbs4j.QueuePair;
import io.verbs4j.VerbsException;
import io.verbs4j.WcStatus;
import io.verbs4j.cm.CmEvent;
import io.verbs4j.cm.CmId;
import io.verbs4j.cm.ConnParam;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;

/**
 * A connection on an event loop. It outlives its channel until the peer has all that was written, as a socket's does in
 * the kernel. Belongs to the loop's thread.
 */
final class Link implements CmTarget {
    /** Where a connection is on its way. */
    private enum State {
        CONNECTING,
        ACCEPTED,
        OPEN,

        /** The channel is closed; what was written is still being sent. */
        LINGERING,

        /** Disconnected; the queue pair's last completions are awaited. */
        DRAINING,
        CLOSED
    }

    private static final long RESOLVE_SECONDS = 60;
    private static final long KEEP_ALIVE_SECONDS = 60;
    private static final long DRAIN_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final VerbsIoHandler loop;
    private final CmId id;
    private final LinkSettings settings;
    private final Traffic traffic;
    private final ArrayDeque<Slot> unread = new ArrayDeque<>();
    private LinkOwner owner;
    private State state = State.CONNECTING;
    private QueuePair qp;
    private SendQueue queue;
    private int index;
    private Receives receives;
    private long deadline;
    private boolean touched;
    private boolean wanting;
    private boolean inputEnded;
    private boolean inputShut;
    private boolean gone;
    private int failure;

    Link(VerbsIoHandler loop, CmId id, LinkOwner owner, LinkSettings settings, Traffic traffic) {
        this.loop = loop;
        this.id = id;
        this.owner = owner;
        this.settings = settings;
        this.traffic = traffic;
    }

    VerbsIoHandler loop() {
        return loop;
    }

    CmId id() {
        return id;
    }

    /** Begins to connect; the owner is told how it ends. */
    void connect(InetSocketAddress local, InetSocketAddress remote) {
        id.userContext(this);
        id.resolveAddress(local, remote, RESOLVE_SECONDS, TimeUnit.SECONDS);
    }

    /** Accepts what a listener's id has taken, on the loop of this connection. */
    void accept(Wire.Greeting peer) throws IOException {
        id.userContext(this);
        id.migrate(loop.events());
        makeQueuePair();
        queue.open(peer, settings.sendBytes());
        state = State.ACCEPTED;
        try {
            id.accept(param());
        } catch (VerbsException e) {
            finish();
            throw e;
        }
    }

    private void makeQueuePair() throws IOException {
        LoopQueues queues = loop.queues();
        receives = queues.supply().join(Math.min(VerbsOptions.FIRST_WINDOW, maxWindow()));
        if (receives == null) {
            throw outOfReceives();
        }
        index = loop.links().reserve(this);
        try {
            queues.makeRoom();
            qp = id.createQp(loop.device().pd(), queues.attr());
        } catch (VerbsException e) {
            loop.links().release(index);
            receives.close();
            throw e;
        }
        loop.links().add(qp.qpNum(), this);
        queue = new SendQueue(loop.slab(), loop.device().registered(), traffic, qp, LinkTable.firstId(index));
        if (!receives.open(qp)) {
            throw outOfReceives();
        }
    }

    private IOException outOfReceives() {
        return new ConnectException("the event loop has no receives left for another connection: all "
                + loop.queues().supply().capacity() + " are promised; see VerbsOptions.withMaxMemory");
    }

    private int maxWindow() {
        return Math.max(
                VerbsOptions.FIRST_WINDOW,
                Math.min(
                        VerbsOptions.MAX_WINDOW,
                        settings.receiveBytes() / loop.slab().slotSize()));
    }

    private ConnParam param() {
        return ConnParam.DEFAULT.withPrivateData(
                Wire.encode(new Wire.Greeting(receives.window(), loop.slab().slotSize())));
    }

    @Override
    public void event(VerbsIoHandler from, CmEvent event) {
        if (from != loop) {
            loop.execute(() -> event(loop, event)); // taken while the id came over from the listener's loop
            return;
        }
        try {
            switch (event.type()) {
                case ADDR_RESOLVED -> id.resolveRoute(RESOLVE_SECONDS, TimeUnit.SECONDS);
                case ROUTE_RESOLVED -> {
                    makeQueuePair();
                    id.connect(param());
                }
                case ESTABLISHED -> established(event);
                case ADDR_ERROR, ROUTE_ERROR, CONNECT_ERROR, UNREACHABLE, REJECTED -> refuse(Failures.of(event));
                case DISCONNECTED, DEVICE_REMOVAL -> disconnected();
                default -> {
                    // nothing that a stream is concerned with
                }
            }
        } catch (VerbsException e) {
            refuse(Failures.of(e));
        } catch (IOException e) {
            refuse(e);
        }
    }

    private void established(CmEvent event) throws ProtocolException {
        if (state == State.CONNECTING) {
            queue.open(Wire.decode(event.conn().privateData()), settings.sendBytes());
            state = State.ACCEPTED;
        }
        if (settings.keepAlive()) {
            id.keepAlive(KEEP_ALIVE_SECONDS, TimeUnit.SECONDS);
        }
        open();
    }

    private void open() {
        if (state == State.ACCEPTED) {
            state = State.OPEN;
            owner.opened();
            touch();
        }
    }

    private void refuse(Exception cause) {
        if (state == State.CONNECTING || state == State.ACCEPTED) {
            LinkOwner told = owner;
            finish();
            told.refused(cause);
        } else {
            lost(Errno.ECONNABORTED);
        }
    }

    private void disconnected() {
        loop.pollAll(); // what came before
        if (state == State.CONNECTING || state == State.ACCEPTED && unread.isEmpty()) {
            refuse(new ConnectException("the peer has given up"));
        } else {
            lost(Errno.ECONNRESET);
        }
    }

    /** The peer has disconnected, which {@link #event} will tell. */
    void ended(VerbsIoHandler from) {
        if (from == loop && state == State.OPEN) {
            loop.pollAll();
            lost(Errno.ECONNRESET);
        }
    }

    /** The connection is no more. */
    private void lost(int errno) {
        gone = true;
        if (failure == 0) {
            failure = errno;
        }
        queue.fail();
        touch();
    }

    /** A message has come. */
    void received(Slot slot, int length, int immediate) {
        queue.credit(immediate);
        wanting |= (immediate & Wire.WANTING) != 0;
        inputEnded |= (immediate & Wire.END) != 0;
        if (length == 0 || owner == null || inputShut) {
            receives.put(slot);
            if (length != 0) {
                queue.owe(1);
            }
        } else {
            slot.length = length;
            slot.read = 0;
            unread.addLast(slot);
        }
        touch();
    }

    /** A request of this side has completed. */
    void sent(int number, int status) {
        if (number == SendQueue.MARKER) {
            finish();
            return;
        }
        queue.completed(number);
        if (status != WcStatus.SUCCESS && !gone && state != State.DRAINING) {
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
                if (!unread.isEmpty() || inputEnded) {
                    open(); // the message that says so is still to come
                }
            }
            case OPEN -> {
                queue.post();
                if (owner != null) {
                    owner.readable();
                }
                if (owner != null) {
                    owner.writable();
                }
                returnCredits();
            }
            case LINGERING -> {
                queue.post();
                if (queue.isDone() || queue.hasFailed()) {
                    drain();
                }
            }
            default -> {
                // nothing to do but to wait
            }
        }
    }

    private void returnCredits() {
        if (state != State.OPEN) {
            return;
        }
        if (wanting && unread.isEmpty()) {
            wanting = false;
            int more = Math.min(receives.window(), maxWindow() - receives.window());
            if (more > 0 && receives.widen(more)) {
                queue.owe(more);
            }
        }
        if (queue.owed() >= Math.max(1, receives.window() / 2)) {
            queue.returnCredits();
        }
    }

    /** {@return the first message that was not read, or null} */
    Slot firstUnread() {
        return unread.peekFirst();
    }

    /** The first message has been read; the peer may send another one. */
    void releaseFirst() {
        receives.put(unread.pollFirst());
        queue.owe(1);
    }

    /** The first message is the program's from now on. {@return whether another receive could take its place} */
    boolean replaceFirst() {
        if (!loop.slab().mayLend() || !receives.replace(unread.peekFirst())) {
            return false;
        }
        unread.pollFirst();
        queue.owe(1);
        return true;
    }

    /** Drops what is unread, and all that comes. */
    void shutInput() {
        inputShut = true;
        while (!unread.isEmpty()) {
            releaseFirst();
        }
    }

    boolean isInputEnded() {
        return inputEnded;
    }

    /** {@return 0 while the connection is there, else the errno of what ended it} */
    int failure() {
        return failure;
    }

    boolean isOpen() {
        return state == State.OPEN;
    }

    Receives receives() {
        return receives;
    }

    SendQueue queue() {
        return queue;
    }

    Slab slab() {
        return loop.slab();
    }

    /**
     * Ends the connection; the owner is told nothing any more.
     *
     * @param lingerNanos how long the peer may take to acknowledge what was written; 0 to drop it, so that the peer
     *     sees a reset
     */
    void close(long lingerNanos) {
        owner = null;
        if (state == State.CONNECTING) {
            finish();
        } else if (state == State.ACCEPTED || state == State.OPEN) {
            shutInput();
            if (lingerNanos <= 0 || gone) {
                drain();
            } else {
                state = State.LINGERING;
                deadline = System.nanoTime() + lingerNanos;
                loop.await(this);
                queue.end();
                touch();
            }
        }
    }

    private void drain() {
        state = State.DRAINING;
        deadline = System.nanoTime() + DRAIN_NANOS;
        queue.fail();
        try {
            id.disconnect(); // the queue pair goes to ERR
        } catch (VerbsException e) {
            // the peer was faster
        }
        if (queue.postMarker()) {
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
            if (qp != null) {
                loop.links().remove(index, qp.qpNum());
                while (!unread.isEmpty()) {
                    receives.failed(unread.pollFirst()); // nothing can be posted any more
                }
                queue.clear();
                receives.close();
            }
        }
    }
}
