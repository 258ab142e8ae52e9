/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Hints for accesses to memory over PCIe: the argument of {@link Context#allocDmah(DmahInitAttr)}. Hints that are not
 * set are the device's to choose. ConnectX wants {@link #ph()}, and of {@link #cpuId()} and {@link #tphMemType()} both
 * or none; the processor must be one that the process may run on (EPERM).
 *
 * <p>Since level 4. Source: {@code struct ibv_dmah_init_attr}, {@code ibv_alloc_dmah(3)}. Not thread-safe.
 */
public final class DmahInitAttr extends InputAttr {
    private int cpuId;
    private int ph;
    private int tphMemType;

    /** Creates an instance whose masks are empty. */
    public DmahInitAttr() {}

    /** {@return the processor whose cache the data should go to, as Linux counts them} */
    public int cpuId() {
        return cpuId;
    }

    /**
     * Sets {@link #cpuId()} and the bit {@link DmahInitAttrMask#CPU_ID}.
     *
     * @param value the processor, as Linux counts them
     * @return this
     */
    public DmahInitAttr cpuId(int value) {
        cpuId = value;
        mark(DmahInitAttrMask.CPU_ID);
        return this;
    }

    /** {@return the processing hint of PCIe, 0 to 3} */
    public int ph() {
        return ph;
    }

    /**
     * Sets {@link #ph()} and the bit {@link DmahInitAttrMask#PH}.
     *
     * @param value the processing hint of PCIe: 0 read and written by both sides, 1 by the device alone, 2 written by
     *     one side and then read by the other, 3 the same with priority
     * @return this
     */
    public DmahInitAttr ph(int value) {
        ph = value;
        mark(DmahInitAttrMask.PH);
        return this;
    }

    /** {@return the kind of memory, a {@link TphMemType} value} */
    public int tphMemType() {
        return tphMemType;
    }

    /**
     * Sets {@link #tphMemType()} and the bit {@link DmahInitAttrMask#TPH_MEM_TYPE}.
     *
     * @param value the kind of memory, a {@link TphMemType} value
     * @return this
     */
    public DmahInitAttr tphMemType(int value) {
        tphMemType = value;
        mark(DmahInitAttrMask.TPH_MEM_TYPE);
        return this;
    }

    @Override
    public String toString() {
        return AttrText.of(this);
    }
}
