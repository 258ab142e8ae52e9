/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import java.util.Objects;

/**
 * A memory window: remote access to a part of a memory region, granted and revoked without registering it again.
 *
 * <p>Providers subclass it. All methods may be called from any thread. Source: {@code ibv_alloc_mw(3)}.
 */
public abstract class MemoryWindow extends VerbsObject {
    private final ProtectionDomain pd;
    private final int type;
    private volatile int rkey;

    /**
     * Creates the handle; for providers.
     *
     * @param pd domain that the window belongs to
     * @param type a {@link MwType} value
     * @param rkey initial remote key
     */
    protected MemoryWindow(ProtectionDomain pd, int type, int rkey) {
        super(Objects.requireNonNull(pd, "pd").context());
        this.pd = pd;
        this.type = type;
        this.rkey = rkey;
    }

    /**
     * Updates the remote key after a bind; for providers.
     *
     * @param newRkey the new key
     */
    protected final void updateRkey(int newRkey) {
        rkey = newRkey;
    }

    /** {@return the domain that the window belongs to} */
    public final ProtectionDomain pd() {
        return pd;
    }

    /** {@return the type, a {@link MwType} value} */
    public final int type() {
        return type;
    }

    /** {@return the remote key, which a bind changes} */
    public final int rkey() {
        return rkey;
    }

    /**
     * Returns the next remote key of the same window or region. The program chooses the lowest 8 bits, and changes them
     * at each bind so that a peer that uses an old key is noticed. After 256 binds keys repeat. Since level 3. Source:
     * {@code ibv_inc_rkey}, {@code ibv_bind_mw(3)}.
     *
     * @param rkey a remote key
     * @return the key with the lowest 8 bits incremented
     */
    public static int incRkey(int rkey) {
        return rkey & ~0xff | rkey + 1 & 0xff;
    }

    /** Frees the window. Source: {@code ibv_dealloc_mw(3)}. */
    @Override
    public final void close() {
        ops().deallocMw(this);
    }

    @Override
    public final String toString() {
        return "memory window of type " + type + " (rkey 0x" + Integer.toHexString(rkey) + ") of "
                + context().device();
    }
}
