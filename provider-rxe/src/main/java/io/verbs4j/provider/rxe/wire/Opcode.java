/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.wire;

/**
 * Opcodes of the base transport header and their properties.
 *
 * <p>The upper three bits are the transport service, the lower five the operation. All properties come from a table of
 * bit sets, indexed by opcode; every method accepts any int and returns false for one that is not an opcode. Source:
 * InfiniBand Architecture Specification volume 1, table 38 and section 9.2.1.
 */
// Longer than 500 lines because it is a table of all opcodes of the specification and the questions about them.
// More than 30 public methods because each property of an opcode is a question of its own.
public final class Opcode {
    /** Service of reliable connections. */
    public static final int RC = 0x00;

    /** Service of unreliable connections. */
    public static final int UC = 0x20;

    /** Service of unreliable datagrams. */
    public static final int UD = 0x60;

    /** Service of extended reliable connections, whose operations have the same numbers as those of {@link #RC}. */
    public static final int XRC = 0xa0;

    /** RC: first packet of a SEND. */
    public static final int RC_SEND_FIRST = 0x00;

    /** RC: middle packet of a SEND. */
    public static final int RC_SEND_MIDDLE = 0x01;

    /** RC: last packet of a SEND. */
    public static final int RC_SEND_LAST = 0x02;

    /** RC: last packet of a SEND with immediate data. */
    public static final int RC_SEND_LAST_WITH_IMM = 0x03;

    /** RC: SEND in one packet. */
    public static final int RC_SEND_ONLY = 0x04;

    /** RC: SEND with immediate data in one packet. */
    public static final int RC_SEND_ONLY_WITH_IMM = 0x05;

    /** RC: first packet of an RDMA WRITE. */
    public static final int RC_RDMA_WRITE_FIRST = 0x06;

    /** RC: middle packet of an RDMA WRITE. */
    public static final int RC_RDMA_WRITE_MIDDLE = 0x07;

    /** RC: last packet of an RDMA WRITE. */
    public static final int RC_RDMA_WRITE_LAST = 0x08;

    /** RC: last packet of an RDMA WRITE with immediate data. */
    public static final int RC_RDMA_WRITE_LAST_WITH_IMM = 0x09;

    /** RC: RDMA WRITE in one packet. */
    public static final int RC_RDMA_WRITE_ONLY = 0x0a;

    /** RC: RDMA WRITE with immediate data in one packet. */
    public static final int RC_RDMA_WRITE_ONLY_WITH_IMM = 0x0b;

    /** RC: RDMA READ request. */
    public static final int RC_RDMA_READ_REQUEST = 0x0c;

    /** RC: first packet of RDMA READ data. */
    public static final int RC_RDMA_READ_RESPONSE_FIRST = 0x0d;

    /** RC: middle packet of RDMA READ data. */
    public static final int RC_RDMA_READ_RESPONSE_MIDDLE = 0x0e;

    /** RC: last packet of RDMA READ data. */
    public static final int RC_RDMA_READ_RESPONSE_LAST = 0x0f;

    /** RC: RDMA READ data in one packet. */
    public static final int RC_RDMA_READ_RESPONSE_ONLY = 0x10;

    /** RC: ACK, NAK or RNR NAK. */
    public static final int RC_ACKNOWLEDGE = 0x11;

    /** RC: ACK of an atomic operation, with the value found. */
    public static final int RC_ATOMIC_ACKNOWLEDGE = 0x12;

    /** RC: compare and swap. */
    public static final int RC_COMPARE_SWAP = 0x13;

    /** RC: fetch and add. */
    public static final int RC_FETCH_ADD = 0x14;

    /** RC: last packet of a SEND that invalidates a key of the receiver. */
    public static final int RC_SEND_LAST_WITH_INV = 0x16;

    /** RC: SEND in one packet that invalidates a key of the receiver. */
    public static final int RC_SEND_ONLY_WITH_INV = 0x17;

    /** RC: FLUSH. Annex A19. */
    public static final int RC_FLUSH = 0x1c;

