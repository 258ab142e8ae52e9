/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import io.verbs4j.bulk.ring.EntryCode;

/** Notifications of a peer that do not fit into the program's ring yet. */
final class Notifications {
    private final Link link;
    private final long[] values;
    private final int[] valueSlots;
    private int firstValue;
    private int valueCount;

    Notifications(Link link) {
        this.link = link;
        values = new long[link.limits.slots()];
        valueSlots = new int[link.limits.slots()];
    }

    /** Adds a notification; its slot is kept until the program has it. */
    void add(int slot, long value) {
        int at = (firstValue + valueCount++) % values.length;
        values[at] = value;
        valueSlots[at] = slot;
        deliver();
    }

    /**
     * Delivers notifications to the program as long as its ring has room. The slot of a delivered value is posted
     * again.
     *
     * @return whether all were delivered
     */
    boolean deliver() {
        Submitter ring = link.transfers.notified();
        while (valueCount > 0 && ring != null && !ring.side().hasBacklog()) {
            link.receiver.post(deliverFirst(ring));
        }
        if (valueCount > 0) {
            link.transfers.hold(link);
        }
        return valueCount == 0;
    }

    private int deliverFirst(Submitter ring) {
        int slot = valueSlots[firstValue];
        ring.side().complete(0, 0, EntryCode.NOTIFY_ARRIVED, link.id(), values[firstValue]);
        firstValue = (firstValue + 1) % values.length;
        valueCount--;
        return slot;
    }

    /** Delivers all notifications to the program when nothing arrives any more. */
    void deliverLast() {
        Submitter ring = link.transfers.notified();
        while (valueCount > 0 && ring != null) {
            int unused = deliverFirst(ring);
        }
    }
}
