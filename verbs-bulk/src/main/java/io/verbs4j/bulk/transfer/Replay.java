/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import io.verbs4j.bulk.control.ControlLayout;
import io.verbs4j.bulk.control.Hello;
import io.verbs4j.bulk.strategy.Posts;
import java.util.ArrayList;
import java.util.List;

/**
 * Reposts, in order, the requests that were in flight when a connection was lost. Requests that have reached the peer
 * are not sent again, nor are bytes written before them: they have arrived, and the peer may have read them already.
 * Reads that have not completed are repeated. If the peer has moved to another device, the replay waits for the new
 * addresses.
 */
final class Replay {
    /** A request that has not completed. */
    private static final class Request {
        final Transfer transfer;
        final long offset;
        final int bytes;
        final int kind;

        /** Whether it has reached the peer, or precedes one that has. */
        boolean arrived;

        /** Header of a message. */
        final byte[] header = new byte[ControlLayout.SIZE];

        Request(Transfer transfer, long offset, int bytes, int kind) {
            this.transfer = transfer;
            this.offset = offset;
            this.bytes = bytes;
            this.kind = kind;
        }

        boolean is(int wanted) {
            return (kind & ~PostedQueue.FENCED) == wanted;
        }
    }

    private final Link link;
    private final List<Request> requests = new ArrayList<>();

    private int next;

    Replay(Link link) {
        this.link = link;
    }

    /**
     * Starts with a new queue pair; posts nothing before {@link #advance}.
     *
     * @param peer carries the total of messages and immediate values that have reached the peer
     * @param to the new queue pair
     * @param before the replay that the last queue pair did not finish, or null
     * @return whether that total is possible
     */
    boolean begin(Hello peer, Posts to, Replay before) {
        int pending = link.posted.receives();
        int unknown = peer.delivered() - (link.sender.receivesTaken() - pending);
        if (unknown < 0 || unknown > pending) {
            return false;
        }
        link.first.joinLoad();
        take();
        int arrived = arrived(unknown);
        for (int i = 0; i < requests.size(); i++) {
            Request request = requests.get(i);
            request.arrived = i < arrived;
            if (!request.arrived) {
                uncount(request);
            }
        }
        if (before != null) {
            requests.addAll(before.requests.subList(before.next, before.requests.size()));
        }
        if (link.protocol().ring()) {
            link.post(new RingWriter(to, link.slots, peer).from(link.sender.sequence()));
        }
        return true;
    }

    /** Posts as much as allowed. Returns whether that was all. */
    boolean advance() {
        while (next < requests.size() && link.state().isUp()) {
            Request request = requests.get(next);
            if (request.arrived && !isRead(request)) {
                next++;
                complete(request, request.bytes);
            } else if (isStopped(request)) {
                next++;
                complete(request, 0);
            } else if (mayPost(request) && post(request)) {
                next++;
            } else {
                return false;
            }
        }
        return next == requests.size();
    }

    /** Whether a request need not be posted again because its transfer ends early. */
    private boolean isStopped(Request request) {
        Transfer transfer = request.transfer;
        if (transfer == null || !request.is(PostedQueue.PIECE) && !request.is(PostedQueue.TELLING)) {
            return false;
        }
        if (transfer.window != null && !link.addresses.isValid(transfer) && transfer.window.isKnown()) {
            int errno = link.addresses.learn(transfer, true);
            if (errno != 0 && transfer.error == 0) {
                transfer.error = errno; // its window is a different one now
            }
        }
        return transfer.error != 0 && (request.is(PostedQueue.PIECE) || !link.addresses.isValid(transfer));
    }

    private boolean mayPost(Request request) {
        Transfer transfer = request.transfer;
        boolean bytes = request.is(PostedQueue.PIECE) || request.is(PostedQueue.TELLING);
        boolean known = !bytes
                || (transfer.window != null ? link.addresses.isValid(transfer) : link.addresses.isKnown(transfer));
        int kept = link.addresses.waits() ? 1 : 0; // for answers
        return known
                && link.posted.room() > 0
                && (!PostedQueue.takesReceive(request.kind) || link.sender.mayUrgently(kept));
    }

    private void take() {
        while (!link.posted.isEmpty()) {
            int header = link.slots.header(link.posted.oldest());
            int kind = link.posted.oldestKind();
            long offset = link.posted.oldestOffset();
            int bytes = link.posted.oldestBytes();
            Request request = new Request(link.posted.remove(), offset, bytes, kind);
            link.slots.bytes().get(header, request.header);
            requests.add(request);
        }
    }

    /** Returns how many of the requests precede or are the last one that has reached the peer. */
    private int arrived(int count) {
        int left = count;
        int i = 0;
        while (left > 0) {
            left -= PostedQueue.takesReceive(requests.get(i++).kind) ? 1 : 0;
        }
        return i;
    }

    private static boolean isRead(Request request) {
        return request.is(PostedQueue.PIECE) && request.transfer.isRead();
    }

    private void uncount(Request request) {
        if (PostedQueue.takesReceive(request.kind)) {
            link.sender.unsent(request.is(PostedQueue.EAGER), !request.is(PostedQueue.TELLING));
        }
    }

    private void complete(Request request, int bytes) {
        link.first.completed(request.bytes);
        if (request.transfer != null) {
            link.ends().complete(request.transfer, bytes, 0);
        }
    }

    private boolean post(Request request) {
        if (request.transfer != null) {
            request.transfer.replayed = true;
        }
        return request.is(PostedQueue.MESSAGE) || request.is(PostedQueue.EAGER)
                ? link.sender.repost(request.header, request.transfer, request.bytes, request.kind)
                : link.sender.repost(request.transfer, request.offset, request.bytes, request.kind);
    }
}
