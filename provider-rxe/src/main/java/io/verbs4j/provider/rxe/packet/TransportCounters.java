/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** The counters of a port's transport, which count only what is out of the ordinary. Any thread may read them. */
public final class TransportCounters {
    /** Packets for a queue pair that does not exist. */
    public static final int UNKNOWN_QP = 0;

    /** Packets of another service than the queue pair's. */
    public static final int WRONG_SERVICE = 1;

    /** Packets with another partition key than the port's. */
    public static final int WRONG_PKEY = 2;

    /** Packets for a queue pair in a state that accepts none. */
    public static final int WRONG_STATE = 3;

    /** Packets that were not sent by the queue pair's peer, or not to its address. */
    public static final int WRONG_SOURCE = 4;

    /** Datagrams with another Q_Key than the queue pair's. */
    public static final int WRONG_QKEY = 5;

    /** Packets of UC and UD for which there was no receive work request. */
    public static final int NO_RECEIVE = 6;

    /** Packets of UC that belong to no message or are invalid. */
    public static final int BAD_MESSAGE = 7;

    /** Repeated requests. */
    public static final int DUPLICATE = 8;

    /** Repeated requests that can't be answered any more. */
    public static final int STALE_DUPLICATE = 9;

    /** Requests that arrived while an earlier one was missing. */
    public static final int OUT_OF_SEQUENCE = 10;

    /** Responses to requests that are not outstanding. */
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

    /** Answers that did not arrive in time. */
    public static final int TIMEOUT = 19;

    /** Times that sending went back to an earlier packet. */
    public static final int GO_BACK = 20;

    /** Packets whose handling failed, by a fault in this program or a lack of memory. */
    public static final int FAILURE = 21;

    /**
     * Reads and atomics dropped, new or repeated, while the peer had more outstanding than allowed; also requests
     * dropped because too many waited to be handed to another thread.
     */
    public static final int RESPONDER_FULL = 22;

    /** Messages of UC, and datagrams, that were longer than the receive work request, which is kept. */
    public static final int TOO_LONG = 23;

    /** Datagrams to queue pair 1 whose length is not that of a management packet. */
    public static final int WRONG_MAD_LENGTH = 24;

    /** Spans of one copy that could not be copied, treated like lost packets. */
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

    /** Not an {@code AtomicLongArray}, whose method handles would delay a program's first message. */
    private final AtomicLong[] values = new AtomicLong[NAMES.length];

    TransportCounters() {
        for (int i = 0; i < values.length; i++) {
            values[i] = new AtomicLong();
        }
    }

    void count(int counter) {
        values[counter].getAndIncrement();
    }

    /** Returns one counter, by a constant of this class. */
    public long get(int counter) {
        return values[counter].get();
    }

    /** {@return all counters by name, in a fixed order} */
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
