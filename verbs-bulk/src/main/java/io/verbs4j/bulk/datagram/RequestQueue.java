/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.datagram;

import io.verbs4j.SendFlags;
import io.verbs4j.WcStatus;

/**
 * Requests of a connection in their order: the oldest wait for acknowledgements, or for the device where it reaches the
 * peer's memory by itself; then there may be one that is sent in part, then those that are not sent yet. Request
 * numbers count on for ever; a place is used again.
 */
final class RequestQueue {
    /** Kind of a request that the device carries out by itself, besides those of {@link PacketLayout}. */
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

    /** For {@code depth} requests at a time, a power of two. */
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

    /** How many can be added. */
    int room() {
        return mask + 1 - (next - oldest);
    }

    boolean isEmpty() {
        return next == oldest;
    }

    /** Adds a write, or a message; what it does not have is 0. */
    void add(int kind, long wrId, int requestFlags, int lkey, long address, int length) {
        int i = next & mask;
        kinds[i] = kind;
        wrIds[i] = wrId;
        flags[i] = ((requestFlags & SendFlags.SIGNALED) != 0 ? SIGNALED : 0)
                | ((requestFlags & SendFlags.FENCE) != 0 ? FENCED : 0);
        statuses[i] = WcStatus.WR_FLUSH_ERR; // unless there is another one
        lkeys[i] = lkey;
        addresses[i] = address;
        lengths[i] = length;
        headerLengths[i] = 0;
        next++;
    }

    /** Where the write that was added last goes. */
    void target(int rkey, long remoteAddress) {
        int i = next - 1 & mask;
        rkeys[i] = rkey;
        remoteAddresses[i] = remoteAddress;
    }

    /** The write that was added last tells a value. */
    void tell(int value) {
        int i = next - 1 & mask;
        values[i] = value;
        flags[i] |= TELLS;
    }

    /** The message that was added last has a header of its own, in the memory of slots. */
    void header(int at, int length) {
        int i = next - 1 & mask;
        headerAts[i] = at;
        headerLengths[i] = length;
    }

    /** Whether a request is not sent, or not all of it. */
    boolean hasUnsent() {
        return cursor != next;
    }

    /** The request that is sent next. */
    int unsent() {
        return cursor;
    }

    /** Where the part of it begins that is sent next. */
    int sentBytes() {
        return sentBytes;
    }

    /** A part of it was sent, in the packet before {@code end}. */
    void sent(int count, int end) {
        sentBytes += count;
        if (sentBytes == total(cursor)) {
            ends[cursor & mask] = end;
            cursor++;
            sentBytes = 0;
        }
    }

    /** The request that is sent next was given to the device. */
    void sentDirectly() {
        cursor++;
    }

    /** The device has carried out a request, or failed it. */
    void completed(int request, int status) {
        if (status == WcStatus.SUCCESS) {
            flags[request & mask] |= DONE; // its status stays: it counts where one before it has failed
        } else {
            statuses[request & mask] = status;
        }
    }

    /** Whether the oldest request is done: all its packets are before a number, or the device has said so. */
    boolean isOldestDone(int sequence) {
        if (oldest == cursor) {
            return false;
        }
        return isDirect(oldest) ? (flags[oldest & mask] & DONE) != 0 : sequence - ends[oldest & mask] >= 0;
    }

    /** Whether all requests before one are done. */
    boolean isOldest(int request) {
        return request == oldest;
    }

    /** Whether the device carries a request out by itself. */
    boolean isDirect(int request) {
        return kinds[request & mask] >= DIRECT_WRITE;
    }

    /** Whether a request waits until all before it are done. */
    boolean isFenced(int request) {
        return (flags[request & mask] & FENCED) != 0;
    }

    /** The status of a request that has not completed when the connection ends. */
    int status(int request) {
        return statuses[request & mask];
    }

    /** Takes off the oldest request, sent or not; it may be asked about until one is added. */
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

    /** Bytes that the peer gets: the header and what is behind it. */
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
