/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.datagram;

/** Where the fields of a packet's header are, in bytes; little-endian. The payload is behind it. */
final class PacketLayout {
    /** Size of the header. */
    static final int SIZE = 40;

    /** Token of the connection that the receiver has chosen: packets with another one are dropped. */
    static final int TOKEN = 0;

    /** What the packet is: a kind of this class. */
    static final int KIND = 8;

    /** Bits of this class. */
    static final int FLAGS = 9;

    /** Bytes of the payload. */
    static final int LENGTH = 10;

    /** Number of the packet, of WRITE and SEND. Numbers wrap. */
    static final int SEQUENCE = 12;

    /** All packets before this number have been taken. */
    static final int ACKNOWLEDGED = 16;

    /** Of WRITE: where the bytes go. Of RESET: why, a reason of this class. */
    static final int KEY = 20;

    /** Of WRITE: where the bytes go. Of ACK: bit i is set where the packet ACKNOWLEDGED + 1 + i has come. */
    static final int ADDRESS = 24;

    /** Of WRITE with TELL: the value. */
    static final int IMMEDIATE = 32;

    /** A part of a write. */
    static final int WRITE = 1;

    /** A part of a message. */
    static final int SEND = 2;

    /** Says only what has come. */
    static final int ACK = 3;

    /** Asks for an ACK. */
    static final int PING = 4;

    /** The connection has ended at the other side. */
    static final int RESET = 5;

    /** The last part of its request. */
    static final int LAST = 1;

    /** A write that ends with a value for the receiver. */
    static final int TELL = 2;

    /** Reason of a RESET: the other side has ended the connection. */
    static final int ENDED = 0;

    /** Reason of a RESET: the packet ACKNOWLEDGED asks for what the receiver does not allow. */
    static final int REFUSED = 1;

    private PacketLayout() {}
}
