/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

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
@CStruct(value = "struct hbldv_qp_attr", header = "infiniband/hbldv.h")
public final class HblQpAttrLayout {
    @CSize(size = 56)
    public static final int SIZEOF = 56;

    @CField(value = "caps", size = 8)
    public static final int CAPS = 0;

    @CField(value = "local_key", size = 4)
    public static final int LOCAL_KEY = 8;

    @CField(value = "remote_key", size = 4)
    public static final int REMOTE_KEY = 12;

    @CField(value = "congestion_wnd", size = 4)
    public static final int CONGESTION_WND = 16;

    @CField(value = "qp_num_hint", size = 4)
    public static final int QP_NUM_HINT = 20;

    @CField(value = "dest_wq_size", size = 4)
    public static final int DEST_WQ_SIZE = 24;

    @CField(value = "wq_type", size = 4)
    public static final int WQ_TYPE = 28;

    @CField(value = "wq_granularity", size = 4)
    public static final int WQ_GRANULARITY = 32;

    @CField(value = "priority", size = 1)
    public static final int PRIORITY = 36;

    @CField(value = "coll_lag_idx", size = 1)
    public static final int COLL_LAG_IDX = 37;

    @CField(value = "coll_last_in_lag", size = 1)
    public static final int COLL_LAST_IN_LAG = 38;

    @CField(value = "encap_num", size = 1)
    public static final int ENCAP_NUM = 39;

    @CField(value = "coll_lag_size", size = 1)
    public static final int COLL_LAG_SIZE = 40;

    @CField(value = "qp_to_migrate", size = 8)
    public static final int QP_TO_MIGRATE = 48;

    private HblQpAttrLayout() {}
}
