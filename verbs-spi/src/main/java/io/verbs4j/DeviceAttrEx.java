/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import java.math.BigInteger;

/**
 * What a device can do, at length: the answer of {@link Context#queryDeviceEx()}.
 *
 * <p>A field that nobody filled, because library, provider, driver or kernel does not know it, reads as 0; {@link #has(int)} tells. Since
 * level 3. Source: {@code ibv_query_device_ex(3)}. Not thread-safe.
 */
public final class DeviceAttrEx extends OutputAttr {
    /** Index of {@link #origAttr()}. */
    public static final int ORIG_ATTR = 0;

    /** Index of {@link #odpGeneralCaps()}. */
    public static final int ODP_GENERAL_CAPS = 1;

    /** Index of {@link #odpRcCaps()}. */
    public static final int ODP_RC_CAPS = 2;

    /** Index of {@link #odpUcCaps()}. */
    public static final int ODP_UC_CAPS = 3;

    /** Index of {@link #odpUdCaps()}. */
    public static final int ODP_UD_CAPS = 4;

    /** Index of {@link #completionTimestampMask()}. */
    public static final int COMPLETION_TIMESTAMP_MASK = 5;

    /** Index of {@link #hcaCoreClock()}. */
    public static final int HCA_CORE_CLOCK = 6;

    /** Index of {@link #deviceCapFlagsEx()}. */
    public static final int DEVICE_CAP_FLAGS_EX = 7;

    /** Index of {@link #tsoMaxTso()}. */
    public static final int TSO_MAX_TSO = 8;

    /** Index of {@link #tsoSupportedQpts()}. */
    public static final int TSO_SUPPORTED_QPTS = 9;

    /** Index of {@link #rssSupportedQpts()}. */
    public static final int RSS_SUPPORTED_QPTS = 10;

    /** Index of {@link #rssMaxRwqIndirectionTables()}. */
    public static final int RSS_MAX_RWQ_INDIRECTION_TABLES = 11;

    /** Index of {@link #rssMaxRwqIndirectionTableSize()}. */
    public static final int RSS_MAX_RWQ_INDIRECTION_TABLE_SIZE = 12;

    /** Index of {@link #rssRxHashFieldsMask()}. */
    public static final int RSS_RX_HASH_FIELDS_MASK = 13;

    /** Index of {@link #rssRxHashFunction()}. */
    public static final int RSS_RX_HASH_FUNCTION = 14;

    /** Index of {@link #maxWqTypeRq()}. */
    public static final int MAX_WQ_TYPE_RQ = 15;

    /** Index of {@link #packetPacingQpRateLimitMin()}. */
    public static final int PACKET_PACING_QP_RATE_LIMIT_MIN = 16;

    /** Index of {@link #packetPacingQpRateLimitMax()}. */
    public static final int PACKET_PACING_QP_RATE_LIMIT_MAX = 17;

    /** Index of {@link #packetPacingSupportedQpts()}. */
    public static final int PACKET_PACING_SUPPORTED_QPTS = 18;

    /** Index of {@link #rawPacketCaps()}. */
    public static final int RAW_PACKET_CAPS = 19;

    /** Index of {@link #tmMaxRndvHdrSize()}. */
    public static final int TM_MAX_RNDV_HDR_SIZE = 20;

    /** Index of {@link #tmMaxNumTags()}. */
    public static final int TM_MAX_NUM_TAGS = 21;

    /** Index of {@link #tmFlags()}. */
    public static final int TM_FLAGS = 22;

    /** Index of {@link #tmMaxOps()}. */
    public static final int TM_MAX_OPS = 23;

    /** Index of {@link #tmMaxSge()}. */
    public static final int TM_MAX_SGE = 24;

    /** Index of {@link #cqModerationMaxCqCount()}. */
    public static final int CQ_MODERATION_MAX_CQ_COUNT = 25;

    /** Index of {@link #cqModerationMaxCqPeriod()}. */
    public static final int CQ_MODERATION_MAX_CQ_PERIOD = 26;

    /** Index of {@link #maxDmSize()}. */
    public static final int MAX_DM_SIZE = 27;

    /** Index of {@link #pciAtomicFetchAdd()}. */
    public static final int PCI_ATOMIC_FETCH_ADD = 28;

