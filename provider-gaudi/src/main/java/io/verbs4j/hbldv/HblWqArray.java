/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.hbldv;

/**
 * An array of work queues of a port, as set by {@link HblPortExAttr#wqArray(int, int, int, int, int)}. Source:
 * {@code struct hbldv_wq_array_attr}.
 */
public final class HblWqArray extends Answer {
    private record Values(int wqs, int wqes, int memId, int granularity) {}

    private final Values values;

    HblWqArray(int wqs, int wqes, int memId, int granularity) {
        this(new Values(wqs, wqes, memId, granularity));
    }

    private HblWqArray(Values values) {
        super(values);
        this.values = values;
    }

    /** {@return the number of queues} */
    public int wqs() {
        return values.wqs();
    }

    /** {@return the number of elements of each queue} */
    public int wqes() {
        return values.wqes();
    }

    /** {@return the memory that it lies in, an {@link HblMemIds} value} */
    public int memId() {
        return values.memId();
    }

    /** {@return the element size, an {@link HblGranularities} value} */
    public int granularity() {
        return values.granularity();
    }
}