    /** RC: ATOMIC WRITE. Annex A19. */
    public static final int RC_ATOMIC_WRITE = 0x1d;

    /** RC: masked compare and swap. Specific to this device, from the manufacturer range: {@link MaskedAtomicEth}. */
    public static final int MASKED_COMPARE_SWAP = 0xd3;

    /** RC: masked fetch and add. Specific to this device, like {@link #MASKED_COMPARE_SWAP}. */
    public static final int MASKED_FETCH_ADD = 0xd4;

    /** UC: first packet of a SEND. */
    public static final int UC_SEND_FIRST = 0x20;

    /** UC: middle packet of a SEND. */
    public static final int UC_SEND_MIDDLE = 0x21;

    /** UC: last packet of a SEND. */
    public static final int UC_SEND_LAST = 0x22;

    /** UC: last packet of a SEND with immediate data. */
    public static final int UC_SEND_LAST_WITH_IMM = 0x23;

    /** UC: SEND in one packet. */
    public static final int UC_SEND_ONLY = 0x24;

    /** UC: SEND with immediate data in one packet. */
    public static final int UC_SEND_ONLY_WITH_IMM = 0x25;

    /** UC: first packet of an RDMA WRITE. */
    public static final int UC_RDMA_WRITE_FIRST = 0x26;

    /** UC: middle packet of an RDMA WRITE. */
    public static final int UC_RDMA_WRITE_MIDDLE = 0x27;

    /** UC: last packet of an RDMA WRITE. */
    public static final int UC_RDMA_WRITE_LAST = 0x28;

    /** UC: last packet of an RDMA WRITE with immediate data. */
    public static final int UC_RDMA_WRITE_LAST_WITH_IMM = 0x29;

    /** UC: RDMA WRITE in one packet. */
    public static final int UC_RDMA_WRITE_ONLY = 0x2a;

    /** UC: RDMA WRITE with immediate data in one packet. */
    public static final int UC_RDMA_WRITE_ONLY_WITH_IMM = 0x2b;

    /** UD: SEND. */
    public static final int UD_SEND_ONLY = 0x64;

    /** UD: SEND with immediate data. */
    public static final int UD_SEND_ONLY_WITH_IMM = 0x65;

    /**
     * Congestion notification of RoCE v2 (annex A17.9.3). It has a name but is not a known opcode, because no queue
     * pair accepts it.
     */
    public static final int CNP = 0x81;

    private static final int RETH = 1;
    private static final int ATOMIC_ETH = 1 << 1;
    private static final int IMM_DT = 1 << 2;
    private static final int IETH = 1 << 3;
    private static final int DETH = 1 << 4;
    private static final int AETH = 1 << 5;
    private static final int ATOMIC_ACK_ETH = 1 << 6;
    private static final int PAYLOAD = 1 << 7;
    private static final int FIRST = 1 << 8;
    private static final int MIDDLE = 1 << 9;
    private static final int LAST = 1 << 10;
    private static final int ONLY = 1 << 11;
    private static final int SEND = 1 << 12;
    private static final int WRITE = 1 << 13;
    private static final int READ_REQUEST = 1 << 14;
    private static final int READ_RESPONSE = 1 << 15;
    private static final int ATOMIC_REQUEST = 1 << 16;
    private static final int ACK = 1 << 17;
    private static final int REQUEST = 1 << 18;
    private static final int RESPONSE = 1 << 19;
    private static final int KNOWN = 1 << 20;
    private static final int XRCETH = 1 << 21;
    private static final int FETH = 1 << 22;
    private static final int MASKED_ATOMIC_ETH = 1 << 23;
    /** Position of the length of the headers in a table entry. */
    private static final int LENGTH_SHIFT = 24;

    private static final int ALL_PROPERTIES = (1 << LENGTH_SHIFT) - 1;

    private static final int SERVICE_MASK = 0xe0;
    private static final int OPCODES = 256;
    private static final int[] PROPERTIES = new int[OPCODES];
    private static final String[] NAMES = new String[OPCODES];

