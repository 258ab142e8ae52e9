/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.layout;

/**
 * {@code struct hbldv_qp_attr}: what a change of a queue pair has beyond the verbs.
 *
 * <pre>
 * 0 caps(8)  8 local_key(4)  12 remote_key(4)  16 congestion_wnd(4)  20 qp_num_hint(4)  24 dest_wq_size(4)
 * 28 wq_type(4)  32 wq_granularity(4)  36 priority(1)  37 coll_lag_idx(1)  38 coll_last_in_lag(1)  39 encap_num(1)
 * 40 coll_lag_size(1)  48 qp_to_migrate(8)    56 in all
 * 48 before 1.19, which do not read qp_to_migrate
 * </pre>
 */
public final class HblQpAttrLayout {
    public static final int SIZEOF = 56;
    public static final int CAPS = 0;
    public static final int LOCAL_KEY = 8;
    public static final int REMOTE_KEY = 12;
    public static final int CONGESTION_WND = 16;
    public static final int QP_NUM_HINT = 20;
    public static final int DEST_WQ_SIZE = 24;
    public static final int WQ_TYPE = 28;
    public static final int WQ_GRANULARITY = 32;
    public static final int PRIORITY = 36;
    public static final int COLL_LAG_IDX = 37;
    public static final int COLL_LAST_IN_LAG = 38;
    public static final int ENCAP_NUM = 39;
    public static final int COLL_LAG_SIZE = 40;
    public static final int QP_TO_MIGRATE = 48;

    private HblQpAttrLayout() {}
}
