/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.hbldv;

import io.verbs4j.provider.gaudi.dv.HblCollectives;

/** A resource of the scheduler for collectives. Source: {@code struct hbldv_coll_sched_resource}. */
public final class HblCollSchedResource extends Answer {
    private final HblCollectives.Resource values;

    HblCollSchedResource(HblCollectives.Resource values) {
        super(values);
        this.values = values;
    }

    /** {@return the type} */
    public int type() {
        return values.type();
    }

    /** {@return the number} */
    public int id() {
        return values.id();
    }

    /** {@return the size in bytes} */
    public long size() {
        return values.size();
    }

    /** {@return the offset in the page, in bytes} */
    public int paOffs() {
        return values.paOffs();
    }

    /** {@return the address in this process} */
    public long virtAddr() {
        return values.virtAddr();
    }
}
