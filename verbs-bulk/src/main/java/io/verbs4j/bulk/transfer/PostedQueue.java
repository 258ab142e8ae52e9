/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

/**
 * Requests in flight in a send queue, in order. A completion stands for all requests before it, as most have none of
 * their own. The queue knows enough of each request to post it again.
 */
final class PostedQueue {
    /** Only a header. */
    static final int MESSAGE = 0;

    /** A header, followed by the bytes of a transfer. */
    static final int EAGER = 1;

    /** Bytes of a transfer. */
    static final int PIECE = 2;

    /** Bytes of a transfer, perhaps none, and a value for the peer. */
    static final int TELLING = 3;

    /** Bit: the request waits for earlier reads. */
    static final int FENCED = 4;

    /** Number of bits of a request's number in its identifier. */
    static final int NUMBER_BITS = 12;

    /** Mask of these bits. */
    static final int NUMBER_MASK = (1 << NUMBER_BITS) - 1;

    /** At least one of this many requests has its own completion. */
    private static final int SIGNAL_EVERY = 16;

    private final Transfer[] transfers;
    private final int[] bytes;
    private final long[] offsets;
    private final byte[] kinds;
    private final int mask;
    private int most;
    private int head;
    private int tail;
    private int unsignaled;

    /** All requests before this number have completed or failed. */
    private int settled;

    /** Creates a queue for {@code depth} requests, a power of two. */
    PostedQueue(int depth) {
        transfers = new Transfer[depth];
        bytes = new int[depth];
        offsets = new long[depth];
        kinds = new byte[depth];
        mask = depth - 1;
        most = depth;
    }

    /** Reduces the maximum number of entries, because each may be several requests. */
    void limit(int value) {
        most = value;
    }

    int room() {
        return most - (tail - head);
    }

    boolean isEmpty() {
        return head == tail;
    }

    /** Number of the next request. */
    int next() {
        return tail;
    }

    /** Whether the next request needs its own completion, even if nothing else asks for one. */
    boolean mustSignal() {
        return unsignaled >= SIGNAL_EVERY - 1;
    }

    /** Adds the next request: for {@code count} bytes of a transfer, or for none (null). */
    void posted(Transfer transfer, int count, boolean signaled) {
        posted(transfer, 0, count, MESSAGE, signaled);
    }

    /** Adds the next request, of this kind, for {@code count} bytes of a transfer from an offset. */
    void posted(Transfer transfer, long offset, int count, int kind, boolean signaled) {
        transfers[tail & mask] = transfer;
        bytes[tail & mask] = count;
        offsets[tail & mask] = offset;
        kinds[tail & mask] = (byte) kind;
        tail++;
        unsignaled = signaled ? 0 : unsignaled + 1;
    }

    /** Returns the number of a request in flight, given its low bits. */
    int number(int bits) {
        return head + (bits - head & NUMBER_MASK);
    }

    /** Whether the request with this number is in flight. */
    boolean reaches(int number) {
        return number - head >= 0 && tail - number > 0;
    }

    /** Records that a request has failed and stays in the queue, to be posted again. */
    void failed(int number) {
        settled = number + 1;
    }

    /** Whether the device has finished all requests. */
    boolean isSettled() {
        return head == tail || settled == tail;
    }

    int oldest() {
        return head;
    }

    int oldestBytes() {
        return bytes[head & mask];
    }

    long oldestOffset() {
        return offsets[head & mask];
    }

    /** Kind of the oldest request, perhaps with {@link #FENCED}. */
    int oldestKind() {
        return kinds[head & mask];
    }

    /** Whether a request of this kind uses a receive of the peer. */
    static boolean takesReceive(int kind) {
        return (kind & ~FENCED) != PIECE;
    }

    /** Number of requests that use a receive of the peer. */
    int receives() {
        int count = 0;
        for (int i = head; i != tail; i++) {
            count += takesReceive(kinds[i & mask]) ? 1 : 0;
        }
        return count;
    }

    /** Removes the oldest request. Returns its transfer. */
    Transfer remove() {
        Transfer transfer = transfers[head & mask];
        transfers[head & mask] = null;
        head++;
        return transfer;
    }
}
