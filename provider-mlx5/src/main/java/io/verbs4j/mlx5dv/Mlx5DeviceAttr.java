/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.provider.mlx5.layout.DvContextLayout;

/**
 * Device attributes beyond the verbs, returned by {@link Mlx5Dv#queryDevice(long)}. Groups that were not requested or
 * not filled in are absent: they read as 0, and {@link #has(long)} distinguishes them from a reported 0. Immutable.
 * Source: mlx5dv_query_device(3), {@code struct mlx5dv_context}.
 */
public final class Mlx5DeviceAttr {
    /**
     * Compressed completions.
     *
     * @param maxNum maximum number of completions that one compressed completion stands for
     * @param supportedFormat bits of {@link Mlx5CqeFormat}
     */
    public record CqeCompression(int maxNum, int supportedFormat) {}

    /**
     * Header parsing by software.
     *
     * @param offloads bits of {@link Mlx5SwParsing}
     * @param supportedQpTypes a bit for each queue pair type, by its number
     */
    public record SwParsing(int offloads, int supportedQpTypes) {}

    /**
     * Striding receive queues.
     *
     * @param minLogStrideBytes logarithm of the minimum size of a stride
     * @param maxLogStrideBytes logarithm of the maximum size of a stride
     * @param minLogStrides logarithm of the minimum number of strides in an element
     * @param maxLogStrides logarithm of the maximum number of strides in an element
     * @param supportedQpTypes a bit for each queue pair type, by its number
     */
    public record StridingRq(
            int minLogStrideBytes, int maxLogStrideBytes, int minLogStrides, int maxLogStrides, int supportedQpTypes) {}

    /**
     * Block signatures.
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
     * @param maxLogConcurrent logarithm of the maximum number of concurrent streams
     * @param maxLogErrored logarithm of the maximum number of streams in error
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

        /** {@return 0 if all engines work; otherwise a vendor-specific number} */
        public int failedSelftests() {
            return values.failedSelftests();
        }

        /** {@return {@code ENGINE_} bits of {@link Mlx5CryptoCaps}} */
        public int engines() {
            return values.engines();
        }

        /** {@return {@code IMPORT_} bits of {@link Mlx5CryptoCaps}} */
        public int wrappedImport() {
            return values.wrappedImport();
        }

        /** {@return the logarithm of the maximum number of keys} */
        public int logMaxDeks() {
            return values.logMaxDeks();
        }

