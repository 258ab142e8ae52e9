/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.wire;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/**
 * The invariant CRC of RoCE v2, over IPv4 and IPv6.
 *
 * <p>It is Ethernet's CRC-32 over everything that no router may change: eight bytes of ones (where InfiniBand has its
 * link header), the IP and UDP headers and the packet, in which everything that may change counts as ones. It follows
 * the padding, lowest byte first.
 *
 * <pre>{@code
 * IPv4  | 45 | TOS=ff | total length | identification | flags, fragment=4000 | TTL=ff | 17 | checksum=ffff | addresses
 * IPv6  | version 6, traffic class and flow label=ones | payload length | 17 | hop limit=ff | addresses |
 * UDP   | source port | destination port | length | checksum=ffff |
 * BTH   | as sent, but byte 4 (congestion marks, reserved)=ff | all that follows as sent, padding included |
 * }</pre>
 *
 * <p><b>The IPv4 identification</b> is covered, but a UDP socket does not reveal it to the receiver. An unconnected
 * Linux socket that forbids fragments sends 0 (with segmentation offload 0, 1, 2 ...), so that is tried first. For any
 * other sender, such as the kernel's rxe or an adapter, {@link #verify} solves for it: a CRC is linear, so the
 * difference from the received CRC must be the one that some 16-bit identification makes, carried on over the bytes
 * behind it. Multiplying by a negative power of x undoes those bytes; the packet is accepted if and only if the rest
 * fits into the field's 16 bits.
 *
 * <p><b>The remaining strength:</b> 16 of the 32 check bits find the identification, which leaves 16 to detect errors:
 * a packet with random damage passes with a probability of 2^-16 instead of 2^-32, in addition to the checksums of UDP
 * (if its sender computes one: the kernel's rxe does not) and of Ethernet. Strict mode accepts only the identifications
 * of our own senders, 0 to {@value #MAX_STRICT_ID}, which leaves 2^-26. See {@code docs/internals/icrc.md}.
 *
 * <p><b>In a FLUSH of the kernel's rxe</b> (Linux 6.2 to 7.2) the packet counts twice: its opcode table has no payload
 * offset there, so that behind the headers it takes the whole packet as payload, from the BTH on and unmasked. On
 * receipt both forms are accepted; {@code RequestWriter} finds out which one the peer accepts.
 *
 * <p>An instance is for one thread at a time. Allocates nothing after construction.
 */
public final class Icrc {
    /** Length in bytes. */
    public static final int LENGTH = 4;

    /** The largest IPv4 identification that strict mode accepts. */
    public static final int MAX_STRICT_ID = 63;

    /** The value of {@link #solvedId()} after a packet was rejected. */
    public static final int NO_ID = -1;

    /** The maximum packet length: an IPv4 datagram has a 16-bit length. */
    public static final int MAX_PACKET_LENGTH = 0xffff - Pseudo.IPV4_LENGTH - Pseudo.UDP_LENGTH;

    private static final int MAX_ID = 0xffff;
    private static final int OPCODE = 0xff;
    private static final int BTH_RESERVED_BYTE = 4;

    private final CRC32 crc = new CRC32();
    private final ByteBuffer scratch = ByteBuffer.allocateDirect(Pseudo.PACKET_OFFSET + MAX_PACKET_LENGTH);
    private final int maxId;
    private int solvedId = NO_ID;

    // What the next packet is expected to have.
    private int lastId;
    private int step;
    private int expectedId;

    /** Creates an instance that accepts any IPv4 identification. */
    public Icrc() {
        this(false);
    }

    /**
     * Creates an instance.
     *
     * @param strict whether to accept only identifications of our own senders, 0 to {@link #MAX_STRICT_ID}
     */
    public Icrc(boolean strict) {
        maxId = strict ? MAX_STRICT_ID : MAX_ID;
    }

    /**
     * Computes the CRC of a packet and writes it behind the packet. The packet is IPv4 if both addresses are
     * IPv4-mapped.
     *
     * @param b big-endian buffer with room for {@link #LENGTH} bytes behind the packet
     * @param offset index of the BTH in the buffer
     * @param lengthWithoutIcrc length from BTH to padding
     * @param srcHigh upper half of the sender's address
     * @param srcLow lower half of the sender's address
     * @param dstHigh upper half of the receiver's address
     * @param dstLow lower half of the receiver's address
     * @param srcPort UDP port of the sender
     * @param dstPort UDP port of the receiver
     * @param ipId the identification that IPv4 will send: 0 from an unconnected socket
     */
    public void append(
            ByteBuffer b,
            int offset,
            int lengthWithoutIcrc,
            long srcHigh,
            long srcLow,
            long dstHigh,
            long dstLow,
            int srcPort,
            int dstPort,
            int ipId) {
        append(b, offset, lengthWithoutIcrc, srcHigh, srcLow, dstHigh, dstLow, srcPort, dstPort, ipId, false);
    }

