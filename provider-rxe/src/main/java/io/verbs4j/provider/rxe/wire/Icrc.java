/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.wire;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/**
 * The invariant CRC of RoCE v2, over IPv4 and IPv6.
 *
 * <p>It is Ethernet's CRC-32 over what no router may change: eight bytes of ones (where InfiniBand has its link header), the
 * IP and UDP headers and the packet, in which all that may change counts as ones. It follows the padding, lowest byte
 * first.
 *
 * <pre>{@code
 * IPv4  | 45 | TOS=ff | total length | identification | flags, fragment=4000 | TTL=ff | 17 | checksum=ffff | addresses |
 * IPv6  | version 6, traffic class and flow label=ones | payload length | 17 | hop limit=ff | addresses |
 * UDP   | source port | destination port | length | checksum=ffff |
 * BTH   | as sent, but byte 4 (congestion marks, reserved)=ff | all that follows as sent, padding included |
 * }</pre>
 *
 * <p><b>The IPv4 identification</b> is covered, and a UDP socket does not show it to the receiver. An unconnected Linux socket
 * that forbids fragments sends 0 (with segmentation offload 0, 1, 2 ...), so that is tried first. For any other sender,
 * such as the kernel's rxe or an adapter, {@link #verify} solves for it: a CRC is linear, so what the CRC received differs
 * by must be the difference that some 16-bit identification makes, carried on over the bytes behind it. Multiplying by a
 * negative power of x takes those bytes back; the packet is accepted if and only if the rest fits in the field's 16 bits.
 *
 * <p><b>What strength that leaves:</b> 32 bits of check, 16 of which find the identification, leave 16 to detect errors: a packet
 * of random damage passes with a probability of 2^-16 instead of 2^-32, on top of the checksum of UDP (if its sender
 * computes one: the kernel's rxe does not) and of Ethernet. Strict mode takes identifications of our own senders only, 0 to
 * {@value #MAX_STRICT_ID}, which leaves 2^-26. See {@code docs/internals/icrc.md}.
 *
 * <p><b>A FLUSH of the kernel's rxe</b> (Linux 6.2 to 7.2) counts twice: its table of opcodes has no place for a payload there, so that
 * behind the headers it takes the whole packet for one, from the BTH on and with nothing masked. On receipt both are taken; {@code
 * RequestWriter} finds out which the peer takes.
 *
 * <p>An instance belongs to one thread at a time. Nothing is allocated after construction.
 */
public final class Icrc {
    /** Number of bytes. */
    public static final int LENGTH = 4;

    /** The largest IPv4 identification that is taken in strict mode. */
    public static final int MAX_STRICT_ID = 63;

    /** {@link #solvedId()} after a packet that was refused. */
    public static final int NO_ID = -1;

    /** The largest packet: an IPv4 datagram has a length of 16 bits. */
    public static final int MAX_PACKET_LENGTH = 0xffff - Pseudo.IPV4_LENGTH - Pseudo.UDP_LENGTH;

    private static final int MAX_ID = 0xffff;
    private static final int OPCODE = 0xff;
    private static final int BTH_RESERVED_BYTE = 4;

    private final CRC32 crc = new CRC32();
    private final ByteBuffer scratch = ByteBuffer.allocateDirect(Pseudo.PACKET_OFFSET + MAX_PACKET_LENGTH);
    private final int maxId;
    private int solvedId = NO_ID;

    // What the next packet is taken to have.
    private int lastId;
    private int step;
    private int expectedId;

    /** Makes one that takes any IPv4 identification. */
    public Icrc() {
        this(false);
    }

    /**
     * Makes one.
     *
     * @param strict whether only identifications of our own senders are taken, 0 to {@link #MAX_STRICT_ID}
     */
    public Icrc(boolean strict) {
        maxId = strict ? MAX_STRICT_ID : MAX_ID;
    }

    /**
     * Computes the CRC of a packet and writes it behind the packet. It is IPv4 where both addresses are IPv4 mapped.
     *
     * @param b big-endian buffer with room for {@link #LENGTH} bytes behind the packet
     * @param offset of the BTH in it
     * @param lengthWithoutIcrc BTH to padding
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
     * As that, or in the way that the kernel's rxe has of a FLUSH.
     *
     * @param b big-endian buffer with room for {@link #LENGTH} bytes behind the packet
     * @param offset of the BTH in it
     * @param lengthWithoutIcrc BTH to padding
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
     * Checks the CRC of a packet; that of a FLUSH may be as the kernel's rxe has it.
     *
     * @param b big-endian buffer
     * @param offset of the BTH in it
     * @param lengthWithIcrc BTH to ICRC
     * @param srcHigh upper half of the sender's address
     * @param srcLow lower half of the sender's address
     * @param dstHigh upper half of the receiver's address
     * @param dstLow lower half of the receiver's address
     * @param srcPort UDP port of the sender
     * @param dstPort UDP port of the receiver
     * @return true where it fits; false where not, or where the length cannot be that of a packet
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

    /** Identifications stay, or count up: what was right last time says which. A wrong guess costs time, nothing else. */
    private void expectNext(int id) {
        if (id == lastId || id == lastId + 1) {
            step = id - lastId;
        }
        lastId = id;
        expectedId = id + step <= maxId ? id + step : 0;
    }

    /**
     * The IPv4 identification of the packet verified last.
     *
     * @return 0 to 65535, 0 for a packet of IPv6, {@link #NO_ID} where the packet was refused
     */
    public int solvedId() {
        return solvedId;
    }

    /** Finds the identification that explains the difference from the one that was guessed. */
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
        // The copy costs some 15 ns in 4 KiB, and lets every buffer do without a duplicate or a change of its position.
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
