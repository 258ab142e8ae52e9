/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import io.verbs4j.bulk.control.RailKeys;

/** One stream's messages without a receive, and receives without a message. At least one of the two is empty. */
final class Arrivals {
    /** A message that has arrived or was announced. */
    static final class Arrival {
        /** Slot that holds the bytes; -1 if they must be read. */
        int slot;

        long transfer;
        long length;
        long address;
        int key;

        /** Value of {@link Addresses#moves} on arrival. */
        int learned;

        long value;

        /** Keys of the bytes for rails. */
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

    /** Removes an announced message by the peer's transfer. Returns it, or null. */
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
