/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Bits of the access rights of a memory region, a memory window or a queue pair. Local reading is always permitted.
 *
 * <p>A value is the OR of any of the constants; the numbers are those of C. The library passes on bits that it does not
 * know, and the provider checks them.
 *
 * <pre>
 *   31 30       | 29 .. 20            | 19 ......... 0
 *   library and | optional: ignored   | provider: EOPNOTSUPP if
 *   provider    | if unknown          | unknown or not supported
 * </pre>
 *
 * <p>Source: {@code ibv_reg_mr(3)}.
 */
public final class AccessFlags {
    /**
     * Bit: the local device may write, as receives, RDMA reads and atomics do. Source: {@code IBV_ACCESS_LOCAL_WRITE},
     * {@code ibv_reg_mr(3)}.
     */
    public static final int LOCAL_WRITE = 1 << 0;

    /**
     * Bit: a peer may write by RDMA; a region also requires {@link #LOCAL_WRITE}. Source:
     * {@code IBV_ACCESS_REMOTE_WRITE}, {@code ibv_reg_mr(3)}.
     */
    public static final int REMOTE_WRITE = 1 << 1;

    /** Bit: a peer may read by RDMA. Source: {@code IBV_ACCESS_REMOTE_READ}, {@code ibv_reg_mr(3)}. */
    public static final int REMOTE_READ = 1 << 2;

    /**
     * Bit: a peer may perform atomic operations; a region also requires {@link #LOCAL_WRITE}. Source:
     * {@code IBV_ACCESS_REMOTE_ATOMIC}, {@code ibv_reg_mr(3)}.
     */
    public static final int REMOTE_ATOMIC = 1 << 3;

    /** Bit: memory windows may be bound to the region. Source: {@code IBV_ACCESS_MW_BIND}, {@code ibv_reg_mr(3)}. */
    public static final int MW_BIND = 1 << 4;

    /**
     * Bit: addresses in the region start at 0, not at its first address. Source: {@code IBV_ACCESS_ZERO_BASED},
     * {@code ibv_reg_mr(3)}.
     */
    public static final int ZERO_BASED = 1 << 5;

    /** Bit: pages are loaded when they are needed. Source: {@code IBV_ACCESS_ON_DEMAND}, {@code ibv_reg_mr(3)}. */
    public static final int ON_DEMAND = 1 << 6;

    /**
     * Bit: the memory consists of huge pages. Since level 3. Source: {@code IBV_ACCESS_HUGETLB}, {@code ibv_reg_mr(3)}.
     */
    public static final int HUGETLB = 1 << 7;

    /**
     * Bit: a peer may flush written data so that it is visible to all; for regions and queue pairs. Since level 3.
     * Source: {@code IBV_ACCESS_FLUSH_GLOBAL}, {@code ibv_reg_mr(3)}.
     */
    public static final int FLUSH_GLOBAL = 1 << 8;

    /**
     * Bit: a peer may flush written data so that it survives a loss of power; for regions and queue pairs. Since level
     * 3. Source: {@code IBV_ACCESS_FLUSH_PERSISTENT}, {@code ibv_reg_mr(3)}.
     */
    public static final int FLUSH_PERSISTENT = 1 << 9;

    /**
     * Bit, optional: the device may write in an order other than that of the requests. Source:
     * {@code IBV_ACCESS_RELAXED_ORDERING}, {@code ibv_reg_mr(3)}.
     */
    public static final int RELAXED_ORDERING = 1 << 20;

    /**
     * Bits that a library or provider ignores if it does not know them. Source: {@code IBV_ACCESS_OPTIONAL_RANGE},
     * {@code ibv_reg_mr(3)}.
     */
    public static final int OPTIONAL_RANGE = 0x3ff0_0000;

    /** Bits that the library must know, too, because they change what it does; there are none yet. */
    public static final int LIBRARY_RANGE = 0xc000_0000;

    private static final String[] NAMES = {
        "LOCAL_WRITE",
        "REMOTE_WRITE",
        "REMOTE_READ",
        "REMOTE_ATOMIC",
        "MW_BIND",
        "ZERO_BASED",
        "ON_DEMAND",
        "HUGETLB",
        "FLUSH_GLOBAL",
        "FLUSH_PERSISTENT",
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        "RELAXED_ORDERING",
    };

    private AccessFlags() {}

    /**
     * Returns the names of the bits that are set, joined by {@code |} in ascending order.
     *
     * @param flags bits of this class
     * @return for instance {@code "LOCAL_WRITE|REMOTE_WRITE"}; {@code "0"} if no bit is set; bits without a name come
     *     last, as one hexadecimal number
     */
    public static String toString(int flags) {
        return DeviceCap.join(flags, NAMES);
    }
}