    static {
        put(RC_SEND_FIRST, "RC_SEND_FIRST", SEND | REQUEST | FIRST | PAYLOAD);
        put(RC_SEND_MIDDLE, "RC_SEND_MIDDLE", SEND | REQUEST | MIDDLE | PAYLOAD);
        put(RC_SEND_LAST, "RC_SEND_LAST", SEND | REQUEST | LAST | PAYLOAD);
        put(RC_SEND_LAST_WITH_IMM, "RC_SEND_LAST_WITH_IMM", SEND | REQUEST | LAST | IMM_DT | PAYLOAD);
        put(RC_SEND_ONLY, "RC_SEND_ONLY", SEND | REQUEST | ONLY | PAYLOAD);
        put(RC_SEND_ONLY_WITH_IMM, "RC_SEND_ONLY_WITH_IMM", SEND | REQUEST | ONLY | IMM_DT | PAYLOAD);
        put(RC_RDMA_WRITE_FIRST, "RC_RDMA_WRITE_FIRST", WRITE | REQUEST | FIRST | RETH | PAYLOAD);
        put(RC_RDMA_WRITE_MIDDLE, "RC_RDMA_WRITE_MIDDLE", WRITE | REQUEST | MIDDLE | PAYLOAD);
        put(RC_RDMA_WRITE_LAST, "RC_RDMA_WRITE_LAST", WRITE | REQUEST | LAST | PAYLOAD);
        put(RC_RDMA_WRITE_LAST_WITH_IMM, "RC_RDMA_WRITE_LAST_WITH_IMM", WRITE | REQUEST | LAST | IMM_DT | PAYLOAD);
        put(RC_RDMA_WRITE_ONLY, "RC_RDMA_WRITE_ONLY", WRITE | REQUEST | ONLY | RETH | PAYLOAD);
        put(
                RC_RDMA_WRITE_ONLY_WITH_IMM,
                "RC_RDMA_WRITE_ONLY_WITH_IMM",
                WRITE | REQUEST | ONLY | RETH | IMM_DT | PAYLOAD);
        put(RC_RDMA_READ_REQUEST, "RC_RDMA_READ_REQUEST", READ_REQUEST | REQUEST | ONLY | RETH);
        put(
                RC_RDMA_READ_RESPONSE_FIRST,
                "RC_RDMA_READ_RESPONSE_FIRST",
                READ_RESPONSE | RESPONSE | FIRST | AETH | PAYLOAD);
        put(RC_RDMA_READ_RESPONSE_MIDDLE, "RC_RDMA_READ_RESPONSE_MIDDLE", READ_RESPONSE | RESPONSE | MIDDLE | PAYLOAD);
        put(RC_RDMA_READ_RESPONSE_LAST, "RC_RDMA_READ_RESPONSE_LAST", READ_RESPONSE | RESPONSE | LAST | AETH | PAYLOAD);
        put(RC_RDMA_READ_RESPONSE_ONLY, "RC_RDMA_READ_RESPONSE_ONLY", READ_RESPONSE | RESPONSE | ONLY | AETH | PAYLOAD);
        put(RC_ACKNOWLEDGE, "RC_ACKNOWLEDGE", ACK | RESPONSE | ONLY | AETH);
        put(RC_ATOMIC_ACKNOWLEDGE, "RC_ATOMIC_ACKNOWLEDGE", RESPONSE | ONLY | AETH | ATOMIC_ACK_ETH);
        put(RC_COMPARE_SWAP, "RC_COMPARE_SWAP", ATOMIC_REQUEST | REQUEST | ONLY | ATOMIC_ETH);
        put(RC_FETCH_ADD, "RC_FETCH_ADD", ATOMIC_REQUEST | REQUEST | ONLY | ATOMIC_ETH);
        put(RC_SEND_LAST_WITH_INV, "RC_SEND_LAST_WITH_INV", SEND | REQUEST | LAST | IETH | PAYLOAD);
        put(RC_SEND_ONLY_WITH_INV, "RC_SEND_ONLY_WITH_INV", SEND | REQUEST | ONLY | IETH | PAYLOAD);
        put(RC_FLUSH, "RC_FLUSH", REQUEST | ONLY | FETH | RETH);
        put(RC_ATOMIC_WRITE, "RC_ATOMIC_WRITE", REQUEST | ONLY | RETH | PAYLOAD);
        put(MASKED_COMPARE_SWAP, "MASKED_COMPARE_SWAP", ATOMIC_REQUEST | REQUEST | ONLY | MASKED_ATOMIC_ETH);
        put(MASKED_FETCH_ADD, "MASKED_FETCH_ADD", ATOMIC_REQUEST | REQUEST | ONLY | MASKED_ATOMIC_ETH);
        put(UC_SEND_FIRST, "UC_SEND_FIRST", SEND | REQUEST | FIRST | PAYLOAD);
        put(UC_SEND_MIDDLE, "UC_SEND_MIDDLE", SEND | REQUEST | MIDDLE | PAYLOAD);
        put(UC_SEND_LAST, "UC_SEND_LAST", SEND | REQUEST | LAST | PAYLOAD);
        put(UC_SEND_LAST_WITH_IMM, "UC_SEND_LAST_WITH_IMM", SEND | REQUEST | LAST | IMM_DT | PAYLOAD);
        put(UC_SEND_ONLY, "UC_SEND_ONLY", SEND | REQUEST | ONLY | PAYLOAD);
        put(UC_SEND_ONLY_WITH_IMM, "UC_SEND_ONLY_WITH_IMM", SEND | REQUEST | ONLY | IMM_DT | PAYLOAD);
        put(UC_RDMA_WRITE_FIRST, "UC_RDMA_WRITE_FIRST", WRITE | REQUEST | FIRST | RETH | PAYLOAD);
        put(UC_RDMA_WRITE_MIDDLE, "UC_RDMA_WRITE_MIDDLE", WRITE | REQUEST | MIDDLE | PAYLOAD);
        put(UC_RDMA_WRITE_LAST, "UC_RDMA_WRITE_LAST", WRITE | REQUEST | LAST | PAYLOAD);
        put(UC_RDMA_WRITE_LAST_WITH_IMM, "UC_RDMA_WRITE_LAST_WITH_IMM", WRITE | REQUEST | LAST | IMM_DT | PAYLOAD);
        put(UC_RDMA_WRITE_ONLY, "UC_RDMA_WRITE_ONLY", WRITE | REQUEST | ONLY | RETH | PAYLOAD);
        put(
                UC_RDMA_WRITE_ONLY_WITH_IMM,
                "UC_RDMA_WRITE_ONLY_WITH_IMM",
                WRITE | REQUEST | ONLY | RETH | IMM_DT | PAYLOAD);
        put(UD_SEND_ONLY, "UD_SEND_ONLY", SEND | REQUEST | ONLY | DETH | PAYLOAD);
        put(UD_SEND_ONLY_WITH_IMM, "UD_SEND_ONLY_WITH_IMM", SEND | REQUEST | ONLY | DETH | IMM_DT | PAYLOAD);
        for (int rc = RC; rc <= RC_SEND_ONLY_WITH_INV; rc++) {
            if (isKnown(rc)) {
                put(XRC | rc, "X" + NAMES[rc], PROPERTIES[rc] & ALL_PROPERTIES | (isRequest(rc) ? XRCETH : 0));
            }
        }
        NAMES[CNP] = "CNP";
    }

