/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.layout;

/**
 * {@code struct hbldv_coll_sched_resource}: something that the scheduler has.
 *
 * <pre>
 * 0 type(4)  4 id(1)  8 size(8)  16 pa_offs(4)  24 virt_addr(8)    32 in all
 * </pre>
 */
public final class CollSchedResourceLayout {
    public static final int SIZEOF = 32;
    public static final int TYPE = 0;
    public static final int ID = 4;
    public static final int SIZE = 8;
    public static final int PA_OFFS = 16;
    public static final int VIRT_ADDR = 24;

    private CollSchedResourceLayout() {}
}
