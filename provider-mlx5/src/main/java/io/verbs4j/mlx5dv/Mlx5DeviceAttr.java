/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

import io.verbs4j.provider.mlx5.layout.DvContextLayout;
import io.verbs4j.rdmacore.memory.NativeMemory;

/**
 * What a device has beyond the verbs: the answer of {@link Mlx5Dv#queryDevice(long)}. Groups that were not answered are absent: their
 * methods throw, and {@link #has(long)} tells. Immutable. Source: mlx5dv_query_device(3), {@code struct mlx5dv_context}.
 */
public final class Mlx5DeviceAttr {
    /**
     * Compressed completions.
     *
     * @param maxNum how many completions one stands for, at most
     * @param supportedFormat bits of {@link Mlx5CqeFormat}
     */
    public record CqeCompression(int maxNum, int supportedFormat) {}

    /**
     * Headers that software has parsed.
     *
     * @param offloads bits of {@link Mlx5SwParsing}
     * @param supportedQpTypes a bit for each queue pair type, by its number
     */
    public record SwParsing(int offloads, int supportedQpTypes) {}

    /**
     * Receive queues in strides.
     *
     * @param minLogStrideBytes logarithm of the least size of a stride
     * @param maxLogStrideBytes logarithm of the greatest
     * @param minLogStrides logarithm of the least number of strides of an element
     * @param maxLogStrides logarithm of the greatest
     * @param supportedQpTypes a bit for each queue pair type, by its number
     */
    public record StridingRq(
            int minLogStrideBytes, int maxLogStrideBytes, int minLogStrides, int maxLogStrides, int supportedQpTypes) {}

    /**
     * Signatures of blocks.
     *
     * @param blockSize {@code BLOCK_} bits of {@link Mlx5SignatureCaps}
     * @param blockProt {@code PROT_} bits
     * @param t10difBg {@code T10DIF_BG_} bits
     * @param crcType {@code CRC} bits
     */
    public record Signature(long blockSize, int blockProt, int t10difBg, int crcType) {}

    /**
     * Streams of a DC initiator.
     *
     * @param maxLogConcurrent logarithm of how many may be under way
     * @param maxLogErrored logarithm of how many may be in error
     */
    public record DciStreams(int maxLogConcurrent, int maxLogErrored) {}

    /**
     * Encryption.
     */
    public static final class Crypto extends Answer {
        private record Values(int failedSelftests, int engines, int wrappedImport, int logMaxDeks, int flags) {}

        private final Values values;

        Crypto(int failedSelftests, int engines, int wrappedImport, int logMaxDeks, int flags) {
            this(new Values(failedSelftests, engines, wrappedImport, logMaxDeks, flags));
        }

        private Crypto(Values values) {
            super(values);
            this.values = values;
        }

        /** {@return 0 where all engines work; else ask the vendor} */
        public int failedSelftests() {
            return values.failedSelftests();
        }

        /** {@return {@code ENGINE_} bits of {@link Mlx5CryptoCaps}} */
        public int engines() {
            return values.engines();
        }

        /** {@return {@code IMPORT_} bits} */
        public int wrappedImport() {
            return values.wrappedImport();
        }

        /** {@return the logarithm of the most keys} */
        public int logMaxDeks() {
            return values.logMaxDeks();
        }

        /** {@return the other bits} */
        public int flags() {
            return values.flags();
        }
    }

    /**
     * Reads and atomics with DC.
     *
     * @param responder how many a target answers at a time
     * @param initiator how many an initiator may have under way
     */
    public record DcRdAtom(long responder, long initiator) {}

    /**
     * Metadata that packets of this port carry.
     *
     * @param value the value
     * @param mask bits of it that count
     */
    public record RegC0(int value, int mask) {}

