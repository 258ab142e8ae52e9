/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.wire;

import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.rxe.memory.RemoteMemory;
import java.nio.ByteBuffer;

/**
 * A received packet: a reusable view of the UDP payload from BTH to ICRC, and of the addresses it came with.
 *
 * <pre>{@code
 * offset          payloadOffset
 *   |                   |<- payloadLength ->|<- padCount ->|
 *   +-----+------------+---------------------+--------------+------+
 *   | BTH | extensions |       payload       |   padding    | ICRC |
 *   +-----+------------+---------------------+--------------+------+
 *   |<------------------------- length --------------------------->|
 * }</pre>
 *
 * <p>Bad input is a drop reason, never an exception. Getters read the buffer when called: they return the values of the
 * last packet for which {@link #parse} returned {@link #OK}, until the buffer is used for another one. The getter of a
 * header that the opcode does not have returns an arbitrary value, or fails like any access beyond the buffer. Not
 * thread-safe.
 */
// More than 30 public methods because each field of each header of a packet is one.
public final class Packet {
    /** Result of a check: the packet is well formed. */
    public static final int OK = 0;

    /** Result of a check: shorter than its headers and ICRC, or outside the buffer. */
    public static final int TRUNCATED = 1;

    /** Result of a check: a BTH version other than 0. */
    public static final int BAD_VERSION = 2;

    /** Result of a check: an opcode that {@link Opcode} does not have. */
    public static final int UNKNOWN_OPCODE = 3;

    /**
     * Result of a check: payload and padding are not a multiple of four bytes, or the padding is longer than what
     * follows the headers.
     */
    public static final int BAD_PAD = 4;

    /** Result of a check: bytes after the headers of a packet without a payload. */
    public static final int BAD_LENGTH = 5;

    /** Result of a check: a partition key other than the port's; not checked here. */
    public static final int BAD_PKEY = 6;

    /** Result of a check: a {@link Opcode#CNP}, which this device ignores. */
    public static final int CONGESTION_NOTIFICATION = 7;

    /** Result of a check: the invariant CRC does not match; not checked here, see {@link Icrc}. */
    public static final int BAD_ICRC = 8;

    /** Number of reasons, which are 0 to this number minus 1. */
    public static final int REASON_COUNT = 9;

    /** Length of the smallest packet: BTH and ICRC. */
    public static final int MIN_LENGTH = Bth.LENGTH + Icrc.LENGTH;

    private static final int ALIGNMENT_MASK = 3;
    private static final String[] REASON_NAMES = {
        "ok",
        "truncated",
        "header version",
        "unknown opcode",
        "padding",
        "length",
        "partition key",
        "congestion notification",
        "ICRC"
    };

    private ByteBuffer buffer = ByteBuffer.allocate(0);

    /** The buffer that {@link #address} belongs to, so that it is not determined for each packet. */
    private ByteBuffer addressed;

    private long address;
    private int offset;
    private int length;
    private int opcode;
    private int padCount;
    private int extension;
    private int payloadOffset;
    private int payloadLength;
    private long sourceGidHigh;
    private long sourceGidLow;
    private long destinationGidHigh;
    private long destinationGidLow;
    private int sourcePort;
    private RemoteMemory remote;
    private boolean mayHaveReceipt;
    private boolean hasReceipt;

    /** Creates a view without a packet. */
    public Packet() {}

    /**
     * {@return the name of a drop reason, for counters and messages}
     *
     * @param reason result of {@link #parse}
     */
    public static String reasonName(int reason) {
        return reason >= 0 && reason < REASON_COUNT ? REASON_NAMES[reason] : "reason " + reason;
    }

    /**
     * Sets the packet and checks its form. Checks that depend on a queue pair are left to it: partition key, path MTU,
     * order.
     *
     * @param buffer big-endian buffer
     * @param offset index of the BTH in the buffer
     * @param length length of the UDP payload, BTH to ICRC
     * @return {@link #OK}, or the reason to drop the packet; in that case this view is unchanged
     */
    public int parse(ByteBuffer buffer, int offset, int length) {
        if (length < MIN_LENGTH || offset < 0 || offset > buffer.limit() - length) {
            return TRUNCATED;
        }
        if (Bth.version(buffer, offset) != Bth.VERSION) {
            return BAD_VERSION;
        }
        int opcode = Bth.opcode(buffer, offset);
        int headers = Opcode.headerLength(opcode);
        if (headers < 0) {
            return opcode == Opcode.CNP ? CONGESTION_NOTIFICATION : UNKNOWN_OPCODE;
        }
        int body = length - headers - Icrc.LENGTH;
        if (body < 0) {
            return TRUNCATED;
        }
        int pad = Bth.padCount(buffer, offset);
        if (body != 0 && !Opcode.hasPayload(opcode)) {
            return BAD_LENGTH;
        }
        if (pad > body || (body & ALIGNMENT_MASK) != 0) {
            return BAD_PAD;
        }
        this.buffer = buffer;
        this.offset = offset;
        this.length = length;
        this.opcode = opcode;
        padCount = pad;
        extension = offset + Bth.LENGTH + (Opcode.hasXrceth(opcode) ? Xrceth.LENGTH : 0);
        payloadOffset = offset + headers;
        payloadLength = body - pad;
        remote = null;
        mayHaveReceipt = false;
        hasReceipt = false;
        return OK;
    }

