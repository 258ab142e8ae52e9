/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.wire;

import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.rxe.memory.RemoteMemory;
import java.nio.ByteBuffer;

/**
 * A received packet: a reusable view of the UDP payload from the BTH to the ICRC, and of the addresses it came with.
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
 * <p>Bad input is a drop reason, never an exception. A getter reads the buffer when it is called: values are those of the
 * last packet for which {@link #parse} answered {@link #OK}, until the buffer is used for another. The getter of a header
 * that the opcode does not have gives an arbitrary value, or fails as any access beyond the buffer does. Not thread-safe.
 */
public final class Packet {
    /** Result of a check: the packet is well formed. */
    public static final int OK = 0;

    /** Result of a check: shorter than its headers and ICRC, or outside of the buffer. */
    public static final int TRUNCATED = 1;

    /** Result of a check: a version of the BTH other than 0. */
    public static final int BAD_VERSION = 2;

    /** Result of a check: an opcode outside of {@link Opcode}. */
    public static final int UNKNOWN_OPCODE = 3;

    /** Result of a check: padding that does not bring the payload to a multiple of four, or is longer than what follows the headers. */
    public static final int BAD_PAD = 4;

    /** Result of a check: bytes after the headers of a packet that has no payload. */
    public static final int BAD_LENGTH = 5;

    /** Result of a check: a partition key that is not the port's; not judged here. */
    public static final int BAD_PKEY = 6;

    /** Result of a check: a {@link Opcode#CNP}, which this device does not act on. */
    public static final int CONGESTION_NOTIFICATION = 7;

    /** Result of a check: the invariant CRC does not fit; not judged here, see {@link Icrc}. */
    public static final int BAD_ICRC = 8;

    /** Number of reasons: they are 0 to one less than this. */
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

    /** What {@link #address} is of: not found anew for each packet. */
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

    /** Makes a view of no packet yet. */
    public Packet() {}

    /**
     * The name of a drop reason, for counters and messages.
     *
     * @param reason what {@link #parse} answered
     * @return its name
     */
    public static String reasonName(int reason) {
        return reason >= 0 && reason < REASON_COUNT ? REASON_NAMES[reason] : "reason " + reason;
    }

    /**
     * Takes a packet and judges its form. What depends on a queue pair is left to that: partition key, path MTU, order.
     *
     * @param buffer big-endian buffer
     * @param offset of the BTH in it
     * @param length of the UDP payload, BTH to ICRC
     * @return {@link #OK}, or the reason to drop the packet; this view is then as it was
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
        return OK;
    }

    /**
     * Notes whom the packet came from.
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
     * Notes whom the packet was sent to.
     *
     * @param gidHigh upper half of the GID
     * @param gidLow lower half of the GID
     */
    public void destination(long gidHigh, long gidLow) {
        destinationGidHigh = gidHigh;
        destinationGidLow = gidLow;
    }

    /**
     * Notes that the payload does not follow the headers, but lies in another process: it may be that of many packets, which this one
     * stands for then.
     *
     * @param payload where it is; or null
     */
    public void remote(RemoteMemory payload) {
        remote = payload;
    }

    /**
     * Where the payload is, if it is not in this packet.
     *
     * @return what was noted since {@link #parse}; or null
     */
    public RemoteMemory remote() {
        return remote;
    }

    /**
     * The buffer that was parsed.
     *
     * @return the buffer, big-endian
     */
    public ByteBuffer buffer() {
        return buffer;
    }

    /**
     * The address of the payload, of a packet in a direct buffer.
     *
     * @return the address, valid as long as the buffer is reachable
     */
    @SuppressWarnings("ReferenceEquality") // buffers with the same bytes have addresses of their own
    public long payload() {
        if (addressed != buffer) {
            address = NativeMemory.address(buffer);
            addressed = buffer;
        }
        return address + payloadOffset;
    }

    /**
     * Where the packet begins in the buffer.
     *
     * @return offset of the BTH
     */
    public int offset() {
        return offset;
    }

    /**
     * Length of the whole packet.
     *
     * @return number of bytes, ICRC included
     */
    public int length() {
        return length;
    }

    /**
     * What the packet is.
     *
     * @return one of {@link Opcode}, a known one
     */
    public int opcode() {
        return opcode;
    }

    /**
     * Whether the receiver shall raise an event.
     *
     * @return the field
     */
    public boolean solicited() {
        return Bth.solicited(buffer, offset);
    }

    /**
     * State of path migration.
     *
     * @return the field
     */
    public boolean migReq() {
        return Bth.migReq(buffer, offset);
    }

    /**
     * Bytes of padding after the payload.
     *
     * @return 0 to 3
     */
    public int padCount() {
        return padCount;
    }

    /**
     * Partition key.
     *
     * @return the field
     */
    public int pkey() {
        return Bth.pkey(buffer, offset);
    }

    /**
     * Queue pair number of the receiver.
     *
     * @return the field
     */
    public int destQpn() {
        return Bth.destQpn(buffer, offset);
    }

    /**
     * Whether an acknowledgement is asked for.
     *
     * @return the field
     */
    public boolean ackReq() {
        return Bth.ackReq(buffer, offset);
    }

    /**
     * Packet sequence number.
     *
     * @return the field
     */
    public int psn() {
        return Bth.psn(buffer, offset);
    }

    /**
     * Where the payload begins in the buffer.
     *
     * @return offset
     */
    public int payloadOffset() {
        return payloadOffset;
    }

