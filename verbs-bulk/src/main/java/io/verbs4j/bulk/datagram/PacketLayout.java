/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.datagram;

/** Field offsets of a packet's header in bytes; little-endian. The payload follows the header. */
final class PacketLayout {
    /** Size of the header. */
    static final int SIZE = 40;

    /** Token of the connection, chosen by the receiver, which drops packets with any other token. */
    static final int TOKEN = 0;

    /** Kind of the packet, one of this class. */
    static final int KIND = 8;

    /** Flags, bits of this class. */
    static final int FLAGS = 9;

    /** Number of bytes of the payload. */
    static final int LENGTH = 10;

    /** In WRITE and SEND: the packet's number. Numbers wrap. */
    static final int SEQUENCE = 12;

    /** All packets before this number have been accepted. */
    static final int ACKNOWLEDGED = 16;

    /** In WRITE: key of the target memory. In RESET: a reason of this class. */
    static final int KEY = 20;

    /** In WRITE: target address. In ACK: bit i is set if packet ACKNOWLEDGED + 1 + i has arrived. */
    static final int ADDRESS = 24;

    /** In WRITE with TELL: the value. */
    static final int IMMEDIATE = 32;

    /** A part of a write. */
    static final int WRITE = 1;

    /** A part of a message. */
    static final int SEND = 2;

    /** Only acknowledges packets. */
    static final int ACK = 3;

    /** Asks for an ACK. */
    static final int PING = 4;

    /** Reports that the other side has ended the connection. */
    static final int RESET = 5;

    /** The last part of its request. */
    static final int LAST = 1;

    /** A write that ends with a value for the receiver. */
    static final int TELL = 2;

    /** Reason of a RESET: the other side has ended the connection. */
    static final int ENDED = 0;

    /** Reason of a RESET: the packet ACKNOWLEDGED asks for something that the receiver does not allow. */
    static final int REFUSED = 1;

    private PacketLayout() {}
}