    private Opcode() {}

    /**
     * {@return the name of an opcode, for messages; an unknown one is described by its number}
     *
     * @param opcode any number
     */
    public static String name(int opcode) {
        String name = inRange(opcode) ? NAMES[opcode] : null;
        return name == null ? "unknown opcode 0x" + Integer.toHexString(opcode) : name;
    }

    /**
     * {@return the length of a packet's headers in bytes: base transport header and extensions; -1 for an unknown
     * opcode}
     *
     * @param opcode an opcode
     */
    public static int headerLength(int opcode) {
        int length = properties(opcode) >>> LENGTH_SHIFT;
        return length == 0 ? -1 : length;
    }

    /**
     * {@return the transport service of an opcode: {@link #RC}, {@link #UC}, {@link #UD} or {@link #XRC}; another
     * number if the opcode is unknown}
     *
     * @param opcode an opcode
     */
    public static int service(int opcode) {
        return hasMaskedAtomicEth(opcode) ? RC : opcode & SERVICE_MASK;
    }

    /**
     * {@return the operation without the service: the opcode's equivalent in {@link #RC}; for a masked atomic, that of
     * the plain one}
     *
     * @param opcode an opcode
     */
    public static int operation(int opcode) {
        return opcode & ~SERVICE_MASK;
    }