        /** {@return the other bits of {@link Mlx5CryptoCaps}} */
        public int flags() {
            return values.flags();
        }
    }

    /**
     * Outstanding reads and atomics with DC.
     *
     * @param responder maximum number that a target processes at a time
     * @param initiator maximum number that an initiator may have outstanding
     */
    public record DcRdAtom(long responder, long initiator) {}

    /**
     * Metadata that packets of this port carry.
     *
     * @param value the value
     * @param mask its significant bits
     */
    public record RegC0(int value, int mask) {}

    /**
     * Maximum numbers of out-of-order receives.
     *
     * @param maxRc for RC queue pairs
     * @param maxXrc for XRC
     * @param maxDct for DC targets
     * @param maxUd for UD
     * @param maxUc for UC
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
        answered = new Answered(NativeMemory.getLong(at + DvContextLayout.COMP_MASK));
        try (Scratch zeros = new Scratch(DvContextLayout.SIZEOF)) {
            long from = answered.where(Mlx5ContextMask.CQE_COMPRESSION, at, zeros.address());
            cqeCompression = new CqeCompression(
                    NativeMemory.getInt(from + DvContextLayout.CQE_COMP_CAPS_MAX_NUM),
                    NativeMemory.getInt(from + DvContextLayout.CQE_COMP_CAPS_SUPPORTED_FORMAT));
            from = answered.where(Mlx5ContextMask.SWP, at, zeros.address());
            swParsing = new SwParsing(
                    NativeMemory.getInt(from + DvContextLayout.SW_PARSING_CAPS_SW_PARSING_OFFLOADS),
                    NativeMemory.getInt(from + DvContextLayout.SW_PARSING_CAPS_SUPPORTED_QPTS));
            from = answered.where(Mlx5ContextMask.STRIDING_RQ, at, zeros.address());
            stridingRq = new StridingRq(
                    NativeMemory.getInt(from + DvContextLayout.STRIDING_RQ_CAPS_MIN_SINGLE_STRIDE_LOG_NUM_OF_BYTES),
                    NativeMemory.getInt(from + DvContextLayout.STRIDING_RQ_CAPS_MAX_SINGLE_STRIDE_LOG_NUM_OF_BYTES),
                    NativeMemory.getInt(from + DvContextLayout.STRIDING_RQ_CAPS_MIN_SINGLE_WQE_LOG_NUM_OF_STRIDES),
                    NativeMemory.getInt(from + DvContextLayout.STRIDING_RQ_CAPS_MAX_SINGLE_WQE_LOG_NUM_OF_STRIDES),
                    NativeMemory.getInt(from + DvContextLayout.STRIDING_RQ_CAPS_SUPPORTED_QPTS));
            from = answered.where(Mlx5ContextMask.SIGNATURE_OFFLOAD, at, zeros.address());
            signature = new Signature(
                    NativeMemory.getLong(from + DvContextLayout.SIG_CAPS_BLOCK_SIZE),
                    NativeMemory.getInt(from + DvContextLayout.SIG_CAPS_BLOCK_PROT),
                    NativeMemory.getShort(from + DvContextLayout.SIG_CAPS_T10DIF_BG),
                    NativeMemory.getShort(from + DvContextLayout.SIG_CAPS_CRC_TYPE));
            from = answered.where(Mlx5ContextMask.DCI_STREAMS, at, zeros.address());
            dciStreams = new DciStreams(
                    NativeMemory.getByte(from + DvContextLayout.DCI_STREAMS_CAPS_MAX_LOG_NUM_CONCURENT),
                    NativeMemory.getByte(from + DvContextLayout.DCI_STREAMS_CAPS_MAX_LOG_NUM_ERRORED));
            from = answered.where(Mlx5ContextMask.CRYPTO_OFFLOAD, at, zeros.address());
            crypto = new Crypto(
                    NativeMemory.getShort(from + DvContextLayout.CRYPTO_CAPS_FAILED_SELFTESTS),
                    NativeMemory.getByte(from + DvContextLayout.CRYPTO_CAPS_CRYPTO_ENGINES),
                    NativeMemory.getByte(from + DvContextLayout.CRYPTO_CAPS_WRAPPED_IMPORT_METHOD),
                    NativeMemory.getByte(from + DvContextLayout.CRYPTO_CAPS_LOG_MAX_NUM_DEKS),
                    NativeMemory.getInt(from + DvContextLayout.CRYPTO_CAPS_FLAGS));
            from = answered.where(Mlx5ContextMask.MAX_DC_RD_ATOM, at, zeros.address());
            maxDcRdAtom = new DcRdAtom(
                    NativeMemory.getLong(from + DvContextLayout.MAX_DC_RD_ATOM),
                    NativeMemory.getLong(from + DvContextLayout.MAX_DC_INIT_RD_ATOM));
            from = answered.where(Mlx5ContextMask.REG_C0, at, zeros.address());
            regC0 = new RegC0(
                    NativeMemory.getInt(from + DvContextLayout.REG_C0_VALUE),
                    NativeMemory.getInt(from + DvContextLayout.REG_C0_MASK));
            from = answered.where(Mlx5ContextMask.OOO_RECV_WRS, at, zeros.address());
            outOfOrderRecvWrs = new OutOfOrderRecvWrs(
                    NativeMemory.getInt(from + DvContextLayout.OOO_RECV_WRS_CAPS_MAX_RC),
                    NativeMemory.getInt(from + DvContextLayout.OOO_RECV_WRS_CAPS_MAX_XRC),
                    NativeMemory.getInt(from + DvContextLayout.OOO_RECV_WRS_CAPS_MAX_DCT),
                    NativeMemory.getInt(from + DvContextLayout.OOO_RECV_WRS_CAPS_MAX_UD),
                    NativeMemory.getInt(from + DvContextLayout.OOO_RECV_WRS_CAPS_MAX_UC));
            from = answered.where(Mlx5ContextMask.TUNNEL_OFFLOADS, at, zeros.address());
            tunnelOffloads = NativeMemory.getInt(from + DvContextLayout.TUNNEL_OFFLOADS_CAPS);
            from = answered.where(Mlx5ContextMask.DYN_BFREGS, at, zeros.address());
            maxDynamicBfregs = NativeMemory.getInt(from + DvContextLayout.MAX_DYNAMIC_BFREGS);
            from = answered.where(Mlx5ContextMask.CLOCK_INFO_UPDATE, at, zeros.address());
            maxClockInfoUpdateNanos = NativeMemory.getLong(from + DvContextLayout.MAX_CLOCK_INFO_UPDATE_NSEC);
            from = answered.where(Mlx5ContextMask.FLOW_ACTION_FLAGS, at, zeros.address());
            flowActionFlags = NativeMemory.getInt(from + DvContextLayout.FLOW_ACTION_FLAGS);
            from = answered.where(Mlx5ContextMask.DC_ODP_CAPS, at, zeros.address());
            dcOdpCaps = NativeMemory.getInt(from + DvContextLayout.DC_ODP_CAPS);
            from = answered.where(Mlx5ContextMask.HCA_CORE_CLOCK, at, zeros.address());
            hcaCoreClock = NativeMemory.getLong(from + DvContextLayout.HCA_CORE_CLOCK);
            from = answered.where(Mlx5ContextMask.NUM_LAG_PORTS, at, zeros.address());
            numLagPorts = NativeMemory.getByte(from + DvContextLayout.NUM_LAG_PORTS);
            from = answered.where(Mlx5ContextMask.WR_MEMCPY_LENGTH, at, zeros.address());
            maxWrMemcpyLength = NativeMemory.getLong(from + DvContextLayout.MAX_WR_MEMCPY_LENGTH);
        }
    }

    /**
     * Returns the version of the format of elements and completions.
     *
     * @return 0 with all releases so far
     */
    public int version() {
        return version;
    }

    /** {@return the flags of the device, bits of {@link Mlx5ContextFlags}} */
    public long flags() {
        return flags;
    }

    /** {@return the groups that were filled in, bits of {@link Mlx5ContextMask}} */
    public long compMask() {
        return answered.mask();
    }

    /**
     * Returns whether groups were filled in.
     *
     * @param bits bits of {@link Mlx5ContextMask}
     * @return true if all of them were
     */
    public boolean has(long bits) {
        return answered.has(bits);
    }

    /** {@return the values for compressed completions, all 0 without {@link Mlx5ContextMask#CQE_COMPRESSION}} */
    public CqeCompression cqeCompression() {
        return cqeCompression;
    }

    /** {@return the values for header parsing by software, all 0 without {@link Mlx5ContextMask#SWP}} */
    public SwParsing swParsing() {
        return swParsing;
    }

    /** {@return the values for striding receive queues, all 0 without {@link Mlx5ContextMask#STRIDING_RQ}} */
    public StridingRq stridingRq() {
        return stridingRq;
    }

    /** {@return the values for block signatures, all 0 without {@link Mlx5ContextMask#SIGNATURE_OFFLOAD}} */
    public Signature signature() {
        return signature;
    }

    /** {@return the values for streams of a DC initiator, all 0 without {@link Mlx5ContextMask#DCI_STREAMS}} */
    public DciStreams dciStreams() {
        return dciStreams;
    }

    /** {@return the values for encryption, all 0 without {@link Mlx5ContextMask#CRYPTO_OFFLOAD}} */
    public Crypto crypto() {
        return crypto;
    }

    /**
     * {@return the values for outstanding reads and atomics with DC, all 0 without
     * {@link Mlx5ContextMask#MAX_DC_RD_ATOM}}
     */
    public DcRdAtom maxDcRdAtom() {
        return maxDcRdAtom;
    }

    /** {@return the metadata that packets of this port carry, all 0 without {@link Mlx5ContextMask#REG_C0}} */
    public RegC0 regC0() {
        return regC0;
    }

    /** {@return the maximum numbers of out-of-order receives, all 0 without {@link Mlx5ContextMask#OOO_RECV_WRS}} */
    public OutOfOrderRecvWrs outOfOrderRecvWrs() {
        return outOfOrderRecvWrs;
    }

    /**
     * {@return the tunnel offloads, bits of {@link Mlx5TunnelOffloads}; 0 without
     * {@link Mlx5ContextMask#TUNNEL_OFFLOADS}}
     */
    public int tunnelOffloads() {
        return tunnelOffloads;
    }

    /**
     * Returns the number of doorbell registers that can be allocated in addition to the usual ones.
     *
     * @return the number; 0 without {@link Mlx5ContextMask#DYN_BFREGS}
     */
    public int maxDynamicBfregs() {
        return maxDynamicBfregs;
    }

    /**
     * Returns how long a {@link ClockInfo} remains valid.
     *
     * @return nanoseconds; 0 without {@link Mlx5ContextMask#CLOCK_INFO_UPDATE}
     */
    public long maxClockInfoUpdateNanos() {
        return maxClockInfoUpdateNanos;
    }

    /**
     * Returns the supported flow steering actions.
     *
     * @return bits of {@code enum mlx5dv_flow_action_cap_flags}; 0 without {@link Mlx5ContextMask#FLOW_ACTION_FLAGS}
     */
    public int flowActionFlags() {
        return flowActionFlags;
    }

    /**
     * Returns the support for on-demand paging with DC.
     *
     * @return bits of {@code enum ibv_odp_transport_cap_bits}; 0 without {@link Mlx5ContextMask#DC_ODP_CAPS}
     */
    public int dcOdpCaps() {
        return dcOdpCaps;
    }

    /**
     * Returns the address of the device's clock: 8 bytes in network order; read the upper half first, and again at the
     * end.
     *
     * @return the address, readable until the context is closed; 0 without {@link Mlx5ContextMask#HCA_CORE_CLOCK}
     */
    public long hcaCoreClock() {
        return hcaCoreClock;
    }

    /** {@return the number of bonded ports; 0 without {@link Mlx5ContextMask#NUM_LAG_PORTS}} */
    public int numLagPorts() {
        return numLagPorts;
    }

    /**
     * Returns the maximum length of a copy within the device.
     *
     * @return number of bytes; 0 without {@link Mlx5ContextMask#WR_MEMCPY_LENGTH}
     */
    public long maxWrMemcpyLength() {
        return maxWrMemcpyLength;
    }
}