    /**
     * Receives out of order, how many at most.
     *
     * @param maxRc of an RC queue pair
     * @param maxXrc of XRC
     * @param maxDct of a DC target
     * @param maxUd of UD
     * @param maxUc of UC
     */
    public record OutOfOrderRecvWrs(int maxRc, int maxXrc, int maxDct, int maxUd, int maxUc) {}

    /** The groups that the struct has members for. */
    static final long KNOWN = (Mlx5ContextMask.OOO_RECV_WRS << 1) - 1;

    private final int version;
    private final long flags;
    private final Answered answered;
    private final CqeCompression cqeCompression;
    private final SwParsing swParsing;
    private final StridingRq stridingRq;
    private final Signature signature;
    private final DciStreams dciStreams;
    private final Crypto crypto;
    private final DcRdAtom maxDcRdAtom;
    private final RegC0 regC0;
    private final OutOfOrderRecvWrs outOfOrderRecvWrs;
    private final int tunnelOffloads;
    private final int maxDynamicBfregs;
    private final long maxClockInfoUpdateNanos;
    private final int flowActionFlags;
    private final int dcOdpCaps;
    private final long hcaCoreClock;
    private final int numLagPorts;
    private final long maxWrMemcpyLength;

    Mlx5DeviceAttr(long at) {
        version = NativeMemory.getByte(at + DvContextLayout.VERSION);
        flags = NativeMemory.getLong(at + DvContextLayout.FLAGS);
        answered = new Answered("mlx5dv_query_device", NativeMemory.getLong(at + DvContextLayout.COMP_MASK));
        cqeCompression = new CqeCompression(
                NativeMemory.getInt(at + DvContextLayout.CQE_COMP_CAPS_MAX_NUM),
                NativeMemory.getInt(at + DvContextLayout.CQE_COMP_CAPS_SUPPORTED_FORMAT));
        swParsing = new SwParsing(
                NativeMemory.getInt(at + DvContextLayout.SW_PARSING_CAPS_SW_PARSING_OFFLOADS),
                NativeMemory.getInt(at + DvContextLayout.SW_PARSING_CAPS_SUPPORTED_QPTS));
        stridingRq = new StridingRq(
                NativeMemory.getInt(at + DvContextLayout.STRIDING_RQ_CAPS_MIN_SINGLE_STRIDE_LOG_NUM_OF_BYTES),
                NativeMemory.getInt(at + DvContextLayout.STRIDING_RQ_CAPS_MAX_SINGLE_STRIDE_LOG_NUM_OF_BYTES),
                NativeMemory.getInt(at + DvContextLayout.STRIDING_RQ_CAPS_MIN_SINGLE_WQE_LOG_NUM_OF_STRIDES),
                NativeMemory.getInt(at + DvContextLayout.STRIDING_RQ_CAPS_MAX_SINGLE_WQE_LOG_NUM_OF_STRIDES),
                NativeMemory.getInt(at + DvContextLayout.STRIDING_RQ_CAPS_SUPPORTED_QPTS));
        signature = new Signature(
                NativeMemory.getLong(at + DvContextLayout.SIG_CAPS_BLOCK_SIZE),
                NativeMemory.getInt(at + DvContextLayout.SIG_CAPS_BLOCK_PROT),
                NativeMemory.getShort(at + DvContextLayout.SIG_CAPS_T10DIF_BG),
                NativeMemory.getShort(at + DvContextLayout.SIG_CAPS_CRC_TYPE));
        dciStreams = new DciStreams(
                NativeMemory.getByte(at + DvContextLayout.DCI_STREAMS_CAPS_MAX_LOG_NUM_CONCURENT),
                NativeMemory.getByte(at + DvContextLayout.DCI_STREAMS_CAPS_MAX_LOG_NUM_ERRORED));
        crypto = new Crypto(
                NativeMemory.getShort(at + DvContextLayout.CRYPTO_CAPS_FAILED_SELFTESTS),
                NativeMemory.getByte(at + DvContextLayout.CRYPTO_CAPS_CRYPTO_ENGINES),
                NativeMemory.getByte(at + DvContextLayout.CRYPTO_CAPS_WRAPPED_IMPORT_METHOD),
                NativeMemory.getByte(at + DvContextLayout.CRYPTO_CAPS_LOG_MAX_NUM_DEKS),
                NativeMemory.getInt(at + DvContextLayout.CRYPTO_CAPS_FLAGS));
        maxDcRdAtom = new DcRdAtom(
                NativeMemory.getLong(at + DvContextLayout.MAX_DC_RD_ATOM),
                NativeMemory.getLong(at + DvContextLayout.MAX_DC_INIT_RD_ATOM));
        regC0 = new RegC0(
                NativeMemory.getInt(at + DvContextLayout.REG_C0_VALUE),
                NativeMemory.getInt(at + DvContextLayout.REG_C0_MASK));
        outOfOrderRecvWrs = new OutOfOrderRecvWrs(
                NativeMemory.getInt(at + DvContextLayout.OOO_RECV_WRS_CAPS_MAX_RC),
                NativeMemory.getInt(at + DvContextLayout.OOO_RECV_WRS_CAPS_MAX_XRC),
                NativeMemory.getInt(at + DvContextLayout.OOO_RECV_WRS_CAPS_MAX_DCT),
                NativeMemory.getInt(at + DvContextLayout.OOO_RECV_WRS_CAPS_MAX_UD),
                NativeMemory.getInt(at + DvContextLayout.OOO_RECV_WRS_CAPS_MAX_UC));
        tunnelOffloads = NativeMemory.getInt(at + DvContextLayout.TUNNEL_OFFLOADS_CAPS);
        maxDynamicBfregs = NativeMemory.getInt(at + DvContextLayout.MAX_DYNAMIC_BFREGS);
        maxClockInfoUpdateNanos = NativeMemory.getLong(at + DvContextLayout.MAX_CLOCK_INFO_UPDATE_NSEC);
        flowActionFlags = NativeMemory.getInt(at + DvContextLayout.FLOW_ACTION_FLAGS);
        dcOdpCaps = NativeMemory.getInt(at + DvContextLayout.DC_ODP_CAPS);
        hcaCoreClock = NativeMemory.getLong(at + DvContextLayout.HCA_CORE_CLOCK);
        numLagPorts = NativeMemory.getByte(at + DvContextLayout.NUM_LAG_PORTS);
        maxWrMemcpyLength = NativeMemory.getLong(at + DvContextLayout.MAX_WR_MEMCPY_LENGTH);
    }

