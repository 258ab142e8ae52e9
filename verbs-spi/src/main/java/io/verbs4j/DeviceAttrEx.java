/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import java.math.BigInteger;

/**
 * Extended capabilities and limits of a device: the result of {@link Context#queryDeviceEx()}.
 *
 * <p>A field that is not filled, because library, provider, driver or kernel does not know it, reads as 0;
 * {@link #has(int)} says whether it is filled. Since level 3. Source: {@code ibv_query_device_ex(3)}. Not thread-safe.
 */
// Longer than 500 lines because each capability has a documented getter and setter, as `struct ibv_device_attr_ex` has
// a field.
// More than 30 public methods because each field of the C structure is two, and the API is frozen.
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

    /** The type of each field, by its index. */
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

    /** Creates an instance with no field filled. */
    public DeviceAttrEx() {
        super(TYPES);
    }

    /** {@return the attributes of level 1; null if they were not filled} */
    public DeviceAttr origAttr() {
        return (DeviceAttr) field(ORIG_ATTR, null);
    }

    /** {@return the support of on-demand paging, {@link OdpGeneralCaps} bits} */
    public long odpGeneralCaps() {
        return (Long) field(ODP_GENERAL_CAPS, 0L);
    }

    /** {@return the operations of RC that support on-demand paging, {@link OdpTransportCaps} bits} */
    public int odpRcCaps() {
        return (Integer) field(ODP_RC_CAPS, 0);
    }

    /** {@return the operations of UC that support on-demand paging, {@link OdpTransportCaps} bits} */
    public int odpUcCaps() {
        return (Integer) field(ODP_UC_CAPS, 0);
    }

    /** {@return the operations of UD that support on-demand paging, {@link OdpTransportCaps} bits} */
    public int odpUdCaps() {
        return (Integer) field(ODP_UD_CAPS, 0);
    }

    /** {@return the valid bits of a completion's time stamp; 0 if there are no time stamps} */
    public long completionTimestampMask() {
        return (Long) field(COMPLETION_TIMESTAMP_MASK, 0L);
    }

    /** {@return the frequency of the device's clock, in kHz; 0 if it has none} */
    public long hcaCoreClock() {
        return (Long) field(HCA_CORE_CLOCK, 0L);
    }

    /**
     * Converts ticks of the device's clock to nanoseconds; the ticks are the difference of two readings, as unsigned
     * numbers.
     *
     * @param ticks the ticks, unsigned; for time stamps, masked with {@link #completionTimestampMask()}
     * @return nanoseconds, unsigned, rounded down; the lowest 64 bits if there are more
     * @throws VerbsException {@link Errno#EOPNOTSUPP} if {@link #hcaCoreClock()} is 0
     */
    public long nanosOfTicks(long ticks) {
        long khz = hcaCoreClock();
        if (khz == 0) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    "query_device_ex",
                    "the device does not report its clock rate, so ticks can't be converted to time; do without, or use"
                            + " another device");
        }
        // Whole milliseconds first: the product with all ticks would not fit.
        long rest = Long.remainderUnsigned(ticks, khz);
        return Long.divideUnsigned(ticks, khz) * NANOS_OF_MILLISECOND + nanosOfRest(rest, khz);
    }

    private static long nanosOfRest(long rest, long khz) {
        if (rest >= 0 && rest <= Long.MAX_VALUE / NANOS_OF_MILLISECOND) {
            return Long.divideUnsigned(rest * NANOS_OF_MILLISECOND, khz);
        }
        // No real clock is so fast, but nothing else checks what a provider reports.
        BigInteger product = unsigned(rest).multiply(BigInteger.valueOf(NANOS_OF_MILLISECOND));
        return product.divide(unsigned(khz)).longValue();
    }

    private static BigInteger unsigned(long value) {
        return new BigInteger(Long.toUnsignedString(value));
    }

    /**
     * {@return all capabilities, {@link DeviceCap} bits: those of {@link DeviceAttr#deviceCaps()} and those above bit
     * 31}
     */
    public long deviceCapFlagsEx() {
        return (Long) field(DEVICE_CAP_FLAGS_EX, 0L);
    }

    /** {@return the maximum number of bytes that one TSO request sends} */
    public int tsoMaxTso() {
        return (Integer) field(TSO_MAX_TSO, 0);
    }

    /** {@return the types of queue pairs that support TSO, bit 1 &lt;&lt; {@link QpType}} */
    public int tsoSupportedQpts() {
        return (Integer) field(TSO_SUPPORTED_QPTS, 0);
    }

    /** {@return the types of queue pairs that spread receives by a hash, bit 1 &lt;&lt; {@link QpType}} */
    public int rssSupportedQpts() {
        return (Integer) field(RSS_SUPPORTED_QPTS, 0);
    }

    /** {@return the maximum number of indirection tables} */
    public int rssMaxRwqIndirectionTables() {
        return (Integer) field(RSS_MAX_RWQ_INDIRECTION_TABLES, 0);
    }

    /** {@return the maximum number of entries in an indirection table} */
    public int rssMaxRwqIndirectionTableSize() {
        return (Integer) field(RSS_MAX_RWQ_INDIRECTION_TABLE_SIZE, 0);
    }

    /** {@return the packet fields that can be hashed, {@link RxHashFields} bits} */
    public long rssRxHashFieldsMask() {
        return (Long) field(RSS_RX_HASH_FIELDS_MASK, 0L);
    }

    /** {@return the hash functions, {@link RxHashFunction} bits} */
    public int rssRxHashFunction() {
        return (Integer) field(RSS_RX_HASH_FUNCTION, 0);
    }

    /** {@return the maximum number of work queues of type RQ} */
    public int maxWqTypeRq() {
        return (Integer) field(MAX_WQ_TYPE_RQ, 0);
    }

    /** {@return the minimum rate limit of a queue pair, in kilobits per second} */
    public long packetPacingQpRateLimitMin() {
        return (Long) field(PACKET_PACING_QP_RATE_LIMIT_MIN, 0L);
    }

    /** {@return the maximum rate limit of a queue pair, in kilobits per second; 0 if rates cannot be limited} */
    public long packetPacingQpRateLimitMax() {
        return (Long) field(PACKET_PACING_QP_RATE_LIMIT_MAX, 0L);
    }

    /** {@return the types of queue pairs whose rate can be limited, bit 1 &lt;&lt; {@link QpType}} */
    public int packetPacingSupportedQpts() {
        return (Integer) field(PACKET_PACING_SUPPORTED_QPTS, 0);
    }

    /** {@return the supported features of raw packets, {@link RawPacketCaps} bits} */
    public int rawPacketCaps() {
        return (Integer) field(RAW_PACKET_CAPS, 0);
    }

    /** {@return the maximum size in bytes of the header of a rendezvous request} */
    public int tmMaxRndvHdrSize() {
        return (Integer) field(TM_MAX_RNDV_HDR_SIZE, 0);
    }

    /** {@return the maximum number of tags in a matching list; 0 if there is no tag matching} */
    public int tmMaxNumTags() {
        return (Integer) field(TM_MAX_NUM_TAGS, 0);
    }

    /** {@return the transports that support tag matching, {@link TmCapFlags} bits} */
    public int tmFlags() {
        return (Integer) field(TM_FLAGS, 0);
    }

    /** {@return the maximum number of outstanding list operations} */
    public int tmMaxOps() {
        return (Integer) field(TM_MAX_OPS, 0);
    }

    /** {@return the maximum number of scatter elements of a tagged buffer} */
    public int tmMaxSge() {
        return (Integer) field(TM_MAX_SGE, 0);
    }

    /** {@return the maximum of {@link ModifyCqAttr#cqCount()}; 0 if events cannot be moderated} */
    public int cqModerationMaxCqCount() {
        return (Integer) field(CQ_MODERATION_MAX_CQ_COUNT, 0);
    }

    /** {@return the maximum of {@link ModifyCqAttr#cqPeriod()}, in microseconds} */
    public int cqModerationMaxCqPeriod() {
        return (Integer) field(CQ_MODERATION_MAX_CQ_PERIOD, 0);
    }

    /** {@return the size of the device's memory in bytes; 0 if it has none} */
    public long maxDmSize() {
        return (Long) field(MAX_DM_SIZE, 0L);
    }

    /** {@return the sizes of fetch-and-add on the bus, {@link PciAtomicSizes} bits} */
    public int pciAtomicFetchAdd() {
        return (Integer) field(PCI_ATOMIC_FETCH_ADD, 0);
    }

    /** {@return the sizes of swap on the bus, {@link PciAtomicSizes} bits} */
    public int pciAtomicSwap() {
        return (Integer) field(PCI_ATOMIC_SWAP, 0);
    }

    /** {@return the sizes of compare-and-swap on the bus, {@link PciAtomicSizes} bits} */
    public int pciAtomicCompareSwap() {
        return (Integer) field(PCI_ATOMIC_COMPARE_SWAP, 0);
    }

    /** {@return the operations of XRC that support on-demand paging, {@link OdpTransportCaps} bits} */
    public int xrcOdpCaps() {
        return (Integer) field(XRC_ODP_CAPS, 0);
    }

    /** {@return the number of ports, which may exceed 255} */
    public int physPortCntEx() {
        return (Integer) field(PHYS_PORT_CNT_EX, 0);
    }

    /** {@return the operations that RC supports, {@link QpCreateSendOps} bits} */
    public long sendOpsRc() {
        return (Long) field(SEND_OPS_RC, 0L);
    }

    /** {@return the operations that UC supports, {@link QpCreateSendOps} bits} */
    public long sendOpsUc() {
        return (Long) field(SEND_OPS_UC, 0L);
    }

    /** {@return the operations that UD supports, {@link QpCreateSendOps} bits} */
    public long sendOpsUd() {
        return (Long) field(SEND_OPS_UD, 0L);
    }

    /** {@return the operations that XRC_SEND supports, {@link QpCreateSendOps} bits} */
    public long sendOpsXrcSend() {
        return (Long) field(SEND_OPS_XRC_SEND, 0L);
    }

    /** {@return the operations that the vendor's own types support, {@link QpCreateSendOps} bits} */
    public long sendOpsDriver() {
        return (Long) field(SEND_OPS_DRIVER, 0L);
    }

    /** {@return the access rights that a region can grant, {@link AccessFlags} bits} */
    public int mrAccessFlags() {
        return (Integer) field(MR_ACCESS_FLAGS, 0);
    }

    /** {@return the flags of queue pairs that are honoured, {@link QpCreateFlags} bits} */
    public int qpCreateFlags() {
        return (Integer) field(QP_CREATE_FLAGS, 0);
    }

    /** {@return the maximum number of pieces of memory in one fast register; 0 if it is not supported} */
    public int maxFastRegLen() {
        return (Integer) field(MAX_FAST_REG_LEN, 0);
    }

    /** {@return the sizes of masked atomics, {@link PciAtomicSizes} bits; 0 if they are not supported} */
    public int maskedAtomicSizes() {
        return (Integer) field(MASKED_ATOMIC_SIZES, 0);
    }

    /**
     * {@return the access rights that a queue pair can grant its peer, {@link AccessFlags} bits; 0 if unknown} See
     * {@link QpAttr#qpAccessFlags()}.
     */
    public int qpAccessFlags() {
        return (Integer) field(QP_ACCESS_FLAGS, 0);
    }

    /** {@return how the device differs from most others, {@link DeviceTraits} bits; 0 if it does not} */
    public long deviceTraits() {
        return (Long) field(DEVICE_TRAITS, 0L);
    }

    /**
     * Returns the ports that are wired to other devices of the same machine, with no network behind them: through such
     * a port only the device wired to it can be reached. All other ports are connected to a network. Source:
     * {@code ext_ports_mask} of Gaudi's {@code hbldv_query_device}, which has the external ports.
     *
     * @return bit <i>i</i> for port 1 + <i>i</i>, for the first 64 ports; 0 for most devices
     */
    public long internalPorts() {
        return (Long) field(INTERNAL_PORTS, 0L);
    }

    /**
     * Returns the operations that a type of queue pair supports. If they include none of SEND, SEND_WITH_IMM,
     * SEND_WITH_INV and RDMA_WRITE_WITH_IMM, nothing consumes a receive, and there are no receives.
     *
     * @param qpType a {@link QpType} value
     * @return {@link QpCreateSendOps} bits; 0 if unknown, and for a type without a field here, like
     *     {@link QpType#XRC_RECV}, which sends nothing
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

    /** {@return the filled fields, with the names of their accessors; for logs and debuggers, the format may change} */
    @Override
    public String toString() {
        return AttrText.ofFilled(this);
    }
}