    /** Index of {@link #pciAtomicSwap()}. */
    public static final int PCI_ATOMIC_SWAP = 29;

    /** Index of {@link #pciAtomicCompareSwap()}. */
    public static final int PCI_ATOMIC_COMPARE_SWAP = 30;

    /** Index of {@link #xrcOdpCaps()}. */
    public static final int XRC_ODP_CAPS = 31;

    /** Index of {@link #physPortCntEx()}. */
    public static final int PHYS_PORT_CNT_EX = 32;

    /** Index of {@link #sendOpsRc()}. */
    public static final int SEND_OPS_RC = 33;

    /** Index of {@link #sendOpsUc()}. */
    public static final int SEND_OPS_UC = 34;

    /** Index of {@link #sendOpsUd()}. */
    public static final int SEND_OPS_UD = 35;

    /** Index of {@link #sendOpsXrcSend()}. */
    public static final int SEND_OPS_XRC_SEND = 36;

    /** Index of {@link #sendOpsDriver()}. */
    public static final int SEND_OPS_DRIVER = 37;

    /** Index of {@link #mrAccessFlags()}. */
    public static final int MR_ACCESS_FLAGS = 38;

    /** Index of {@link #qpCreateFlags()}. */
    public static final int QP_CREATE_FLAGS = 39;

    /** Index of {@link #maxFastRegLen()}. */
    public static final int MAX_FAST_REG_LEN = 40;

    /** Index of {@link #maskedAtomicSizes()}. */
    public static final int MASKED_ATOMIC_SIZES = 41;

    /** Index of {@link #qpAccessFlags()}. */
    public static final int QP_ACCESS_FLAGS = 42;

    /** Index of {@link #deviceTraits()}. */
    public static final int DEVICE_TRAITS = 43;

    /** Index of {@link #internalPorts()}. */
    public static final int INTERNAL_PORTS = 44;

    /** What each field takes, by its index. */
    private static final Class<?>[] TYPES = {
        DeviceAttr.class, // ORIG_ATTR
        Long.class, // ODP_GENERAL_CAPS
        Integer.class, // ODP_RC_CAPS
        Integer.class, // ODP_UC_CAPS
        Integer.class, // ODP_UD_CAPS
        Long.class, // COMPLETION_TIMESTAMP_MASK
        Long.class, // HCA_CORE_CLOCK
        Long.class, // DEVICE_CAP_FLAGS_EX
        Integer.class, // TSO_MAX_TSO
        Integer.class, // TSO_SUPPORTED_QPTS
        Integer.class, // RSS_SUPPORTED_QPTS
        Integer.class, // RSS_MAX_RWQ_INDIRECTION_TABLES
        Integer.class, // RSS_MAX_RWQ_INDIRECTION_TABLE_SIZE
        Long.class, // RSS_RX_HASH_FIELDS_MASK
        Integer.class, // RSS_RX_HASH_FUNCTION
        Integer.class, // MAX_WQ_TYPE_RQ
        Long.class, // PACKET_PACING_QP_RATE_LIMIT_MIN
        Long.class, // PACKET_PACING_QP_RATE_LIMIT_MAX
        Integer.class, // PACKET_PACING_SUPPORTED_QPTS
        Integer.class, // RAW_PACKET_CAPS
        Integer.class, // TM_MAX_RNDV_HDR_SIZE
        Integer.class, // TM_MAX_NUM_TAGS
        Integer.class, // TM_FLAGS
        Integer.class, // TM_MAX_OPS
        Integer.class, // TM_MAX_SGE
        Integer.class, // CQ_MODERATION_MAX_CQ_COUNT
        Integer.class, // CQ_MODERATION_MAX_CQ_PERIOD
        Long.class, // MAX_DM_SIZE
        Integer.class, // PCI_ATOMIC_FETCH_ADD
        Integer.class, // PCI_ATOMIC_SWAP
        Integer.class, // PCI_ATOMIC_COMPARE_SWAP
        Integer.class, // XRC_ODP_CAPS
        Integer.class, // PHYS_PORT_CNT_EX
        Long.class, // SEND_OPS_RC
        Long.class, // SEND_OPS_UC
        Long.class, // SEND_OPS_UD
        Long.class, // SEND_OPS_XRC_SEND
        Long.class, // SEND_OPS_DRIVER
        Integer.class, // MR_ACCESS_FLAGS
        Integer.class, // QP_CREATE_FLAGS
        Integer.class, // MAX_FAST_REG_LEN
        Integer.class, // MASKED_ATOMIC_SIZES
        Integer.class, // QP_ACCESS_FLAGS
        Long.class, // DEVICE_TRAITS
        Long.class, // INTERNAL_PORTS
    };

