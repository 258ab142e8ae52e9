/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct hbldv_coll_sched_resource}: something that the scheduler has.
 *
 * <pre>
 * 0 type(4)  4 id(1)  8 size(8)  16 pa_offs(4)  24 virt_addr(8)    32 in all
 * </pre>
 */
@CStruct(value = "struct hbldv_coll_sched_resource", header = "infiniband/hbldv.h")
public final class CollSchedResourceLayout {
    @CSize(size = 32)
    public static final int SIZEOF = 32;

    @CField(value = "type", size = 4)
    public static final int TYPE = 0;

    @CField(value = "id", size = 1)
    public static final int ID = 4;

    @CField(value = "size", size = 8)
    public static final int SIZE = 8;

    @CField(value = "pa_offs", size = 4)
    public static final int PA_OFFS = 16;

    @CField(value = "virt_addr", size = 8)
    public static final int VIRT_ADDR = 24;

    private CollSchedResourceLayout() {}
}
