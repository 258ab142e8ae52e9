/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import io.verbs4j.bulk.control.RailKeys;

/** Messages of one stream that nobody has asked for yet, and receives that wait for messages. One of both is empty. */
final class Arrivals {
    /** A message that is there, or that the peer has told of. */
    static final class Arrival {
        /** Slot that has the bytes, or -1 where they are to be read. */
        int slot;

        long transfer;
        long length;
        long address;
        int key;

        /** {@link Addresses#moves} of when it has come. */
        int learned;

        long value;

        /** Keys by which rails reach the bytes. */
        final RailKeys railKeys = new RailKeys();

        private Arrival next;
    }

    private final TransferList receives = new TransferList();
    private Arrival first;
    private Arrival last;

    TransferList receives() {
        return receives;
    }

    Arrival first() {
        return first;
    }

    void add(Arrival arrival) {
        arrival.next = null;
        if (last == null) {
            first = arrival;
        } else {
            last.next = arrival;
        }
        last = arrival;
    }

    Arrival removeFirst() {
        Arrival arrival = first;
        first = arrival.next;
        if (first == null) {
            last = null;
        }
        return arrival;
    }

    /** Removes the message that is to be read for a transfer of the peer's, or returns null. */
    Arrival remove(long transfer) {
        Arrival before = null;
        for (Arrival arrival = first; arrival != null; arrival = arrival.next) {
            if (arrival.slot < 0 && arrival.transfer == transfer) {
                if (before == null) {
                    first = arrival.next;
                } else {
                    before.next = arrival.next;
                }
                if (last == arrival) {
                    last = before;
                }
                return arrival;
            }
            before = arrival;
        }
        return null;
    }
}
