/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.share;

import io.verbs4j.Gid;

/** The services that a link provides for one copy. Thread-safe. */
public interface Surroundings {
    /** The counters. */
    enum Count {
        /** Records written to rings. */
        SENT(0, "tx_onecopy_records"),
        /** Bytes of packets in these records and of payload that their spans refer to. */
        SENT_BYTES(1, "tx_onecopy_bytes"),
        /** Packets dropped because a ring was full. */
        FULL(2, "tx_onecopy_drop_full"),
        /** Records received. */
        RECEIVED(3, "rx_onecopy_records"),
        /** Bytes of packets in these records and of payload that their spans refer to. */
        RECEIVED_BYTES(4, "rx_onecopy_bytes"),
        /** Invalid records. */
        BAD(5, "rx_onecopy_drop_bad"),
        /** Datagrams sent to wake receivers. */
        WAKEUPS(6, "tx_onecopy_wakeups"),
        /** Rings accepted by the receiver. */
        RINGS(7, "onecopy_rings"),
        /** Checks of processes that have an address but may not be read. */
        REFUSED(8, "onecopy_refused");

        private final int index;
        private final String text;

        Count(int index, String text) {
            this.index = index;
            this.text = text;
        }

        /** {@return the index among the counters, from 0} */
        public int index() {
            return index;
        }

        /** {@return the name under which the counter is shown} */
        public String text() {
            return text;
        }
    }

    /** Adds to a counter. */
    void count(Count what, long n);

    /** Adds to a counter that no other thread adds to at the same time. */
    default void countAlone(Count what, long n) {
        count(what, n);
    }

    /** Sends a {@link Signal} datagram to an address; it may be lost. */
    void signal(Gid to, long kind, long address);
}
