/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.share;

/**
 * A place in a ring where the receiver writes up to which PSN it has taken the packets of one queue pair: an
 * acknowledgement that costs neither side a packet. Used under the lock of the queue pair, except for {@link #isNew}.
 */
public final class Receipt implements AutoCloseable {
    /** What {@link #psn()} returns if the receiver has written nothing for this queue pair. */
    public static final int NONE = -1;

    private final Receipts receipts;
    private final RingWriter ring;
    private final int place;
    private final int reference;

    /** The word that was settled last. A thread that reads an old one only looks in vain. */
    private long settled;

    /** The word that {@link #psn()} has read. */
    private long read;

    Receipt(Receipts receipts, RingWriter ring, int place, int number) {
        this.receipts = receipts;
        this.ring = ring;
        this.place = place;
        this.reference = RingLayout.receipt(place, number);
        this.settled = receipts.word(reference);
    }

    int place() {
        return place;
    }

    int reference() {
        return reference;
    }

    /** {@return whether it belongs to a ring} */
    public boolean isOf(RingWriter other) {
        return ring == other;
    }

    /** {@return whether the receiver has written since {@link #settle}} Any thread may ask. */
    public boolean isNew() {
        return receipts.word(reference) != settled;
    }

    /** {@return the PSN up to which packets were taken, as the receiver says, which may lie; or {@link #NONE}} */
    public int psn() {
        read = receipts.word(reference);
        return RingLayout.receiptPsn(reference, read);
    }

    /** Notes that what {@link #psn()} returned has been dealt with. */
    public void settle() {
        settled = read;
    }

    /** Lets another queue pair use the place. */
    @Override
    public void close() {
        receipts.giveBack(this);
    }
}