    /**
     * {@return whether the opcode is one of this class other than {@link #CNP}}
     *
     * @param opcode an opcode
     */
    public static boolean isKnown(int opcode) {
        return is(opcode, KNOWN);
    }

    /**
     * {@return whether the packet has a RETH}
     *
     * @param opcode an opcode
     */
    public static boolean hasReth(int opcode) {
        return is(opcode, RETH);
    }

    /**
     * {@return whether the packet has an AtomicETH}
     *
     * @param opcode an opcode
     */
    public static boolean hasAtomicEth(int opcode) {
        return is(opcode, ATOMIC_ETH);
    }

    /**
     * {@return whether an ImmDt is the last header}
     *
     * @param opcode an opcode
     */
    public static boolean hasImmDt(int opcode) {
        return is(opcode, IMM_DT);
    }

    /**
     * {@return whether an IETH is the last header}
     *
     * @param opcode an opcode
     */
    public static boolean hasIeth(int opcode) {
        return is(opcode, IETH);
    }

    /**
     * {@return whether an XRCETH follows the BTH, before all other headers}
     *
     * @param opcode an opcode
     */
    public static boolean hasXrceth(int opcode) {
        return is(opcode, XRCETH);
    }

    /**
     * {@return whether a FETH follows the BTH: a FLUSH}
     *
     * @param opcode an opcode
     */
    public static boolean hasFeth(int opcode) {
        return is(opcode, FETH);
    }

    /**
     * {@return whether a {@link MaskedAtomicEth} follows the BTH}
     *
     * @param opcode an opcode
     */
    public static boolean hasMaskedAtomicEth(int opcode) {
        return is(opcode, MASKED_ATOMIC_ETH);
    }

    /**
     * {@return whether a DETH follows the BTH}
     *
     * @param opcode an opcode
     */
    public static boolean hasDeth(int opcode) {
        return is(opcode, DETH);
    }

    /**
     * {@return whether an AETH follows the BTH}
     *
     * @param opcode an opcode
     */
    public static boolean hasAeth(int opcode) {
        return is(opcode, AETH);
    }

    /**
     * {@return whether an AtomicAckETH follows the AETH}
     *
     * @param opcode an opcode
     */
    public static boolean hasAtomicAckEth(int opcode) {
        return is(opcode, ATOMIC_ACK_ETH);
    }

    /**
     * {@return whether the packet may have a payload}
     *
     * @param opcode an opcode
     */
    public static boolean hasPayload(int opcode) {
        return is(opcode, PAYLOAD);
    }

    /**
     * {@return whether this is the first of several packets of a message}
     *
     * @param opcode an opcode
     */
    public static boolean isFirst(int opcode) {
        return is(opcode, FIRST);
    }

    /**
     * {@return whether this is neither the first nor the last packet of a message}
     *
     * @param opcode an opcode
     */
    public static boolean isMiddle(int opcode) {
        return is(opcode, MIDDLE);
    }

    /**
     * {@return whether this is the last of several packets of a message}
     *
     * @param opcode an opcode
     */
    public static boolean isLast(int opcode) {
        return is(opcode, LAST);
    }

