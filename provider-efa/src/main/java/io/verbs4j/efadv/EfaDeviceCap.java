/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.efadv;

import java.util.StringJoiner;

/**
 * Device capabilities, bits of {@link EfaDeviceAttr#deviceCaps()}. Source: {@code efadv(7)},
 * {@code EFADV_DEVICE_ATTR_CAPS_*}.
 */
public final class EfaDeviceCap {
    /** RDMA reads on SRD queue pairs. */
    public static final int RDMA_READ = 1 << 0;

    /** The number of retries when the receiver is not ready can be set; rdma-core 32. */
    public static final int RNR_RETRY = 1 << 1;

    /** Completions carry the sender's GID; rdma-core 43. */
    public static final int CQ_WITH_SGID = 1 << 2;

    /** RDMA writes on SRD queue pairs; rdma-core 46. */
    public static final int RDMA_WRITE = 1 << 3;

    /** Writes with immediate data that consume no receive; rdma-core 52. */
    public static final int UNSOLICITED_WRITE_RECV = 1 << 4;

    /** Completion queues in the memory of a dma-buf; rdma-core 59. */
    public static final int CQ_WITH_EXT_MEM_DMABUF = 1 << 5;

    /** Completion counters; rdma-core 65. */
    public static final int COMP_CNTR = 1 << 6;

    private static final String[] NAMES = {
        "RDMA_READ",
        "RNR_RETRY",
        "CQ_WITH_SGID",
        "RDMA_WRITE",
        "UNSOLICITED_WRITE_RECV",
        "CQ_WITH_EXT_MEM_DMABUF",
        "COMP_CNTR"
    };

    private EfaDeviceCap() {}

    /**
     * Returns the names of capabilities.
     *
     * @param caps bits of {@link EfaDeviceAttr#deviceCaps()}
     * @return the names, joined by {@code |}, the lowest bit first; bits without a name follow as one hexadecimal
     *     number; {@code 0} if no bit is set
     */
    public static String toString(int caps) {
        StringJoiner joined = new StringJoiner("|").setEmptyValue("0");
        for (int bit = 0; bit < NAMES.length; bit++) {
            if ((caps & 1 << bit) != 0) {
                joined.add(NAMES[bit]);
            }
        }
        int rest = caps >>> NAMES.length << NAMES.length;
        return (rest == 0 ? joined : joined.add("0x" + Integer.toHexString(rest))).toString();
    }
}
