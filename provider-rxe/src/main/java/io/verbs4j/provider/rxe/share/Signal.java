/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.share;

/** Datagrams that are no packets, between sockets of devices: what, and an address in the sender's memory. In network order. */
public final class Signal {
    /** What they begin with: no opcode of a packet. */
    public static final long MAGIC = 0x7634_6a2d_7369_676eL; // "v4j-sign"

    /** Length of one: magic, kind, address. */
    public static final int LENGTH = 24;

    /** There is something in a ring. */
    public static final long WAKE = 1;

    /** A ring is offered; its description lies at the address. */
    public static final long RING = 2;

    /** Nothing: whether the datagram finds a socket is what its sender wants to know. */
    public static final long HELLO = 3;

    private Signal() {}
}
