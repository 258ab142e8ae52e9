/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct hbldv_coll_sched_resources}: what the scheduler has, behind their number.
 *
 * <pre>
 * 0 num_resources(4)  8 resource    8200 in all
 * room for 128 before 1.18: 4104
 * </pre>
 */
@CStruct(value = "struct hbldv_coll_sched_resources", header = "infiniband/hbldv.h")
public final class CollSchedResourcesLayout {
    @CSize(size = 8200)
    public static final int SIZEOF = 8200;

    @CField(value = "num_resources", size = 4)
    public static final int NUM_RESOURCES = 0;

    @CField(value = "resource", size = 8192)
    public static final int RESOURCE = 8;

    private CollSchedResourcesLayout() {}
}
