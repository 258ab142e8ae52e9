/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

/**
 * What was posted to a send queue and has not completed, in order. A completion stands for all before it: most requests
 * have none of their own. It knows enough of each request to post it again.
 */
final class PostedQueue {
    /** A header alone. */
    static final int MESSAGE = 0;

    /** A header, and the bytes of a transfer behind it. */
    static final int EAGER = 1;

    /** Bytes of a transfer. */
    static final int PIECE = 2;

    /** Bytes of a transfer, perhaps none, and a value for the peer. */
    static final int TELLING = 3;

    /** Bit: the request waits for reads before it. */
    static final int FENCED = 4;

    /** How many bits of a number identifiers of requests have. */
    static final int NUMBER_BITS = 12;

    /** Those bits. */
    static final int NUMBER_MASK = (1 << NUMBER_BITS) - 1;

    /** At least one of so many requests has a completion of its own. */
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

    /** All before this number have completed, if only as failed. */
    private int settled;

    /** A queue for {@code depth} requests, a power of two. */
    PostedQueue(int depth) {
        transfers = new Transfer[depth];
        bytes = new int[depth];
        offsets = new long[depth];
        kinds = new byte[depth];
        mask = depth - 1;
        most = depth;
    }

    /** From now on there are at most so many, as each may be several requests. */
    void limit(int value) {
        most = value;
    }

    int room() {
        return most - (tail - head);
    }

    boolean isEmpty() {
        return head == tail;
    }

    /** Number that the next request is posted under. */
    int next() {
        return tail;
    }

    /** Whether the next request needs a completion of its own, though nobody asks for one. */
    boolean mustSignal() {
        return unsignaled >= SIGNAL_EVERY - 1;
    }

    /** The next request was posted: for {@code count} bytes of a transfer, or for none (null). */
    void posted(Transfer transfer, int count, boolean signaled) {
        posted(transfer, 0, count, MESSAGE, signaled);
    }

    /** The next request was posted, of a kind, for {@code count} bytes of a transfer from an offset on. */
    void posted(Transfer transfer, long offset, int count, int kind, boolean signaled) {
        transfers[tail & mask] = transfer;
        bytes[tail & mask] = count;
        offsets[tail & mask] = offset;
        kinds[tail & mask] = (byte) kind;
        tail++;
        unsignaled = signaled ? 0 : unsignaled + 1;
    }

    /** The number of a request that has not completed, from its last bits. */
    int number(int bits) {
        return head + (bits - head & NUMBER_MASK);
    }

    /** Whether the oldest request comes before or is the one of that number, which is not completed yet. */
    boolean reaches(int number) {
        return number - head >= 0 && tail - number > 0;
    }

    /** The request of that number has failed, to be posted again: it stays. */
    void failed(int number) {
        settled = number + 1;
    }

    /** Whether the device has nothing to do any more. */
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

    /** Whether a request of some kind takes a receive of the peer's. */
    static boolean takesReceive(int kind) {
        return (kind & ~FENCED) != PIECE;
    }

    /** How many of the requests take a receive of the peer's. */
    int receives() {
        int count = 0;
        for (int i = head; i != tail; i++) {
            count += takesReceive(kinds[i & mask]) ? 1 : 0;
        }
        return count;
    }

    /** Takes the oldest request off. */
    Transfer remove() {
        Transfer transfer = transfers[head & mask];
        transfers[head & mask] = null;
        head++;
        return transfer;
    }
}
