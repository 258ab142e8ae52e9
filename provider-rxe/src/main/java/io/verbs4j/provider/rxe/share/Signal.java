/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.share;

/**
 * Datagrams between sockets of devices that are not packets: a kind, and an address in the sender's memory. In network
 * byte order.
 */
public final class Signal {
    /** The first word, which is no opcode of a packet. */
    public static final long MAGIC = 0x7634_6a2d_7369_676eL; // "v4j-sign"

    /** Size of a datagram: magic, kind, address. */
    public static final int LENGTH = 24;

    /** A ring has records. */
    public static final long WAKE = 1;

    /** A ring is offered; its description lies at the address. */
    public static final long RING = 2;

    /** No message: the sender only wants to know whether the datagram reaches a socket. */
    public static final long HELLO = 3;

    private Signal() {}
}