    /**
     * The version of the format of elements and completions.
     *
     * @return 0 with all releases up to now
     */
    public int version() {
        return version;
    }

    /**
     * Flags of the device.
     *
     * @return bits of {@link Mlx5ContextFlags}
     */
    public long flags() {
        return flags;
    }

    /**
     * The groups that were answered.
     *
     * @return bits of {@link Mlx5ContextMask}
     */
    public long compMask() {
        return answered.mask();
    }

    /**
     * Whether groups that were asked for were answered.
     *
     * @param bits of {@link Mlx5ContextMask}
     * @return true if all of them were
     */
    public boolean has(long bits) {
        return answered.has(bits);
    }

    /**
     * Compressed completions.
     *
     * @return what there is of it
     * @throws io.verbs4j.VerbsException {@link io.verbs4j.Errno#EOPNOTSUPP} where {@link Mlx5ContextMask#CQE_COMPRESSION} was not asked for or not
     *     answered
     */
    public CqeCompression cqeCompression() {
        answered.need(Mlx5ContextMask.CQE_COMPRESSION, "CQE_COMPRESSION");
        return cqeCompression;
    }

    /**
     * Headers that software has parsed.
     *
     * @return what there is of it
     * @throws io.verbs4j.VerbsException {@link io.verbs4j.Errno#EOPNOTSUPP} where {@link Mlx5ContextMask#SWP} was not asked for or not
     *     answered
     */
    public SwParsing swParsing() {
        answered.need(Mlx5ContextMask.SWP, "SWP");
        return swParsing;
    }

