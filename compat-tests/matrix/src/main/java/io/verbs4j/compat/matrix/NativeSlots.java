/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.matrix;

import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The layout of {@code struct verbs_context} in releases of rdma-core, measured by compiling the header of every
 * release from 12 to 65: its size on x86-64, and the order of its slots, going away from the context. No slot has ever
 * moved, so size and order tell which slots each release has.
 */
final class NativeSlots {
    /** {@code sizeof(struct ibv_context)}, {@code sz} and an unused field before it. */
    private static final int BEFORE_THE_FIRST = 328 + 8 + 8;

    private static final NavigableMap<Integer, Integer> SIZES = new TreeMap<>(
            Map.of(12, 496, 16, 512, 17, 536, 18, 592, 19, 624, 20, 632, 22, 648, 59, 672, 62, 680, 64, 696));

    /** The slots from offset -24 on, each 8 bytes further away; "-" if there is no function for a program. */
    static final List<String> ORDER = List.of(
            "close_xrcd",
            "open_xrcd",
            "create_srq_ex",
            "get_srq_num",
            "create_qp_ex",
            "open_qp",
            "-",
            "ibv_create_flow",
            "-",
            "ibv_destroy_flow",
            "query_device_ex",
            "-",
            "create_cq_ex",
            "query_rt_values",
            "create_wq",
            "modify_wq",
            "destroy_wq",
            "create_rwq_ind_table",
            "destroy_rwq_ind_table",
            "post_srq_ops",
            "modify_cq",
            "alloc_td",
            "dealloc_td",
            "alloc_parent_domain",
            "modify_qp_rate_limit",
            "create_flow_action_esp",
            "destroy_flow_action",
            "modify_flow_action_esp",
            "free_dm",
            "alloc_dm",
            "reg_dm_mr",
            "destroy_counters",
            "create_counters",
            "attach_counters_point_flow",
            "read_counters",
            "alloc_null_mr",
            "advise_mr",
            "query_port",
            "alloc_dmah",
            "dealloc_dmah",
            "reg_mr_ex",
            "dm_export_dmabuf_fd",
            "alloc_buf",
            "free_buf");

    /** The newest release that was measured; a newer one has all of these slots and may have more. */
    static final int NEWEST = 65;

    /**
     * The number of the private interface between library and providers, which is part of the providers' file names.
     */
    private static final NavigableMap<Integer, Integer> INTERFACES =
            new TreeMap<>(Map.of(25, 25, 33, 33, 34, 34, 57, 57, 59, 59, 64, 64, 65, 65));

    private NativeSlots() {}

    /** {@return the suffix of the names of a release's provider files} */
    static String suffix(int release) {
        return "rdmav" + INTERFACES.floorEntry(release).getValue();
    }

    /** {@return the {@code sz} of a release} */
    static int size(int release) {
        return SIZES.floorEntry(release).getValue();
    }

    /** {@return the number of entries of {@link #ORDER} within the size of a release} */
    static int count(int release) {
        return (size(release) - BEFORE_THE_FIRST) / Long.BYTES;
    }
}
