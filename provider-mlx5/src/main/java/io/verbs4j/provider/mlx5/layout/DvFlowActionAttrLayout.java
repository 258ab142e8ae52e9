/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct mlx5dv_flow_action_attr}: one action of a rule. The members of the union begin at 8.
 *
 * <pre>
 * 0 type(4)  8 qp(8)  8 action(8)  8 tag_value(4)  8 obj(8)  8 bulk_obj.obj(8)@60  16 bulk_obj.offset(4)@60
 * 24 in all
 * in all, by release: 16 from 20, 24 from 60
 * </pre>
 */
@CStruct(value = "struct mlx5dv_flow_action_attr", header = "infiniband/mlx5dv.h")
public final class DvFlowActionAttrLayout {
    @CSize(size = 16)
    @CSize(since = 60, size = 24)
    public static final int SIZEOF = 24;

    @CField(value = "type", size = 4)
    public static final int TYPE = 0;

    @CField(value = "qp", size = 8)
    public static final int QP = 8;

    @CField(value = "action", size = 8)
    public static final int ACTION = 8;

    @CField(value = "tag_value", size = 4)
    public static final int TAG_VALUE = 8;

    @CField(value = "obj", size = 8)
    public static final int OBJ = 8;

    @CField(value = "bulk_obj.obj", size = 8, since = 60)
    public static final int BULK_OBJ_OBJ = 8;

    @CField(value = "bulk_obj.offset", size = 4, since = 60)
    public static final int BULK_OBJ_OFFSET = 16;

    private DvFlowActionAttrLayout() {}
}