    private static final long NANOS_OF_MILLISECOND = 1_000_000;

    /** Creates an instance with nothing filled. */
    public DeviceAttrEx() {
        super(TYPES);
    }

    /** {@return the attributes of level 1; null where they were not filled} */
    public DeviceAttr origAttr() {
        return (DeviceAttr) field(ORIG_ATTR, null);
    }

    /** {@return paging on demand, {@link OdpGeneralCaps} bits} */
    public long odpGeneralCaps() {
        return (Long) field(ODP_GENERAL_CAPS, 0L);
    }

    /** {@return what RC can do with memory that is paged in on demand, {@link OdpTransportCaps} bits} */
    public int odpRcCaps() {
        return (Integer) field(ODP_RC_CAPS, 0);
    }

    /** {@return what UC can do with memory that is paged in on demand, {@link OdpTransportCaps} bits} */
    public int odpUcCaps() {
        return (Integer) field(ODP_UC_CAPS, 0);
    }

    /** {@return what UD can do with memory that is paged in on demand, {@link OdpTransportCaps} bits} */
    public int odpUdCaps() {
        return (Integer) field(ODP_UD_CAPS, 0);
    }

    /** {@return the bits of a completion's time stamp that count; 0 where there are no time stamps} */
    public long completionTimestampMask() {
        return (Long) field(COMPLETION_TIMESTAMP_MASK, 0L);
    }

    /** {@return frequency of the device's clock, in kHz; 0 where it has none} */
    public long hcaCoreClock() {
        return (Long) field(HCA_CORE_CLOCK, 0L);
    }

