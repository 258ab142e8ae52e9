/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.hbldv;

import io.verbs4j.provider.gaudi.dv.HblCollectives;

/**
 * Something that the scheduler has for collectives. Source: {@code struct hbldv_coll_sched_resource}.
 */
public final class HblCollSchedResource extends Answer {
    private final HblCollectives.Resource values;

    HblCollSchedResource(HblCollectives.Resource values) {
        super(values);
        this.values = values;
    }

    /** {@return what it is} */
    public int type() {
        return values.type();
    }

    /** {@return its number} */
    public int id() {
        return values.id();
    }

    /** {@return its size in bytes} */
    public long size() {
        return values.size();
    }

    /** {@return its offset in the page, in bytes} */
    public int paOffs() {
        return values.paOffs();
    }

    /** {@return its address in this process} */
    public long virtAddr() {
        return values.virtAddr();
    }
}
