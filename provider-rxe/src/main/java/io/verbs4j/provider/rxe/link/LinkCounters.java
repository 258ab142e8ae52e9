/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import io.verbs4j.provider.rxe.share.Surroundings;
import io.verbs4j.provider.rxe.wire.Packet;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;

/** The counters of a link, starting when it was opened. Any thread may read them. */
public final class LinkCounters {
    /** Packets passed to the handler. */
    public static final int RX_PACKETS = 0;

    /** Bytes of these packets, as UDP payload. */
    public static final int RX_BYTES = 1;

    /** Datagrams too short for a packet. */
    public static final int RX_RUNT = 2;

    /** Datagrams longer than any packet. */
    public static final int RX_OVERSIZE = 3;

    /** Datagrams from an address family other than the link's, or from an unknown sender. */
    public static final int RX_BAD_SOURCE = 4;

    /** Packets that the system or the pipe had no room for, as far as it reports them. */
    public static final int RX_OVERRUN = 5;

    /** Errors of the receiving system call. */
    public static final int RX_ERRORS = 6;

    /** Packets sent. */
    public static final int TX_PACKETS = 7;

    /** Bytes of these packets, as UDP payload. */
    public static final int TX_BYTES = 8;

    /** Calls that sent them. */
    public static final int TX_BATCHES = 9;

    /** Packets not sent because the send buffer stayed full. */
    public static final int TX_FULL = 10;

    /** Packets not sent because they are too long for the interface or the path. */
    public static final int TX_TOO_LONG = 11;

    /** Packets not sent because the destination is unreachable. */
    public static final int TX_UNREACHABLE = 12;

    /** Packets not sent because of another error. */
    public static final int TX_ERRORS = 13;

    /** Packets not sent because the link was closed. */
    public static final int TX_CLOSED = 14;

    /** Batches that the system did not segment, so that they were sent packet by packet. */
    public static final int TX_UNSEGMENTED = 15;

    /** Packets that the handler rejected before their ICRC was checked. The handler counts the reason. */
    public static final int RX_UNWANTED = 16;

    /** Packets with a wrong ICRC. */
    public static final int RX_BAD_ICRC = 16 + Packet.BAD_ICRC;

    /**
     * Base of the counters of packets that {@link Packet#parse} rejected. The reason, which is at least 1, is added to
     * it.
     */
    static final int RX_REFUSED = 16;

    private static final String[] FIXED = {
        "rx_packets",
        "rx_bytes",
        "rx_drop_runt",
        "rx_drop_oversize",
        "rx_drop_bad_source",
        "rx_overrun",
        "rx_errors",
        "tx_packets",
        "tx_bytes",
        "tx_batches",
        "tx_drop_full",
        "tx_drop_too_long",
        "tx_drop_unreachable",
        "tx_drop_error",
        "tx_drop_closed",
        "tx_unsegmented",
        "rx_unwanted",
    };

    private static final int ONE_COPY = Surroundings.Count.values().length;

    /** Longs per counter, so that sending and receiving threads do not share cache lines. */
    private static final int STRIDE = 8;

    private final String[] names;
    private final AtomicLongArray values;

    private final LinkCounters base;

    /** Creates counters, all 0. */
    LinkCounters() {
        this(null);
    }

    /**
     * Creates counters, all 0, with further ones after those of every link.
     *
     * @param base counters that are added to these on every read, or null
     * @param further names of the further counters
     */
    LinkCounters(LinkCounters base, String... further) {
        this.base = base;
        List<String> all = new ArrayList<>(List.of(FIXED));
        for (int reason = 1; reason < Packet.REASON_COUNT; reason++) {
            all.add("rx_drop_"
                    + Packet.reasonName(reason).toLowerCase(Locale.ROOT).replace(' ', '_'));
        }
        for (Surroundings.Count counter : Surroundings.Count.values()) {
            all.add(counter.text());
        }
        all.addAll(List.of(further));
        names = all.toArray(String[]::new);
        values = new AtomicLongArray(names.length * STRIDE);
    }

    /** {@return the counters of a link that has counted nothing, by name} */
    public static Map<String, Long> none() {
        return new LinkCounters().snapshot();
    }

    /** {@return the index of the first further counter} */
    static int firstFurther() {
        return RX_REFUSED + Packet.REASON_COUNT + ONE_COPY;
    }

    /** Adds to a counter of one copy. */
    void add(Surroundings.Count counter, long n) {
        add(RX_REFUSED + Packet.REASON_COUNT + counter.index(), n);
    }

    /** As {@link #add(Surroundings.Count, long)}, for a counter that no other thread adds to at the same time. */
    void addAlone(Surroundings.Count counter, long n) {
        int at = (RX_REFUSED + Packet.REASON_COUNT + counter.index()) * STRIDE;
        values.setRelease(at, values.getPlain(at) + n);
    }

    void add(int counter, long n) {
        values.getAndAdd(counter * STRIDE, n);
    }

    /**
     * Returns a counter.
     *
     * @param counter a constant of this class
     * @return its value
     */
    public long get(int counter) {
        long own = values.get(counter * STRIDE);
        return base != null && counter < base.names.length ? own + base.get(counter) : own;
    }

    /**
     * Returns a counter by name.
     *
     * @param name one of the names in {@link #snapshot()}
     * @return its value
     * @throws IllegalArgumentException if the counter does not exist
     */
    public long get(String name) {
        for (int i = 0; i < names.length; i++) {
            if (names[i].equals(name)) {
                return get(i);
            }
        }
        throw new IllegalArgumentException(
                "no counter '" + name + "'; the counters are " + snapshot().keySet());
    }

    /**
     * Returns all counters.
     *
     * @return values by name, in a fixed order
     */
    public Map<String, Long> snapshot() {
        Map<String, Long> all = new LinkedHashMap<>();
        for (int i = 0; i < names.length; i++) {
            all.put(names[i], get(i));
        }
        return all;
    }

    @Override
    public String toString() {
        return snapshot().toString();
    }
}