    /**
     * Receive queues in strides.
     *
     * @return what there is of it
     * @throws io.verbs4j.VerbsException {@link io.verbs4j.Errno#EOPNOTSUPP} where {@link Mlx5ContextMask#STRIDING_RQ} was not asked for or not
     *     answered
     */
    public StridingRq stridingRq() {
        answered.need(Mlx5ContextMask.STRIDING_RQ, "STRIDING_RQ");
        return stridingRq;
    }

    /**
     * Signatures of blocks.
     *
     * @return what there is of it
     * @throws io.verbs4j.VerbsException {@link io.verbs4j.Errno#EOPNOTSUPP} where {@link Mlx5ContextMask#SIGNATURE_OFFLOAD} was not asked for or not
     *     answered
     */
    public Signature signature() {
        answered.need(Mlx5ContextMask.SIGNATURE_OFFLOAD, "SIGNATURE_OFFLOAD");
        return signature;
    }

    /**
     * Streams of a DC initiator.
     *
     * @return what there is of it
     * @throws io.verbs4j.VerbsException {@link io.verbs4j.Errno#EOPNOTSUPP} where {@link Mlx5ContextMask#DCI_STREAMS} was not asked for or not
     *     answered
     */
    public DciStreams dciStreams() {
        answered.need(Mlx5ContextMask.DCI_STREAMS, "DCI_STREAMS");
        return dciStreams;
    }

    /**
     * Encryption.
     *
     * @return what there is of it
     * @throws io.verbs4j.VerbsException {@link io.verbs4j.Errno#EOPNOTSUPP} where {@link Mlx5ContextMask#CRYPTO_OFFLOAD} was not asked for or not
     *     answered
     */
    public Crypto crypto() {
        answered.need(Mlx5ContextMask.CRYPTO_OFFLOAD, "CRYPTO_OFFLOAD");
        return crypto;
    }

    /**
     * Reads and atomics with DC.
     *
     * @return what there is of it
     * @throws io.verbs4j.VerbsException {@link io.verbs4j.Errno#EOPNOTSUPP} where {@link Mlx5ContextMask#MAX_DC_RD_ATOM} was not asked for or not
     *     answered
     */
    public DcRdAtom maxDcRdAtom() {
        answered.need(Mlx5ContextMask.MAX_DC_RD_ATOM, "MAX_DC_RD_ATOM");
        return maxDcRdAtom;
    }

    /**
     * Metadata that packets of this port carry.
     *
     * @return what there is of it
     * @throws io.verbs4j.VerbsException {@link io.verbs4j.Errno#EOPNOTSUPP} where {@link Mlx5ContextMask#REG_C0} was not asked for or not
     *     answered
     */
    public RegC0 regC0() {
        answered.need(Mlx5ContextMask.REG_C0, "REG_C0");
        return regC0;
    }

    /**
     * Receives out of order, how many at most.
     *
     * @return what there is of it
     * @throws io.verbs4j.VerbsException {@link io.verbs4j.Errno#EOPNOTSUPP} where {@link Mlx5ContextMask#OOO_RECV_WRS} was not asked for or not
     *     answered
     */
    public OutOfOrderRecvWrs outOfOrderRecvWrs() {
        answered.need(Mlx5ContextMask.OOO_RECV_WRS, "OOO_RECV_WRS");
        return outOfOrderRecvWrs;
    }

    /**
     * Offloads of tunnels.
     *
     * @return bits of {@link Mlx5TunnelOffloads}
     * @throws io.verbs4j.VerbsException {@link io.verbs4j.Errno#EOPNOTSUPP} where {@link Mlx5ContextMask#TUNNEL_OFFLOADS} was not asked for or not
     *     answered
     */
    public int tunnelOffloads() {
        answered.need(Mlx5ContextMask.TUNNEL_OFFLOADS, "TUNNEL_OFFLOADS");
        return tunnelOffloads;
    }