    /**
     * Sets the source of the packet.
     *
     * @param gidHigh upper half of the GID
     * @param gidLow lower half of the GID
     * @param udpPort UDP port
     */
    public void source(long gidHigh, long gidLow, int udpPort) {
        sourceGidHigh = gidHigh;
        sourceGidLow = gidLow;
        sourcePort = udpPort;
    }

    /**
     * Sets the destination of the packet.
     *
     * @param gidHigh upper half of the GID
     * @param gidLow lower half of the GID
     */
    public void destination(long gidHigh, long gidLow) {
        destinationGidHigh = gidHigh;
        destinationGidLow = gidLow;
    }

    /**
     * Sets the payload of a packet whose payload does not follow the headers but lies in another process. It may be
     * that of many packets, which this one then stands for.
     *
     * @param payload the payload, or null
     */
    public void remote(RemoteMemory payload) {
        remote = payload;
    }

    /** {@return the payload in another process, as set since {@link #parse}; or null} */
    public RemoteMemory remote() {
        return remote;
    }

    /** Notes, after {@link #parse}, that {@link #giveReceipt} acknowledges this packet. */
    public void mayHaveReceipt() {
        mayHaveReceipt = true;
    }

    /**
     * Acknowledges this packet, and all before it to its queue pair, by a receipt if it may have one.
     *
     * @return false if it must be acknowledged by a packet
     */
    public boolean giveReceipt() {
        hasReceipt = mayHaveReceipt;
        return hasReceipt;
    }

    /** {@return whether {@link #giveReceipt} has acknowledged this packet} */
    public boolean hasReceipt() {
        return hasReceipt;
    }

    /** {@return the parsed buffer, big-endian} */
    public ByteBuffer buffer() {
        return buffer;
    }

    /**
     * {@return the address of the payload, for a packet in a direct buffer; valid as long as the buffer is reachable}
     */
    @SuppressWarnings("ReferenceEquality") // buffers with equal bytes have different addresses
    public long payload() {
        if (addressed != buffer) {
            address = NativeMemory.address(buffer);
            addressed = buffer;
        }
        return address + payloadOffset;
    }

    /** {@return the index of the BTH in the buffer} */
    public int offset() {
        return offset;
    }

    /** {@return the length of the whole packet in bytes, including the ICRC} */
    public int length() {
        return length;
    }

    /** {@return the opcode, a known {@link Opcode}} */
    public int opcode() {
        return opcode;
    }

    /** {@return whether the receiver is to raise an event} */
    public boolean solicited() {
        return Bth.solicited(buffer, offset);
    }

    /** {@return the state of path migration: true if migrated} */
    public boolean migReq() {
        return Bth.migReq(buffer, offset);
    }

    /** {@return the bytes of padding after the payload, 0 to 3} */
    public int padCount() {
        return padCount;
    }

    /** {@return the partition key} */
    public int pkey() {
        return Bth.pkey(buffer, offset);
    }

    /** {@return the queue pair number of the receiver} */
    public int destQpn() {
        return Bth.destQpn(buffer, offset);
    }

    /** {@return whether an acknowledgement is requested} */
    public boolean ackReq() {
        return Bth.ackReq(buffer, offset);
    }

    /** {@return the packet sequence number} */
    public int psn() {
        return Bth.psn(buffer, offset);
    }

    /** {@return the index of the payload in the buffer} */
    public int payloadOffset() {
        return payloadOffset;
    }

    /** {@return the length of the payload in bytes, without padding and ICRC} */
    public int payloadLength() {
        return payloadLength;
    }

    /** {@return the number of the shared receive queue in the XRCETH; 0 without such a header} */
    public int xrcSrqNum() {
        return Opcode.hasXrceth(opcode) ? Xrceth.srqNum(buffer, offset + Bth.LENGTH) : 0;
    }