    /**
     * {@return whether this is the only packet of a message, including requests and answers without payload}
     *
     * @param opcode an opcode
     */
    public static boolean isOnly(int opcode) {
        return is(opcode, ONLY);
    }

    /**
     * {@return whether a message starts with this packet: first or only}
     *
     * @param opcode an opcode
     */
    public static boolean isStart(int opcode) {
        return is(opcode, FIRST | ONLY);
    }

    /**
     * {@return whether a message ends with this packet: last or only}
     *
     * @param opcode an opcode
     */
    public static boolean isEnd(int opcode) {
        return is(opcode, LAST | ONLY);
    }

    /**
     * {@return whether this belongs to a SEND of any kind}
     *
     * @param opcode an opcode
     */
    public static boolean isSend(int opcode) {
        return is(opcode, SEND);
    }

    /**
     * {@return whether this belongs to an RDMA WRITE of any kind}
     *
     * @param opcode an opcode
     */
    public static boolean isWrite(int opcode) {
        return is(opcode, WRITE);
    }

    /**
     * {@return whether this requests an RDMA READ}
     *
     * @param opcode an opcode
     */
    public static boolean isReadRequest(int opcode) {
        return is(opcode, READ_REQUEST);
    }

    /**
     * {@return whether this carries the data of an RDMA READ}
     *
     * @param opcode an opcode
     */
    public static boolean isReadResponse(int opcode) {
        return is(opcode, READ_RESPONSE);
    }

    /**
     * {@return whether this requests an atomic operation}
     *
     * @param opcode an opcode
     */
    public static boolean isAtomicRequest(int opcode) {
        return is(opcode, ATOMIC_REQUEST);
    }

    /**
     * {@return whether this answers an atomic operation}
     *
     * @param opcode an opcode
     */
    public static boolean isAtomicAck(int opcode) {
        return is(opcode, ATOMIC_ACK_ETH);
    }

    /**
     * {@return whether this is the plain acknowledge packet (ACK, NAK, RNR NAK)}
     *
     * @param opcode an opcode
     */
    public static boolean isAck(int opcode) {
        return is(opcode, ACK);
    }

    /**
     * {@return whether the packet goes from requester to responder}
     *
     * @param opcode an opcode
     */
    public static boolean isRequest(int opcode) {
        return is(opcode, REQUEST);
    }

    /**
     * {@return whether the packet goes from responder to requester}
     *
     * @param opcode an opcode
     */
    public static boolean isResponse(int opcode) {
        return is(opcode, RESPONSE);
    }

    private static boolean is(int opcode, int anyOf) {
        return (properties(opcode) & anyOf) != 0;
    }

    private static int properties(int opcode) {
        return inRange(opcode) ? PROPERTIES[opcode] : 0;
    }

    private static boolean inRange(int opcode) {
        return (opcode & -OPCODES) == 0;
    }

    private static void put(int opcode, String name, int properties) {
        NAMES[opcode] = name;
        PROPERTIES[opcode] = properties | KNOWN | (lengthOf(properties) << LENGTH_SHIFT);
    }

    private static int lengthOf(int properties) {
        return Bth.LENGTH
                + ((properties & XRCETH) != 0 ? Xrceth.LENGTH : 0)
                + ((properties & FETH) != 0 ? Feth.LENGTH : 0)
                + ((properties & RETH) != 0 ? Reth.LENGTH : 0)
                + ((properties & MASKED_ATOMIC_ETH) != 0 ? MaskedAtomicEth.LENGTH : 0)
                + ((properties & ATOMIC_ETH) != 0 ? AtomicEth.LENGTH : 0)
                + ((properties & IMM_DT) != 0 ? ImmDt.LENGTH : 0)
                + ((properties & IETH) != 0 ? Ieth.LENGTH : 0)
                + ((properties & DETH) != 0 ? Deth.LENGTH : 0)
                + ((properties & AETH) != 0 ? Aeth.LENGTH : 0)
                + ((properties & ATOMIC_ACK_ETH) != 0 ? AtomicAckEth.LENGTH : 0);
    }
}
