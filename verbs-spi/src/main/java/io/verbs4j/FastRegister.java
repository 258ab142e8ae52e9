/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Attributes of a fast register, which gives memory to a key: the argument of
 * {@link SendWorkRequest#fastRegister(FastRegister)}. The memory itself is in the request's
 * {@link SendWorkRequest#sgList()}: its pieces, one after the other, become one region.
 *
 * <p>This class has no mask and gets no further attributes, so no provider can silently ignore one: an extension would
 * be another opcode, with its own class.
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

    /** {@return the key's region, created by {@link ProtectionDomain#allocMrKey(MrKeyInitAttr)}} */
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
     * {@return the new local and remote key, which may differ from the present one only in the lowest 8 bits, see
     * {@link MemoryWindow#incRkey(int)}}
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

    /** {@return the operations allowed from now on, {@link AccessFlags} bits} */
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

    /** {@return the address by which work requests and remote sides refer to the first byte} */
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
