/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Attributes for binding a memory window: the argument of {@link QueuePair#bindMw(MemoryWindow, MwBind)} for type 1,
 * and from level 3 on of {@link SendWorkRequest#mwBind(MwBind)} for type 2.
 *
 * <p>Source: {@code ibv_bind_mw(3)}. Not thread-safe.
 */
public final class MwBind {
    private long wrId;
    private int sendFlags;
    private MemoryRegion mr;
    private long addr;
    private long length;
    private int mwAccessFlags;

    /** Creates an instance with every attribute zero. */
    public MwBind() {}

    /** {@return the id that the completion will carry} */
    public long wrId() {
        return wrId;
    }

    /**
     * Sets {@link #wrId()}.
     *
     * @param value id that the completion will carry
     * @return this
     */
    public MwBind wrId(long value) {
        wrId = value;
        return this;
    }

    /** {@return {@link SendFlags} bits; only {@code SIGNALED} and {@code FENCE} are useful} */
    public int sendFlags() {
        return sendFlags;
    }

    /**
     * Sets {@link #sendFlags()}.
     *
     * @param value {@link SendFlags} bits; only {@code SIGNALED} and {@code FENCE} are useful
     * @return this
     */
    public MwBind sendFlags(int value) {
        sendFlags = value;
        return this;
    }

    /** {@return the region that the window is bound to; may be null if {@link #length()} is 0, which unbinds} */
    public MemoryRegion mr() {
        return mr;
    }

    /**
     * Sets {@link #mr()}.
     *
     * @param value region that the window is bound to; may be null if {@link #length()} is 0, which unbinds
     * @return this
     */
    public MwBind mr(MemoryRegion value) {
        mr = value;
        return this;
    }

    /** {@return the first address of the window} */
    public long addr() {
        return addr;
    }

    /**
     * Sets {@link #addr()}.
     *
     * @param value first address of the window
     * @return this
     */
    public MwBind addr(long value) {
        addr = value;
        return this;
    }

    /** {@return the length of the window in bytes; 0 unbinds} */
    public long length() {
        return length;
    }

    /**
     * Sets {@link #length()}.
     *
     * @param value length of the window in bytes; 0 unbinds
     * @return this
     */
    public MwBind length(long value) {
        length = value;
        return this;
    }

    /**
     * {@return the operations allowed to the remote side through the window, {@link AccessFlags} bits; remote ones
     * only}
     */
    public int mwAccessFlags() {
        return mwAccessFlags;
    }

    /**
     * Sets {@link #mwAccessFlags()}.
     *
     * @param value operations allowed to the remote side through the window, {@link AccessFlags} bits; remote ones only
     * @return this
     */
    public MwBind mwAccessFlags(int value) {
        mwAccessFlags = value;
        return this;
    }

    @Override
    public String toString() {
        return AttrText.of(this);
    }
}
