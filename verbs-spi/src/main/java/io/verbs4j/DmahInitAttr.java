/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Hints for accesses to memory over PCIe: the argument of {@link Context#allocDmah(DmahInitAttr)}. The device chooses
 * hints that are not set. ConnectX requires {@link #ph()}, and either both or none of {@link #cpuId()} and
 * {@link #tphMemType()}; the processor must be one that the process may run on (EPERM).
 *
 * <p>Since level 4. Source: {@code struct ibv_dmah_init_attr}, {@code ibv_alloc_dmah(3)}. Not thread-safe.
 */
public final class DmahInitAttr extends InputAttr {
    private int cpuId;
    private int ph;
    private int tphMemType;

    /** Creates an instance whose masks are empty. */
    public DmahInitAttr() {}

    /** {@return the processor whose cache should get the data, as numbered by Linux} */
    public int cpuId() {
        return cpuId;
    }

    /**
     * Sets {@link #cpuId()} and the bit {@link DmahInitAttrMask#CPU_ID}.
     *
     * @param value the processor, as numbered by Linux
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
     * @param value the processing hint of PCIe: 0 read and written by both sides, 1 by the device only, 2 written by
     *     one side and then read by the other, 3 like 2 with priority
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
