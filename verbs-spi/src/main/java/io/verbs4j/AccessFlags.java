/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Bits of the access rights of a memory region, a memory window or a queue pair. Local reading is always permitted.
 *
 * <p>A value is the OR of any of the constants; the numbers are those of C. The library passes on bits that it does not know,
 * and the provider answers for them.
 *
 * <pre>
 *   31 30       | 29 .. 20            | 19 ......... 0
 *   library and | optional: whoever   | provider: refuses what it does not know or can't give,
 *   provider    | does not know drops | EOPNOTSUPP
 * </pre>
 *
 * <p>Source: {@code ibv_reg_mr(3)}.
 */
public final class AccessFlags {
    /**
     * Bit: the local device may write, as receives, RDMA reads and atomics do. Source: {@code IBV_ACCESS_LOCAL_WRITE},
     * ibv_reg_mr(3).
     */
    public static final int LOCAL_WRITE = 1 << 0;

    /**
     * Bit: a peer may write by RDMA; a region needs {@link #LOCAL_WRITE} with it. Source: {@code
     * IBV_ACCESS_REMOTE_WRITE}, ibv_reg_mr(3).
     */
    public static final int REMOTE_WRITE = 1 << 1;

    /** Bit: a peer may read by RDMA. Source: {@code IBV_ACCESS_REMOTE_READ}, ibv_reg_mr(3). */
    public static final int REMOTE_READ = 1 << 2;

    /**
     * Bit: a peer may perform atomic operations; a region needs {@link #LOCAL_WRITE} with it. Source: {@code
     * IBV_ACCESS_REMOTE_ATOMIC}, ibv_reg_mr(3).
     */
    public static final int REMOTE_ATOMIC = 1 << 3;

    /** Bit: memory windows may be bound to the region. Source: {@code IBV_ACCESS_MW_BIND}, ibv_reg_mr(3). */
    public static final int MW_BIND = 1 << 4;

    /**
     * Bit: addresses in the region count from 0, not from its first address. Source: {@code IBV_ACCESS_ZERO_BASED},
     * ibv_reg_mr(3).
     */
    public static final int ZERO_BASED = 1 << 5;

    /** Bit: pages are brought in when they are needed. Source: {@code IBV_ACCESS_ON_DEMAND}, ibv_reg_mr(3). */
    public static final int ON_DEMAND = 1 << 6;

    /** Bit: pages are huge ones. Since level 3. Source: {@code IBV_ACCESS_HUGETLB}, ibv_reg_mr(3). */
    public static final int HUGETLB = 1 << 7;

    /**
     * Bit: a peer may ask that what was written is visible to all; of regions and of queue pairs. Since level 3. Source: {@code
     * IBV_ACCESS_FLUSH_GLOBAL}, ibv_reg_mr(3).
     */
    public static final int FLUSH_GLOBAL = 1 << 8;

    /**
     * Bit: a peer may ask that what was written outlives a loss of power; of regions and of queue pairs. Since level 3. Source: {@code
     * IBV_ACCESS_FLUSH_PERSISTENT}, ibv_reg_mr(3).
     */
    public static final int FLUSH_PERSISTENT = 1 << 9;

    /**
     * Bit, optional: the device may write in another order than that of the requests. Source: {@code
     * IBV_ACCESS_RELAXED_ORDERING}, ibv_reg_mr(3).
     */
    public static final int RELAXED_ORDERING = 1 << 20;

    /** Bits that are dropped by whoever does not know them. Source: {@code IBV_ACCESS_OPTIONAL_RANGE}, ibv_reg_mr(3). */
    public static final int OPTIONAL_RANGE = 0x3ff0_0000;

    /** Bits that the library must know too, because they change what it does; there are none yet. */
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
     * Names of the bits that are set, joined by {@code |} in ascending order.
     *
     * @param flags bits of this class
     * @return for instance {@code "LOCAL_WRITE|REMOTE_WRITE"}; {@code "0"} if no bit is set; bits without a name come
     * last, as one hexadecimal number
     */
    public static String toString(int flags) {
        return DeviceCap.join(flags, NAMES);
    }
}