    /**
     * Computes and writes the CRC of a packet, optionally in the way of the kernel's rxe for a FLUSH.
     *
     * @param b big-endian buffer with room for {@link #LENGTH} bytes behind the packet
     * @param offset index of the BTH in the buffer
     * @param lengthWithoutIcrc length from BTH to padding
     * @param srcHigh upper half of the sender's address
     * @param srcLow lower half of the sender's address
     * @param dstHigh upper half of the receiver's address
     * @param dstLow lower half of the receiver's address
     * @param srcPort UDP port of the sender
     * @param dstPort UDP port of the receiver
     * @param ipId the identification that IPv4 will send: 0 from an unconnected socket
     * @param twice whether the whole packet counts a second time, as it was sent
     */
    public void append(
            ByteBuffer b,
            int offset,
            int lengthWithoutIcrc,
            long srcHigh,
            long srcLow,
            long dstHigh,
            long dstLow,
            int srcPort,
            int dstPort,
            int ipId,
            boolean twice) {
        int value =
                compute(b, offset, lengthWithoutIcrc, srcHigh, srcLow, dstHigh, dstLow, srcPort, dstPort, ipId, twice);
        b.putInt(offset + lengthWithoutIcrc, Integer.reverseBytes(value));
    }

    /**
     * Checks the CRC of a packet; that of a FLUSH may be in the form of the kernel's rxe.
     *
     * @param b big-endian buffer
     * @param offset index of the BTH in the buffer
     * @param lengthWithIcrc length from BTH to ICRC
     * @param srcHigh upper half of the sender's address
     * @param srcLow lower half of the sender's address
     * @param dstHigh upper half of the receiver's address
     * @param dstLow lower half of the receiver's address
     * @param srcPort UDP port of the sender
     * @param dstPort UDP port of the receiver
     * @return true if it matches; false if not, or if the length is impossible for a packet
     */
    public boolean verify(
            ByteBuffer b,
            int offset,
            int lengthWithIcrc,
            long srcHigh,
            long srcLow,
            long dstHigh,
            long dstLow,
            int srcPort,
            int dstPort) {
        solvedId = NO_ID;
        if (lengthWithIcrc < Packet.MIN_LENGTH
                || lengthWithIcrc > MAX_PACKET_LENGTH
                || offset < 0
                || offset > b.limit() - lengthWithIcrc) {
            return false;
        }
        int length = lengthWithIcrc - LENGTH;
        check(b, offset, length, srcHigh, srcLow, dstHigh, dstLow, srcPort, dstPort, false);
        if (solvedId == NO_ID && (b.get(offset) & OPCODE) == Opcode.RC_FLUSH) {
            check(b, offset, length, srcHigh, srcLow, dstHigh, dstLow, srcPort, dstPort, true);
        }
        return solvedId != NO_ID;
    }

    private void check(
            ByteBuffer b,
            int offset,
            int length,
            long srcHigh,
            long srcLow,
            long dstHigh,
            long dstLow,
            int srcPort,
            int dstPort,
            boolean twice) {
        boolean ipv4 = IpAddresses.isIpv4(srcHigh, srcLow, dstHigh, dstLow);
        int guess = ipv4 ? expectedId : 0;
        int computed = compute(b, offset, length, srcHigh, srcLow, dstHigh, dstLow, srcPort, dstPort, guess, twice);
        int difference = computed ^ Integer.reverseBytes(b.getInt(offset + length));
        if (difference == 0) {
            solvedId = guess;
        } else if (ipv4) {
            solvedId = solve(difference, twice ? 2 * length : length, guess);
        }
        if (ipv4 && solvedId != NO_ID) {
            expectNext(solvedId);
        }
    }

    /**
     * Predicts the next identification: they stay the same or count up, as shown by the last ones. A wrong guess only
     * costs time.
     */
    private void expectNext(int id) {
        if (id == lastId || id == lastId + 1) {
            step = id - lastId;
        }
        lastId = id;
        expectedId = id + step <= maxId ? id + step : 0;
    }

    /**
     * {@return the IPv4 identification of the last verified packet, 0 to 65535; 0 for IPv6, {@link #NO_ID} if the
     * packet was rejected}
     */
    public int solvedId() {
        return solvedId;
    }

    /** Finds the identification that explains the difference from the guessed one. */
    private int solve(int difference, int length, int guess) {
        int field = CrcPowers.back(difference, Pseudo.BYTES_FROM_IPV4_ID + length);
        if ((field & ~MAX_ID) != 0) {
            return NO_ID;
        }
        // The CRC takes the lowest bits first, so the first byte of the field is the lower one here.
        int id = guess ^ Short.toUnsignedInt(Short.reverseBytes((short) field));
        return id <= maxId ? id : NO_ID;
    }

    private int compute(
            ByteBuffer b,
            int offset,
            int length,
            long srcHigh,
            long srcLow,
            long dstHigh,
            long dstLow,
            int srcPort,
            int dstPort,
            int ipId,
            boolean twice) {
        int start = IpAddresses.isIpv4(srcHigh, srcLow, dstHigh, dstLow)
                ? Pseudo.ipv4(scratch, length + LENGTH, (int) srcLow, (int) dstLow, ipId)
                : Pseudo.ipv6(scratch, length + LENGTH, srcHigh, srcLow, dstHigh, dstLow);
        Pseudo.udp(scratch, length + LENGTH, srcPort, dstPort);
        // The copy costs about 15 ns for 4 KiB, and avoids duplicating each buffer or changing its position.
        scratch.put(Pseudo.PACKET_OFFSET, b, offset, length);
        scratch.put(Pseudo.PACKET_OFFSET + BTH_RESERVED_BYTE, (byte) 0xff);
        crc.reset();
        crc.update(scratch.limit(Pseudo.PACKET_OFFSET + length).position(start));
        if (twice) {
            scratch.clear().put(Pseudo.PACKET_OFFSET, b, offset, length);
            crc.update(scratch.limit(Pseudo.PACKET_OFFSET + length).position(Pseudo.PACKET_OFFSET));
        }
        scratch.clear();
        return (int) crc.getValue();
    }
}
