/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.datagram;

import io.verbs4j.SendFlags;
import io.verbs4j.WcStatus;

/**
 * Requests of a connection in order. The oldest wait for acknowledgements, or for the device if it accesses the peer's
 * memory itself. One partly sent request may follow, then those not sent yet. Request numbers increase forever; places
 * are reused.
 */
final class RequestQueue {
    /** Kinds of requests that the device carries out by itself, in addition to those of {@link PacketLayout}. */
    static final int DIRECT_WRITE = 16;

    static final int DIRECT_READ = 17;

    private static final int SIGNALED = 1;
    private static final int TELLS = 2;
    private static final int FENCED = 4;
    private static final int DONE = 8;

    private final int mask;
    private final long[] wrIds;
    private final int[] kinds;
    private final int[] flags;
    private final int[] headerAts;
    private final int[] headerLengths;
    private final int[] lkeys;
    private final long[] addresses;
    private final int[] lengths;
    private final int[] rkeys;
    private final long[] remoteAddresses;
    private final int[] values;
    private final int[] ends;
    private final int[] statuses;
    private int oldest;
    private int cursor;
    private int next;
    private int sentBytes;

    /** Creates a queue for {@code depth} requests, a power of two. */
    RequestQueue(int depth) {
        mask = depth - 1;
        wrIds = new long[depth];
        kinds = new int[depth];
        flags = new int[depth];
        headerAts = new int[depth];
        headerLengths = new int[depth];
        lkeys = new int[depth];
        addresses = new long[depth];
        lengths = new int[depth];
        rkeys = new int[depth];
        remoteAddresses = new long[depth];
        values = new int[depth];
        ends = new int[depth];
        statuses = new int[depth];
    }

    /** Number of requests that can be added. */
    int room() {
        return mask + 1 - (next - oldest);
    }

    boolean isEmpty() {
        return next == oldest;
    }

    /** Adds a write or a message; unused arguments are 0. */
    void add(int kind, long wrId, int requestFlags, int lkey, long address, int length) {
        int i = next & mask;
        kinds[i] = kind;
        wrIds[i] = wrId;
        flags[i] = ((requestFlags & SendFlags.SIGNALED) != 0 ? SIGNALED : 0)
                | ((requestFlags & SendFlags.FENCE) != 0 ? FENCED : 0);
        statuses[i] = WcStatus.WR_FLUSH_ERR; // unless it gets another one
        lkeys[i] = lkey;
        addresses[i] = address;
        lengths[i] = length;
        headerLengths[i] = 0;
        next++;
    }

    /** Sets the target of the last write added. */
    void target(int rkey, long remoteAddress) {
        int i = next - 1 & mask;
        rkeys[i] = rkey;
        remoteAddresses[i] = remoteAddress;
    }

    /** Sets the value that the last write added ends with. */
    void tell(int value) {
        int i = next - 1 & mask;
        values[i] = value;
        flags[i] |= TELLS;
    }

    /** Sets the last message's own header, which is in the memory of the slots. */
    void header(int at, int length) {
        int i = next - 1 & mask;
        headerAts[i] = at;
        headerLengths[i] = length;
    }

    /** Whether a request is not sent completely. */
    boolean hasUnsent() {
        return cursor != next;
    }

    /** The request that is sent next. */
    int unsent() {
        return cursor;
    }

    /** Offset of its next part to send. */
    int sentBytes() {
        return sentBytes;
    }

    /** Records that a part of it was sent, in the packet before {@code end}. */
    void sent(int count, int end) {
        sentBytes += count;
        if (sentBytes == total(cursor)) {
            ends[cursor & mask] = end;
            cursor++;
            sentBytes = 0;
        }
    }

    /** Records that the request was passed to the device. */
    void sentDirectly() {
        cursor++;
    }

    /** Records that the device has completed or failed a request. */
    void completed(int request, int status) {
        if (status == WcStatus.SUCCESS) {
            flags[request & mask] |= DONE; // keeps the status, which counts if an earlier request has failed
        } else {
            statuses[request & mask] = status;
        }
    }

    /** Whether the oldest request is done: all its packets precede {@code sequence}, or the device has completed it. */
    boolean isOldestDone(int sequence) {
        if (oldest == cursor) {
            return false;
        }
        return isDirect(oldest) ? (flags[oldest & mask] & DONE) != 0 : sequence - ends[oldest & mask] >= 0;
    }

    /** Whether all requests before this one are done. */
    boolean isOldest(int request) {
        return request == oldest;
    }

    /** Whether the device carries out a request by itself. */
    boolean isDirect(int request) {
        return kinds[request & mask] >= DIRECT_WRITE;
    }

    /** Whether a request waits until all earlier ones are done. */
    boolean isFenced(int request) {
        return (flags[request & mask] & FENCED) != 0;
    }

    /** The status of a request that has not completed when the connection ends. */
    int status(int request) {
        return statuses[request & mask];
    }

    /** Removes the oldest request, sent or not. Its fields stay readable until one is added. */
    int remove() {
        return oldest++;
    }

    int kind(int request) {
        return kinds[request & mask];
    }

    int number(int request) {
        return (int) wrIds[request & mask];
    }

    boolean isSignaled(int request) {
        return (flags[request & mask] & SIGNALED) != 0;
    }

    boolean tells(int request) {
        return (flags[request & mask] & TELLS) != 0;
    }

    int headerAt(int request) {
        return headerAts[request & mask];
    }

    int headerLength(int request) {
        return headerLengths[request & mask];
    }

    /** Number of bytes that the peer receives: the header and the bytes after it. */
    int total(int request) {
        return headerLengths[request & mask] + lengths[request & mask];
    }

    int lkey(int request) {
        return lkeys[request & mask];
    }

    long address(int request) {
        return addresses[request & mask];
    }

    int rkey(int request) {
        return rkeys[request & mask];
    }

    long remoteAddress(int request) {
        return remoteAddresses[request & mask];
    }

    int value(int request) {
        return values[request & mask];
    }
}
