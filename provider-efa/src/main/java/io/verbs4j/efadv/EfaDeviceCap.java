/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.efadv;

import java.util.StringJoiner;

/** Capabilities, bits of {@link EfaDeviceAttr#deviceCaps()}. Source: efadv(7), {@code EFADV_DEVICE_ATTR_CAPS_*}. */
public final class EfaDeviceCap {
    /** RDMA reads on SRD. */
    public static final int RDMA_READ = 1 << 0;

    /** How often a receiver that is not ready is tried again can be set; rdma-core 32. */
    public static final int RNR_RETRY = 1 << 1;

    /** Completions with the source GID; rdma-core 43. */
    public static final int CQ_WITH_SGID = 1 << 2;

    /** RDMA writes on SRD; rdma-core 46. */
    public static final int RDMA_WRITE = 1 << 3;

    /** Writes with immediate data that take no receive; rdma-core 52. */
    public static final int UNSOLICITED_WRITE_RECV = 1 << 4;

    /** Completion queues in memory behind a descriptor; rdma-core 59. */
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
     * Names bits.
     *
     * @param caps of {@link EfaDeviceAttr#deviceCaps()}
     * @return the names, joined by {@code |}, the lowest bit first; what has none as a number, {@code 0} where no bit is set
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