    /**
     * How many doorbell registers can be had besides the usual ones.
     *
     * @return the number
     * @throws io.verbs4j.VerbsException {@link io.verbs4j.Errno#EOPNOTSUPP} where {@link Mlx5ContextMask#DYN_BFREGS} was not asked for or not
     *     answered
     */
    public int maxDynamicBfregs() {
        answered.need(Mlx5ContextMask.DYN_BFREGS, "DYN_BFREGS");
        return maxDynamicBfregs;
    }

    /**
     * How long a {@link ClockInfo} is good for.
     *
     * @return nanoseconds
     * @throws io.verbs4j.VerbsException {@link io.verbs4j.Errno#EOPNOTSUPP} where {@link Mlx5ContextMask#CLOCK_INFO_UPDATE} was not asked for or not
     *     answered
     */
    public long maxClockInfoUpdateNanos() {
        answered.need(Mlx5ContextMask.CLOCK_INFO_UPDATE, "CLOCK_INFO_UPDATE");
        return maxClockInfoUpdateNanos;
    }

    /**
     * Actions of flow steering.
     *
     * @return bits of {@code enum mlx5dv_flow_action_cap_flags}
     * @throws io.verbs4j.VerbsException {@link io.verbs4j.Errno#EOPNOTSUPP} where {@link Mlx5ContextMask#FLOW_ACTION_FLAGS} was not asked for or not
     *     answered
     */
    public int flowActionFlags() {
        answered.need(Mlx5ContextMask.FLOW_ACTION_FLAGS, "FLOW_ACTION_FLAGS");
        return flowActionFlags;
    }

    /**
     * On-demand paging with DC.
     *
     * @return bits of {@code enum ibv_odp_transport_cap_bits}
     * @throws io.verbs4j.VerbsException {@link io.verbs4j.Errno#EOPNOTSUPP} where {@link Mlx5ContextMask#DC_ODP_CAPS} was not asked for or not
     *     answered
     */
    public int dcOdpCaps() {
        answered.need(Mlx5ContextMask.DC_ODP_CAPS, "DC_ODP_CAPS");
        return dcOdpCaps;
    }

    /**
     * Where the clock can be read: 8 bytes in network order, the upper half first and again at the end.
     *
     * @return the address, readable until the context is closed
     * @throws io.verbs4j.VerbsException {@link io.verbs4j.Errno#EOPNOTSUPP} where {@link Mlx5ContextMask#HCA_CORE_CLOCK} was not asked for or not
     *     answered
     */
    public long hcaCoreClock() {
        answered.need(Mlx5ContextMask.HCA_CORE_CLOCK, "HCA_CORE_CLOCK");
        return hcaCoreClock;
    }

    /**
     * Ports that are bonded.
     *
     * @return the number
     * @throws io.verbs4j.VerbsException {@link io.verbs4j.Errno#EOPNOTSUPP} where {@link Mlx5ContextMask#NUM_LAG_PORTS} was not asked for or not
     *     answered
     */
    public int numLagPorts() {
        answered.need(Mlx5ContextMask.NUM_LAG_PORTS, "NUM_LAG_PORTS");
        return numLagPorts;
    }

    /**
     * Copies within the device.
     *
     * @return the greatest length, in bytes
     * @throws io.verbs4j.VerbsException {@link io.verbs4j.Errno#EOPNOTSUPP} where {@link Mlx5ContextMask#WR_MEMCPY_LENGTH} was not asked for or not
     *     answered
     */
    public long maxWrMemcpyLength() {
        answered.need(Mlx5ContextMask.WR_MEMCPY_LENGTH, "WR_MEMCPY_LENGTH");
        return maxWrMemcpyLength;
    }
}
