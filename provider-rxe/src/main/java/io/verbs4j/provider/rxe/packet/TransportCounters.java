/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** What the transport of a port has counted. Any thread may read. Only what is out of the ordinary is counted. */
public final class TransportCounters {
    /** Packets for a queue pair that there is not. */
    public static final int UNKNOWN_QP = 0;

    /** Packets of another service than the queue pair's. */
    public static final int WRONG_SERVICE = 1;

    /** Packets with another partition key than the port's. */
    public static final int WRONG_PKEY = 2;

    /** Packets for a queue pair in a state that takes none. */
    public static final int WRONG_STATE = 3;

    /** Packets that did not come from the queue pair's peer, or did not come to its address. */
    public static final int WRONG_SOURCE = 4;

    /** Datagrams with another Q_Key than the queue pair's. */
    public static final int WRONG_QKEY = 5;

    /** Packets of UC and UD that found no receive work request. */
    public static final int NO_RECEIVE = 6;

    /** Packets of UC that belong to no message, or are not as they must be. */
    public static final int BAD_MESSAGE = 7;

    /** Requests that had come before. */
    public static final int DUPLICATE = 8;

    /** Duplicates that can't be answered any more. */
    public static final int STALE_DUPLICATE = 9;

    /** Requests that came while one before was missing. */
    public static final int OUT_OF_SEQUENCE = 10;

    /** Responses to what is not outstanding. */
    public static final int GHOST_RESPONSE = 11;

    /** NAKs sent for a sequence error. */
    public static final int SENT_SEQUENCE_NAK = 12;

    /** Receiver-not-ready NAKs sent. */
    public static final int SENT_RNR_NAK = 13;

    /** NAKs sent that end the connection. */
    public static final int SENT_FATAL_NAK = 14;

    /** NAKs received for a sequence error. */
    public static final int SEQUENCE_NAK = 15;

    /** Receiver-not-ready NAKs received. */
    public static final int RNR_NAK = 16;

    /** NAKs received that end the connection. */
    public static final int FATAL_NAK = 17;

    /** Responses that showed that an earlier one is missing. */
    public static final int IMPLIED_NAK = 18;

    /** Times that an answer did not come in time. */
    public static final int TIMEOUT = 19;

    /** Times that sending began again at an earlier packet. */
    public static final int GO_BACK = 20;

    /** Packets whose handling failed for a fault in this program. */
    public static final int FAILURE = 21;

    /** Reads and atomics that came, again or not, while the peer had more of them under way than any may have. */
    public static final int RESPONDER_FULL = 22;

    /** Messages of UC, and datagrams, that were longer than the receive work request, which stays. */
    public static final int TOO_LONG = 23;

    /** Datagrams to queue pair 1 that are no management packets by their length. */
    public static final int WRONG_MAD_LENGTH = 24;

    /** Spans of one copy that could not be copied: as packets that were lost. */
    public static final int LOST_SPAN = 25;

    private static final String[] NAMES = {
        "rx_drop_unknown_qp",
        "rx_drop_wrong_service",
        "rx_drop_wrong_pkey",
        "rx_drop_wrong_state",
        "rx_drop_wrong_source",
        "rx_drop_wrong_qkey",
        "rx_drop_no_receive",
        "rx_drop_bad_message",
        "rx_duplicate",
        "rx_drop_stale_duplicate",
        "rx_out_of_sequence",
        "rx_ghost_response",
        "tx_sequence_nak",
        "tx_rnr_nak",
        "tx_fatal_nak",
        "rx_sequence_nak",
        "rx_rnr_nak",
        "rx_fatal_nak",
        "rx_implied_nak",
        "timeouts",
        "go_backs",
        "failures",
        "rx_drop_responder_full",
        "rx_drop_too_long",
        "rx_drop_mad_length",
        "rx_drop_lost_span"
    };

    /** Not an {@code AtomicLongArray}, whose method handles a program's first message would wait for. */
    private final AtomicLong[] values = new AtomicLong[NAMES.length];

    TransportCounters() {
        for (int i = 0; i < values.length; i++) {
            values[i] = new AtomicLong();
        }
    }

    void count(int counter) {
        values[counter].getAndIncrement();
    }

    /** One counter, by a constant of this class. */
    public long get(int counter) {
        return values[counter].get();
    }

    /** All counters by name, in a fixed order. */
    public Map<String, Long> snapshot() {
        Map<String, Long> all = new LinkedHashMap<>();
        for (int i = 0; i < NAMES.length; i++) {
            all.put(NAMES[i], get(i));
        }
        return all;
    }

    @Override
    public String toString() {
        return snapshot().toString();
    }
}
