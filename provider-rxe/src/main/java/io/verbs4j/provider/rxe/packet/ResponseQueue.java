/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

import io.verbs4j.provider.rxe.wire.PsnMath;

/**
 * The answers to reads and atomics that are still to be sent, in the order of the requests: any acknowledgement of
 * later requests must follow them.
 */
final class ResponseQueue {
    static final int CAPACITY = 128;

    private final int[] psn = new int[CAPACITY];
    private final int[] packets = new int[CAPACITY];
    private final boolean[] begun = new boolean[CAPACITY];
    private final boolean[] atomic = new boolean[CAPACITY];
    private final boolean[] again = new boolean[CAPACITY];
    private final long[] address = new long[CAPACITY];
    private final long[] bytes = new long[CAPACITY];
    private final int[] srqNum = new int[CAPACITY];
    private final int[] rkey = new int[CAPACITY];
    private int first;
    private int count;

    boolean isEmpty() {
        return count == 0;
    }

    int size() {
        return count;
    }

    boolean isFull() {
        return count == CAPACITY;
    }

    void clear() {
        count = 0;
    }

    private int add(int firstPsn, int number) {
        if (isFull()) {
            throw new IllegalStateException("more than " + CAPACITY + " answers"); // or it would overwrite the first
        }
        int i = first + count++ & CAPACITY - 1;
        psn[i] = firstPsn;
        packets[i] = number;
        return i;
    }

    void addRead(int firstPsn, int number, int srq, long va, int key, long length, boolean repeated) {
        int i = add(firstPsn, number);
        begun[i] = false;
        atomic[i] = false;
        again[i] = repeated;
        address[i] = va;
        srqNum[i] = srq;
        rkey[i] = key;
        bytes[i] = length;
    }

    void addAtomic(int atPsn, long found) {
        int i = add(atPsn, 1);
        atomic[i] = true;
        bytes[i] = found;
    }

    /** Drops what is to be sent from a PSN on, because the peer has gone back and requests it again. */
    void dropFrom(int from, int mtu) {
        while (count > 0) {
            int i = first + count - 1 & CAPACITY - 1;
            int before = PsnMath.diff(from, psn[i]);
            if (before >= packets[i]) {
                return;
            }
            if (before > 0) {
                packets[i] = before;
                bytes[i] = Math.min(bytes[i], (long) before * mtu);
                return;
            }
            count--;
        }
    }

    // ---- the first answer

    boolean isAtomic() {
        return atomic[first];
    }

    /** {@return whether this read was answered before} */
    boolean isAgain() {
        return again[first];
    }

    /** {@return the value that the atomic found} */
    long found() {
        return bytes[first];
    }

    int psn() {
        return psn[first];
    }

    /** {@return whether no packet of this read was sent yet} */
    boolean isAtStart() {
        return !begun[first];
    }

    /** {@return the number of packets left of this read} */
    int packets() {
        return packets[first];
    }

    long address() {
        return address[first];
    }

    /** {@return the shared receive queue that the request names, with XRC} */
    int srqNum() {
        return srqNum[first];
    }

    int rkey() {
        return rkey[first];
    }

    /** {@return the number of bytes left} */
    long bytes() {
        return bytes[first];
    }

    /** Notes that packets of the first answer were sent. */
    void sent(int number, long payload) {
        packets[first] -= number;
        if (packets[first] == 0) {
            first = first + 1 & CAPACITY - 1;
            count--;
            return;
        }
        begun[first] = true;
        psn[first] = PsnMath.add(psn[first], number);
        address[first] += payload;
        bytes[first] -= payload;
    }
}
