/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

/**
 * What was posted to a send queue and has not completed, in order. A completion stands for all before it: most requests
 * have none of their own.
 */
final class PostedQueue {
    /** At least one of so many requests has a completion of its own. */
    private static final int SIGNAL_EVERY = 16;

    private final Transfer[] transfers;
    private final int[] bytes;
    private final int mask;
    private int most;
    private int head;
    private int tail;
    private int unsignaled;

    /** A queue for {@code depth} requests, a power of two. */
    PostedQueue(int depth) {
        transfers = new Transfer[depth];
        bytes = new int[depth];
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
        transfers[tail & mask] = transfer;
        bytes[tail & mask] = count;
        tail++;
        unsignaled = signaled ? 0 : unsignaled + 1;
    }

    /** Whether the oldest request comes before or is the one of that number. */
    boolean reaches(int number) {
        return head != tail && number - head >= 0;
    }

    int oldest() {
        return head;
    }

    int oldestBytes() {
        return bytes[head & mask];
    }

    /** Takes the oldest request off. */
    Transfer remove() {
        Transfer transfer = transfers[head & mask];
        transfers[head & mask] = null;
        head++;
        return transfer;
    }
}