    /** {@return the virtual address in the RETH} Requires {@link Opcode#hasReth(int)}. */
    public long rethVa() {
        return Reth.va(buffer, reth());
    }

    /** {@return the remote key in the RETH} Requires {@link Opcode#hasReth(int)}. */
    public int rethRkey() {
        return Reth.rkey(buffer, reth());
    }

    /** {@return the message length in the RETH, in bytes} Requires {@link Opcode#hasReth(int)}. */
    public long rethLength() {
        return Reth.length(buffer, reth());
    }

    private int reth() {
        return extension() + (Opcode.hasFeth(opcode) ? Feth.LENGTH : 0);
    }

    /** {@return how far a FLUSH goes, from the FETH} Requires {@link Opcode#hasFeth(int)}. */
    public int flushType() {
        return Feth.type(buffer, extension());
    }

    /** {@return what a FLUSH covers, from the FETH} Requires {@link Opcode#hasFeth(int)}. */
    public int flushLevel() {
        return Feth.level(buffer, extension());
    }

    /**
     * {@return the index of the {@link MaskedAtomicEth} in {@link #buffer()}} Requires
     * {@link Opcode#hasMaskedAtomicEth(int)}.
     */
    public int maskedAtomicEth() {
        return extension();
    }

    /**
     * {@return the virtual address in the AtomicETH or the {@link MaskedAtomicEth}, which have it at the same place}
     * Requires {@link Opcode#hasAtomicEth(int)} or {@link Opcode#hasMaskedAtomicEth(int)}.
     */
    public long atomicVa() {
        return AtomicEth.va(buffer, extension());
    }

    /**
     * {@return the remote key in the AtomicETH or the {@link MaskedAtomicEth}} Requires
     * {@link Opcode#hasAtomicEth(int)} or {@link Opcode#hasMaskedAtomicEth(int)}.
     */
    public int atomicRkey() {
        return AtomicEth.rkey(buffer, extension());
    }

    /** {@return the swap or add operand in the AtomicETH} Requires {@link Opcode#hasAtomicEth(int)}. */
    public long swapAdd() {
        return AtomicEth.swapAdd(buffer, extension());
    }

    /** {@return the compare operand in the AtomicETH} Requires {@link Opcode#hasAtomicEth(int)}. */
    public long compare() {
        return AtomicEth.compare(buffer, extension());
    }

    /** {@return the queue key in the DETH} Requires {@link Opcode#hasDeth(int)}. */
    public int qkey() {
        return Deth.qkey(buffer, extension());
    }

    /** {@return the queue pair number of the sender, from the DETH} Requires {@link Opcode#hasDeth(int)}. */
    public int srcQpn() {
        return Deth.srcQp(buffer, extension());
    }

    /** {@return the immediate data} Requires {@link Opcode#hasImmDt(int)}. */
    public int immData() {
        return ImmDt.immData(buffer, payloadOffset - ImmDt.LENGTH);
    }

    /** {@return the remote key in the IETH} Requires {@link Opcode#hasIeth(int)}. */
    public int invalidateRkey() {
        return Ieth.rkey(buffer, payloadOffset - Ieth.LENGTH);
    }

    /** {@return the syndrome in the AETH, see {@link Aeth}} Requires {@link Opcode#hasAeth(int)}. */
    public int aethSyndrome() {
        return Aeth.syndrome(buffer, extension());
    }

    /** {@return the message sequence number in the AETH} Requires {@link Opcode#hasAeth(int)}. */
    public int aethMsn() {
        return Aeth.msn(buffer, extension());
    }

    /** {@return the value that the atomic operation found} Requires {@link Opcode#hasAtomicAckEth(int)}. */
    public long atomicOrig() {
        return AtomicAckEth.orig(buffer, extension() + Aeth.LENGTH);
    }

    /** {@return the upper half of the sender's GID} */
    public long sourceGidHigh() {
        return sourceGidHigh;
    }

    /** {@return the lower half of the sender's GID} */
    public long sourceGidLow() {
        return sourceGidLow;
    }

    /** {@return the UDP port of the sender} */
    public int sourcePort() {
        return sourcePort;
    }

    /** {@return the upper half of the GID that the packet was sent to} */
    public long destinationGidHigh() {
        return destinationGidHigh;
    }

    /** {@return the lower half of the GID that the packet was sent to} */
    public long destinationGidLow() {
        return destinationGidLow;
    }

    /** {@return the index of the first extension header after any XRCETH} */
    private int extension() {
        return extension;
    }
}
