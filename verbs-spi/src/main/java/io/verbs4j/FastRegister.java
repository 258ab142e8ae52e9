/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * What fast register makes of a key: the argument of {@link SendWorkRequest#fastRegister(FastRegister)}. The memory itself is in the
 * request's {@link SendWorkRequest#sgList()}: its pieces, one after the other, become one region.
 *
 * <p>It has no mask and gets no more attributes, so that no provider ignores one in silence: more is another opcode,
 * with a class of its own.
 *
 * <p>Since level 3. Source: {@code struct ib_reg_wr} and {@code ib_map_mr_sg} of the Linux kernel. Not thread-safe.
 */
public final class FastRegister {
    private MemoryRegion mr;
    private int key;
    private int access;
    private long addr;

    /** Creates an instance with every attribute zero. */
    public FastRegister() {}

    /** {@return the key's region, of {@link ProtectionDomain#allocMrKey(MrKeyInitAttr)}} */
    public MemoryRegion mr() {
        return mr;
    }

    /**
     * Sets {@link #mr()}.
     *
     * @param value the region
     * @return this
     */
    public FastRegister mr(MemoryRegion value) {
        mr = value;
        return this;
    }

    /**
     * {@return local and remote key from now on: that of before but for the lowest 8 bits, as {@link MemoryWindow#incRkey(int)} makes
     * it}
     */
    public int key() {
        return key;
    }

    /**
     * Sets {@link #key()}.
     *
     * @param value the new key
     * @return this
     */
    public FastRegister key(int value) {
        key = value;
        return this;
    }

    /** {@return what is allowed from now on, {@link AccessFlags} bits} */
    public int access() {
        return access;
    }

    /**
     * Sets {@link #access()}.
     *
     * @param value {@link AccessFlags} bits
     * @return this
     */
    public FastRegister access(int value) {
        access = value;
        return this;
    }

    /** {@return the address that work requests and remote sides name the first byte by} */
    public long addr() {
        return addr;
    }

    /**
     * Sets {@link #addr()}.
     *
     * @param value the address; any
     * @return this
     */
    public FastRegister addr(long value) {
        addr = value;
        return this;
    }

    @Override
    public String toString() {
        return AttrText.of(this);
    }
}
