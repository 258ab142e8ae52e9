/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.share;

import io.verbs4j.Gid;

/** What a link does for one copy. Any thread may call. */
public interface Surroundings {
    /** What is counted. */
    enum Count {
        /** Records put into rings. */
        SENT(0, "tx_onecopy_records"),
        /** Bytes of packets and of payload that they brought or stood for. */
        SENT_BYTES(1, "tx_onecopy_bytes"),
        /** Packets dropped as a ring was full. */
        FULL(2, "tx_onecopy_drop_full"),
        /** Records taken. */
        RECEIVED(3, "rx_onecopy_records"),
        /** Bytes of packets and of payload that they brought or stood for. */
        RECEIVED_BYTES(4, "rx_onecopy_bytes"),
        /** Records that are not as they must be. */
        BAD(5, "rx_onecopy_drop_bad"),
        /** Datagrams sent to wake who waits. */
        WAKEUPS(6, "tx_onecopy_wakeups"),
        /** Rings that were accepted by the receiver. */
        RINGS(7, "onecopy_rings"),
        /** Looks at processes that have an address and must not be read. */
        REFUSED(8, "onecopy_refused");

        private final int index;
        private final String text;

        Count(int index, String text) {
            this.index = index;
            this.text = text;
        }

        /** Its place among them, from 0. */
        public int index() {
            return index;
        }

        /** What it is called where counters are shown. */
        public String text() {
            return text;
        }
    }

    /** Counts. */
    void count(Count what, long n);

    /** Sends a datagram of {@link Signal} to an address; it may be lost. */
    void signal(Gid to, long kind, long address);
}
