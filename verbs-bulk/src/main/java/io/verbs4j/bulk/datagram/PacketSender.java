/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.datagram;

import io.verbs4j.bulk.control.ControlLayout;
import java.nio.ByteBuffer;

/** Cuts requests into packets and sends them; also sends acknowledgements. Reuses the header places. */
final class PacketSender {
    /** Room for the headers of a packet and of a message. */
    static final int HEADER_STRIDE = 128;

    /** Places that data packets leave to other packets. */
    private static final int RESERVED = 2;

    /** Kind of a place: an unnumbered packet. */
    private static final int UNNUMBERED = 0;

    private static final int NUMBERED = 1;

    /** Kind of a place: a request for the peer's memory. */
    private static final int DIRECT = 2;

    /** Returned by {@link #completed} for a datagram. */
    static final int NO_REQUEST = -1;

    private final Wire wire;
    private final DatagramSlots slots;
    private final RequestQueue requests;
    private final SendWindow window;
    private final int payload;
    private final int[] free;
    private final int[] sequences;
    private final int[] kinds;
    private int freeCount;

    /** Number of requests for the peer's memory in flight. */
    private int directCount;

    /** Token in packets to the peer. */
    private final long token;

    PacketSender(Wire wire, DatagramSlots slots, RequestQueue requests, SendWindow window, int mtu, long token) {
        this.wire = wire;
        this.slots = slots;
        this.requests = requests;
        this.window = window;
        this.token = token;
        payload = mtu - PacketLayout.SIZE;
        if (payload < ControlLayout.SIZE) {
            throw new IllegalArgumentException("datagrams of " + mtu + " bytes are too short");
        }
        free = new int[wire.sends()];
        sequences = new int[free.length];
        kinds = new int[free.length];
        while (freeCount < free.length) {
            free[freeCount] = freeCount++;
        }
    }

    /** Whether the send queue is empty. */
    boolean isIdle() {
        return freeCount == free.length;
    }

    /**
     * Frees a place. Returns the number of its request for the peer's memory, or {@link #NO_REQUEST} for a datagram.
     */
    int completed(int place) {
        free[freeCount++] = place;
        if (kinds[place] == DIRECT) {
            directCount--;
            return sequences[place] & Integer.MAX_VALUE;
        }
        if (kinds[place] == NUMBERED) {
            window.completed(sequences[place]);
        }
        return NO_REQUEST;
    }

    /** Sends lost packets again, then as many new ones as the window allows. Returns 0 or an errno. */
    int sendData(int acknowledged) {
        while (window.hasLost() && freeCount > RESERVED) {
            int sequence = window.firstLost();
            if (sequence == window.next()) {
                break;
            }
            int errno = transmit(sequence, acknowledged);
            if (errno != 0) {
                return errno;
            }
        }
        while (requests.hasUnsent() && freeCount > RESERVED && mayBeSent(requests.unsent())) {
            int errno = requests.isDirect(requests.unsent()) ? sendDirectly() : sendNext(acknowledged);
            if (errno != 0) {
                return errno;
            }
        }
        return 0;
    }

    /** Holds datagrams back while requests for memory are in flight, because the device does those in any order. */
    private boolean mayBeSent(int request) {
        if (requests.isDirect(request)) {
            return !requests.isFenced(request) || requests.isOldest(request);
        }
        return directCount == 0 && window.hasRoom();
    }

    private int sendNext(int acknowledged) {
        int request = requests.unsent();
        int offset = requests.sentBytes();
        int length = Math.min(payload, requests.total(request) - offset);
        int sequence = window.add(request, offset, length);
        requests.sent(length, sequence + 1);
        return transmit(sequence, acknowledged);
    }

    private int sendDirectly() {
        int request = requests.unsent();
        int place = take(DIRECT, request);
        requests.sentDirectly();
        directCount++;
        int lkey = requests.lkey(request);
        long address = requests.address(request);
        int length = requests.total(request);
        int rkey = requests.rkey(request);
        long remote = requests.remoteAddress(request);
        return requests.kind(request) == RequestQueue.DIRECT_WRITE
                ? wire.write(place, lkey, address, length, rkey, remote)
                : wire.read(place, lkey, address, length, rkey, remote);
    }

    private int transmit(int sequence, int acknowledged) {
        int request = window.request(sequence);
        int offset = window.offset(sequence);
        int length = window.length(sequence);
        boolean last = offset + length == requests.total(request);
        boolean write = requests.kind(request) == PacketLayout.WRITE;
        int place = take(NUMBERED, sequence);
        int flags = (last ? PacketLayout.LAST : 0) | (requests.tells(request) ? PacketLayout.TELL : 0);
        int at = header(place, requests.kind(request), flags, length, sequence, acknowledged);
        ByteBuffer headers = wire.headers();
        headers.putInt(at + PacketLayout.KEY, requests.rkey(request));
        headers.putLong(at + PacketLayout.ADDRESS, write ? requests.remoteAddress(request) + offset : 0);
        headers.putInt(at + PacketLayout.IMMEDIATE, requests.value(request));
        int copied = Math.max(0, Math.min(requests.headerLength(request) - offset, length));
        if (copied > 0) {
            headers.put(at + PacketLayout.SIZE, slots.bytes(), requests.headerAt(request) + offset, copied);
        }
        window.posted(sequence);
        long address = requests.address(request) + Math.max(0, offset - requests.headerLength(request));
        return wire.send(place, PacketLayout.SIZE + copied, requests.lkey(request), address, length - copied);
    }

    /** Sends an unnumbered packet if a place is free. Returns whether it was sent. */
    boolean sendOther(int kind, int reason, int acknowledged, long early) {
        if (freeCount == 0) {
            return false;
        }
        int place = take(UNNUMBERED, 0);
        int at = header(place, kind, 0, 0, 0, acknowledged);
        wire.headers().putInt(at + PacketLayout.KEY, reason).putLong(at + PacketLayout.ADDRESS, early);
        wire.headers().putInt(at + PacketLayout.IMMEDIATE, 0);
        return wire.send(place, PacketLayout.SIZE, 0, 0, 0) == 0;
    }

    private int take(int kind, int sequence) {
        int place = free[--freeCount];
        kinds[place] = kind;
        sequences[place] = sequence;
        return place;
    }

    private int header(int place, int kind, int flags, int length, int sequence, int acknowledged) {
        int at = place * HEADER_STRIDE;
        ByteBuffer headers = wire.headers();
        headers.putLong(at + PacketLayout.TOKEN, token);
        headers.put(at + PacketLayout.KIND, (byte) kind);
        headers.put(at + PacketLayout.FLAGS, (byte) flags);
        headers.putShort(at + PacketLayout.LENGTH, (short) length);
        headers.putInt(at + PacketLayout.SEQUENCE, sequence);
        headers.putInt(at + PacketLayout.ACKNOWLEDGED, acknowledged);
        return at;
    }
}
