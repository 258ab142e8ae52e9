/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty;

import io.verbs4j.QueuePair;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WrOpcode;

/**
 * The outgoing messages of a connection, in order: those being sent, those that wait for credits, then the end of the
 * stream. Its length corresponds to a socket's send buffer. A message needs a credit, which means that the peer has a
 * receive for it. Returns of credits and the end of the stream need none, because the peer has spare receives. Belongs
 * to the loop's thread.
 */
final class SendQueue {
    /** Maximum number of messages being sent or waiting. */
    static final int DEPTH = 16;

    /**
     * Maximum number of requests of a queue pair: messages, a return of credits, the end, the marker of {@link Link}.
     */
    static final int MAX_REQUESTS = DEPTH + 3;

    /** Request numbers after those of messages. */
    static final int UPDATE = DEPTH;

    static final int END = DEPTH + 1;
    static final int MARKER = DEPTH + 2;

    private static final ScatterGatherElement[] NOTHING = {};

    private final SendRequest[] ring = new SendRequest[DEPTH];
    private final SendWorkRequest control = new SendWorkRequest();
    private final Slab slab;
    private final RegisteredMemory registered;
    private final Traffic traffic;
    private final QueuePair qp;
    private final long firstId;

    /** Numbers of messages that were acknowledged, posted, and gathered. */
    private int acknowledged;

    private int posted;
    private int gathered;
    private int depth = DEPTH;
    private int credits;
    private int limit;
    private int owed;
    private boolean updating;
    private boolean started;
    private boolean endWanted;
    private boolean endPosted;
    private boolean endDone;

    /** Whether nothing more is posted than already is. */
    private boolean cut;

    private boolean failed;

    /**
     * Makes a queue that accepts nothing before {@link #open}, and sends nothing before {@link #start}.
     *
     * @param firstId number of its first request; the others follow
     */
    SendQueue(Slab slab, RegisteredMemory registered, Traffic traffic, QueuePair qp, long firstId) {
        this.slab = slab;
        this.registered = registered;
        this.traffic = traffic;
        this.qp = qp;
        this.firstId = firstId;
    }

    void open(Wire.Greeting peer, int maxBytes) {
        credits += peer.credits();
        limit = Math.min(peer.bufferSize(), slab.slotSize());
        depth = Math.max(1, Math.min(DEPTH, maxBytes / limit));
    }

    /** Called when both sides have confirmed the connection. The next {@link #post} sends what was accepted before. */
    void start() {
        started = true;
    }

    /** {@return the message to append to; null if there is no room} */
    SendRequest current() {
        if (gathered != posted) {
            SendRequest last = ring[(gathered - 1) & (DEPTH - 1)];
            if (last.hasRoom()) {
                return last;
            }
        }
        if (gathered - acknowledged >= depth || endWanted || limit == 0) {
            return null;
        }
        int next = gathered & (DEPTH - 1);
        if (ring[next] == null) {
            ring[next] = new SendRequest(slab, registered, traffic, limit);
        }
        return ring[next];
    }

    /** Queues what was appended to {@link #current()} for sending. */
    void commit(SendRequest request) {
        if (request.length() > 0 && (gathered == posted || ring[(gathered - 1) & (DEPTH - 1)] != request)) {
            gathered++;
        }
        post();
    }

    /** Posts as many messages as there are credits. */
    void post() {
        if (!started) {
            return;
        }
        while (posted != gathered && credits > 0 && !failed) {
            int index = posted & (DEPTH - 1);
            credits--;
            int immediate = takeOwed() | (credits == 0 ? Wire.WANTING : 0);
            send(ring[index].prepared(firstId + index, immediate));
            posted++;
        }
        if (endWanted && !endPosted && !cut && posted == gathered && !failed) {
            endPosted = true;
            sendControl(END, Wire.END | takeOwed());
        }
    }

    private int takeOwed() {
        int taken = Math.min(owed, Wire.MAX_CREDITS);
        owed -= taken;
        return taken;
    }

    private void sendControl(int number, int immediate) {
        control.wrId(firstId + number)
                .opcode(WrOpcode.SEND_WITH_IMM)
                .immData(immediate)
                .sendFlags(SendFlags.SIGNALED)
                .sgList(NOTHING);
        send(control);
    }

    private void send(SendWorkRequest request) {
        if (qp.postSend(request) != 0) {
            failed = true; // the queue pair has failed, which its completions and events report
        }
    }

    /** Adds the credits that the immediate data of a peer's message returns. */
    void credit(int immediate) {
        credits += immediate & Wire.MAX_CREDITS;
    }

    /** Counts receives of this side that the peer may use again. */
    void owe(int count) {
        owed += count;
    }

    int owed() {
        return owed;
    }

    /** Returns credits in a message of their own, unless one is being sent; also after the end of the stream. */
    void returnCredits() {
        if (!updating && owed > 0 && !failed) {
            updating = true;
            sendControl(UPDATE, takeOwed());
        }
    }

    /** Stops appending; the end of the stream is sent after everything that is queued. */
    void end() {
        endWanted = true;
        post();
    }

    /** Drops what is not posted yet, and the end of the stream. */
    void cut() {
        cut = true;
        while (gathered != posted) {
            ring[--gathered & (DEPTH - 1)].clear();
        }
    }

    /** Called when a request has completed. */
    void completed(int number) {
        if (number < DEPTH) {
            ring[number].clear();
            acknowledged++;
        } else if (number == UPDATE) {
            updating = false;
        } else if (number == END) {
            endDone = true;
        }
    }

    /** Returns whether the peer has acknowledged everything, including the end of the stream unless it was dropped. */
    boolean isDone() {
        return (endDone || cut && !endPosted) && acknowledged == gathered;
    }

    boolean hasFailed() {
        return failed;
    }

    /** Stops all sending. */
    void fail() {
        failed = true;
    }

    /** Posts a request that completes after all others; for a queue pair in state ERR. */
    boolean postMarker() {
        control.wrId(firstId + MARKER)
                .opcode(WrOpcode.SEND)
                .sendFlags(SendFlags.SIGNALED)
                .sgList(NOTHING);
        return qp.postSend(control) == 0;
    }

    /** Releases all memory; the queue pair is closed. */
    void clear() {
        for (SendRequest request : ring) {
            if (request != null) {
                request.clear();
            }
        }
        acknowledged = gathered;
        posted = gathered;
    }
}