    /**
     * Length of the payload.
     *
     * @return number of bytes without padding and ICRC
     */
    public int payloadLength() {
        return payloadLength;
    }

    /**
     * Number of the shared receive queue, from the XRCETH.
     *
     * @return the field; 0 where there is no such header
     */
    public int xrcSrqNum() {
        return Opcode.hasXrceth(opcode) ? Xrceth.srqNum(buffer, offset + Bth.LENGTH) : 0;
    }

    /**
     * Virtual address of the RETH.
     *
     * @return the field, where {@link Opcode#hasReth(int)}
     */
    public long rethVa() {
        return Reth.va(buffer, reth());
    }

    /**
     * Remote key of the RETH.
     *
     * @return the field, where {@link Opcode#hasReth(int)}
     */
    public int rethRkey() {
        return Reth.rkey(buffer, reth());
    }

    /**
     * Message length of the RETH.
     *
     * @return number of bytes, where {@link Opcode#hasReth(int)}
     */
    public long rethLength() {
        return Reth.length(buffer, reth());
    }

    private int reth() {
        return extension() + (Opcode.hasFeth(opcode) ? Feth.LENGTH : 0);
    }

    /**
     * How far a FLUSH goes, of the FETH.
     *
     * @return the field, where {@link Opcode#hasFeth(int)}
     */
    public int flushType() {
        return Feth.type(buffer, extension());
    }

    /**
     * What a FLUSH covers, of the FETH.
     *
     * @return the field, where {@link Opcode#hasFeth(int)}
     */
    public int flushLevel() {
        return Feth.level(buffer, extension());
    }

    /**
     * Where the {@link MaskedAtomicEth} is in {@link #buffer()}.
     *
     * @return index of its first byte, where {@link Opcode#hasMaskedAtomicEth(int)}
     */
    public int maskedAtomicEth() {
        return extension();
    }

    /**
     * Virtual address of the AtomicETH, or of the {@link MaskedAtomicEth}, where it is at the same place.
     *
     * @return the field, where {@link Opcode#hasAtomicEth(int)}
     */
    public long atomicVa() {
        return AtomicEth.va(buffer, extension());
    }

    /**
     * Remote key of the AtomicETH, or of the {@link MaskedAtomicEth}.
     *
     * @return the field, where {@link Opcode#hasAtomicEth(int)}
     */
    public int atomicRkey() {
        return AtomicEth.rkey(buffer, extension());
    }

    /**
     * Swap or add operand of the AtomicETH.
     *
     * @return the field, where {@link Opcode#hasAtomicEth(int)}
     */
    public long swapAdd() {
        return AtomicEth.swapAdd(buffer, extension());
    }

    /**
     * Compare operand of the AtomicETH.
     *
     * @return the field, where {@link Opcode#hasAtomicEth(int)}
     */
    public long compare() {
        return AtomicEth.compare(buffer, extension());
    }

    /**
     * Queue key of the DETH.
     *
     * @return the field, where {@link Opcode#hasDeth(int)}
     */
    public int qkey() {
        return Deth.qkey(buffer, extension());
    }

    /**
     * Queue pair number of the sender, from the DETH.
     *
     * @return the field, where {@link Opcode#hasDeth(int)}
     */
    public int srcQpn() {
        return Deth.srcQp(buffer, extension());
    }

    /**
     * Immediate data.
     *
     * @return the field, where {@link Opcode#hasImmDt(int)}
     */
    public int immData() {
        return ImmDt.immData(buffer, payloadOffset - ImmDt.LENGTH);
    }

    /**
     * Remote key of the IETH.
     *
     * @return the field, where {@link Opcode#hasIeth(int)}
     */
    public int invalidateRkey() {
        return Ieth.rkey(buffer, payloadOffset - Ieth.LENGTH);
    }

    /**
     * Syndrome of the AETH.
     *
     * @return see {@link Aeth}, where {@link Opcode#hasAeth(int)}
     */
    public int aethSyndrome() {
        return Aeth.syndrome(buffer, extension());
    }

    /**
     * Message sequence number of the AETH.
     *
     * @return the field, where {@link Opcode#hasAeth(int)}
     */
    public int aethMsn() {
        return Aeth.msn(buffer, extension());
    }

    /**
     * What the atomic operation found.
     *
     * @return the field, where {@link Opcode#hasAtomicAckEth(int)}
     */
    public long atomicOrig() {
        return AtomicAckEth.orig(buffer, extension() + Aeth.LENGTH);
    }

    /**
     * Upper half of the sender's GID.
     *
     * @return 64 bits
     */
    public long sourceGidHigh() {
        return sourceGidHigh;
    }

    /**
     * Lower half of the sender's GID.
     *
     * @return 64 bits
     */
    public long sourceGidLow() {
        return sourceGidLow;
    }

    /**
     * UDP port of the sender.
     *
     * @return the port
     */
    public int sourcePort() {
        return sourcePort;
    }

    /**
     * Upper half of the GID the packet was sent to.
     *
     * @return 64 bits
     */
    public long destinationGidHigh() {
        return destinationGidHigh;
    }

    /**
     * Lower half of the GID the packet was sent to.
     *
     * @return 64 bits
     */
    public long destinationGidLow() {
        return destinationGidLow;
    }

    /** Where the first extension header begins, besides the XRCETH. */
    private int extension() {
        return extension;
    }
}