    /**
     * Makes time of ticks of the device's clock: of a difference of two readings, as unsigned numbers.
     *
     * @param ticks the ticks, unsigned; of time stamps, what {@link #completionTimestampMask()} leaves
     * @return nanoseconds, unsigned, rounded down; the lowest 64 bits where there are more
     * @throws VerbsException {@link Errno#EOPNOTSUPP} where {@link #hcaCoreClock()} is 0
     */
    public long nanosOfTicks(long ticks) {
        long khz = hcaCoreClock();
        if (khz == 0) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    "query_device_ex",
                    "the device does not tell how fast its clock is, so that ticks are no time; do without, or take another device");
        }
        // Whole milliseconds first: the product of all ticks would not fit.
        long rest = Long.remainderUnsigned(ticks, khz);
        return Long.divideUnsigned(ticks, khz) * NANOS_OF_MILLISECOND + nanosOfRest(rest, khz);
    }

    private static long nanosOfRest(long rest, long khz) {
        if (rest >= 0 && rest <= Long.MAX_VALUE / NANOS_OF_MILLISECOND) {
            return Long.divideUnsigned(rest * NANOS_OF_MILLISECOND, khz);
        }
        // Of no clock there is, but nobody else looks at what a provider says.
        BigInteger product = unsigned(rest).multiply(BigInteger.valueOf(NANOS_OF_MILLISECOND));
        return product.divide(unsigned(khz)).longValue();
    }

    private static BigInteger unsigned(long value) {
        return new BigInteger(Long.toUnsignedString(value));
    }

    /** {@return all capabilities, {@link DeviceCap} bits: those of {@link DeviceAttr#deviceCaps()} and those above bit 31} */
    public long deviceCapFlagsEx() {
        return (Long) field(DEVICE_CAP_FLAGS_EX, 0L);
    }

    /** {@return most bytes that one request of TSO sends} */
    public int tsoMaxTso() {
        return (Integer) field(TSO_MAX_TSO, 0);
    }

    /** {@return types of queue pairs that have TSO, bit 1 &lt;&lt; {@link QpType}} */
    public int tsoSupportedQpts() {
        return (Integer) field(TSO_SUPPORTED_QPTS, 0);
    }

    /** {@return types of queue pairs that receive by a hash, bit 1 &lt;&lt; {@link QpType}} */
    public int rssSupportedQpts() {
        return (Integer) field(RSS_SUPPORTED_QPTS, 0);
    }

    /** {@return most indirection tables} */
    public int rssMaxRwqIndirectionTables() {
        return (Integer) field(RSS_MAX_RWQ_INDIRECTION_TABLES, 0);
    }

    /** {@return most entries of an indirection table} */
    public int rssMaxRwqIndirectionTableSize() {
        return (Integer) field(RSS_MAX_RWQ_INDIRECTION_TABLE_SIZE, 0);
    }

    /** {@return fields of packets that can be hashed, {@link RxHashFields} bits} */
    public long rssRxHashFieldsMask() {
        return (Long) field(RSS_RX_HASH_FIELDS_MASK, 0L);
    }

    /** {@return hash functions, {@link RxHashFunction} bits} */
    public int rssRxHashFunction() {
        return (Integer) field(RSS_RX_HASH_FUNCTION, 0);
    }

    /** {@return most work queues of type RQ} */
    public int maxWqTypeRq() {
        return (Integer) field(MAX_WQ_TYPE_RQ, 0);
    }

    /** {@return least rate limit of a queue pair, in kilobits per second} */
    public long packetPacingQpRateLimitMin() {
        return (Long) field(PACKET_PACING_QP_RATE_LIMIT_MIN, 0L);
    }

    /** {@return most rate limit of a queue pair, in kilobits per second; 0 where rates can't be limited} */
    public long packetPacingQpRateLimitMax() {
        return (Long) field(PACKET_PACING_QP_RATE_LIMIT_MAX, 0L);
    }

    /** {@return types of queue pairs whose rate can be limited, bit 1 &lt;&lt; {@link QpType}} */
    public int packetPacingSupportedQpts() {
        return (Integer) field(PACKET_PACING_SUPPORTED_QPTS, 0);
    }

    /** {@return what can be done with raw packets, {@link RawPacketCaps} bits} */
    public int rawPacketCaps() {
        return (Integer) field(RAW_PACKET_CAPS, 0);
    }

    /** {@return most bytes of the header of a rendezvous request} */
    public int tmMaxRndvHdrSize() {
        return (Integer) field(TM_MAX_RNDV_HDR_SIZE, 0);
    }

    /** {@return most tags of a list that is matched; 0 where there is no tag matching} */
    public int tmMaxNumTags() {
        return (Integer) field(TM_MAX_NUM_TAGS, 0);
    }

    /** {@return tag matching, {@link TmCapFlags} bits} */
    public int tmFlags() {
        return (Integer) field(TM_FLAGS, 0);
    }

    /** {@return most outstanding list operations} */
    public int tmMaxOps() {
        return (Integer) field(TM_MAX_OPS, 0);
    }

    /** {@return most scatter elements of a tagged buffer} */
    public int tmMaxSge() {
        return (Integer) field(TM_MAX_SGE, 0);
    }

    /** {@return most {@link ModifyCqAttr#cqCount()}; 0 where events can't be moderated} */
    public int cqModerationMaxCqCount() {
        return (Integer) field(CQ_MODERATION_MAX_CQ_COUNT, 0);
    }

    /** {@return most {@link ModifyCqAttr#cqPeriod()}, in microseconds} */
    public int cqModerationMaxCqPeriod() {
        return (Integer) field(CQ_MODERATION_MAX_CQ_PERIOD, 0);
    }

    /** {@return bytes of memory on the device; 0 where it has none} */
    public long maxDmSize() {
        return (Long) field(MAX_DM_SIZE, 0L);
    }

    /** {@return sizes of fetch-and-add on the bus, {@link PciAtomicSizes} bits} */
    public int pciAtomicFetchAdd() {
        return (Integer) field(PCI_ATOMIC_FETCH_ADD, 0);
    }

    /** {@return sizes of swap on the bus, {@link PciAtomicSizes} bits} */
    public int pciAtomicSwap() {
        return (Integer) field(PCI_ATOMIC_SWAP, 0);
    }

    /** {@return sizes of compare-and-swap on the bus, {@link PciAtomicSizes} bits} */
    public int pciAtomicCompareSwap() {
        return (Integer) field(PCI_ATOMIC_COMPARE_SWAP, 0);
    }

    /** {@return what XRC can do with memory that is paged in on demand, {@link OdpTransportCaps} bits} */
    public int xrcOdpCaps() {
        return (Integer) field(XRC_ODP_CAPS, 0);
    }

    /** {@return number of ports, also where there are more than 255} */
    public int physPortCntEx() {
        return (Integer) field(PHYS_PORT_CNT_EX, 0);
    }

    /** {@return operations that RC has, {@link QpCreateSendOps} bits} */
    public long sendOpsRc() {
        return (Long) field(SEND_OPS_RC, 0L);
    }

    /** {@return operations that UC has, {@link QpCreateSendOps} bits} */
    public long sendOpsUc() {
        return (Long) field(SEND_OPS_UC, 0L);
    }

    /** {@return operations that UD has, {@link QpCreateSendOps} bits} */
    public long sendOpsUd() {
        return (Long) field(SEND_OPS_UD, 0L);
    }

    /** {@return operations that XRC_SEND has, {@link QpCreateSendOps} bits} */
    public long sendOpsXrcSend() {
        return (Long) field(SEND_OPS_XRC_SEND, 0L);
    }

    /** {@return operations that the vendor's own types have, {@link QpCreateSendOps} bits} */
    public long sendOpsDriver() {
        return (Long) field(SEND_OPS_DRIVER, 0L);
    }

    /** {@return rights that a region can give, {@link AccessFlags} bits} */
    public int mrAccessFlags() {
        return (Integer) field(MR_ACCESS_FLAGS, 0);
    }

    /** {@return special behaviour of queue pairs that is honoured, {@link QpCreateFlags} bits} */
    public int qpCreateFlags() {
        return (Integer) field(QP_CREATE_FLAGS, 0);
    }

    /** {@return most pieces of memory of one fast register; 0 where there is none} */
    public int maxFastRegLen() {
        return (Integer) field(MAX_FAST_REG_LEN, 0);
    }

    /** {@return sizes of masked atomics, {@link PciAtomicSizes} bits; 0 where there are none} */
    public int maskedAtomicSizes() {
        return (Integer) field(MASKED_ATOMIC_SIZES, 0);
    }

    /**
     * The rights that a queue pair can give its peer: {@link QpAttr#qpAccessFlags()}.
     *
     * @return {@link AccessFlags} bits; 0 where none is known
     */
    public int qpAccessFlags() {
        return (Integer) field(QP_ACCESS_FLAGS, 0);
    }

    /** {@return in what the device is unlike most, {@link DeviceTraits} bits; 0 of one that is as usual} */
    public long deviceTraits() {
        return (Long) field(DEVICE_TRAITS, 0L);
    }

    /**
     * The ports that are wired to other devices of the same machine, with no network behind: what is not wired to such a port can't be
     * reached by it. All others are ports to a network. Source: {@code ext_ports_mask} of Gaudi's {@code hbldv_query_device}, which has
     * those.
     *
     * @return bit <i>i</i> for port 1 + <i>i</i>, of the first 64 ports; 0 of a usual device
     */
    public long internalPorts() {
        return (Long) field(INTERNAL_PORTS, 0L);
    }

    /**
     * The operations that a type of queue pairs has. Without SEND, SEND_WITH_IMM, SEND_WITH_INV and RDMA_WRITE_WITH_IMM nothing that
     * comes takes a receive, and there are none.
     *
     * @param qpType a {@link QpType} value
     * @return {@link QpCreateSendOps} bits; 0 where none is known, and of a type that has no field here, as {@link
     *     QpType#XRC_RECV}, which sends nothing
     */
    public long sendOps(int qpType) {
        switch (qpType) {
            case QpType.RC:
                return sendOpsRc();
            case QpType.UC:
                return sendOpsUc();
            case QpType.UD:
                return sendOpsUd();
            case QpType.XRC_SEND:
                return sendOpsXrcSend();
            case QpType.DRIVER:
                return sendOpsDriver();
            default:
                return 0;
        }
    }

    /** {@return what was filled, by the names of the methods that read it; for logs and debuggers, the form may change} */
    @Override
    public String toString() {
        return AttrText.ofFilled(this);
    }
}
