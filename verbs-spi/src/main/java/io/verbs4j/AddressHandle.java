/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import java.util.Objects;

/**
 * An address handle: the destination of a datagram.
 *
 * <p>Providers subclass it. All methods may be called from any thread. Source: {@code ibv_create_ah(3)}.
 */
public abstract class AddressHandle extends VerbsObject {
    private final ProtectionDomain pd;

    /**
     * Creates the handle; for providers.
     *
     * @param pd domain that it belongs to
     */
    protected AddressHandle(ProtectionDomain pd) {
        super(Objects.requireNonNull(pd, "pd").context());
        this.pd = pd;
    }

    /** {@return the domain that the handle belongs to} */
    public final ProtectionDomain pd() {
        return pd;
    }

    /** Destroys the handle. Source: {@code ibv_destroy_ah(3)}. */
    @Override
    public final void close() {
        ops().destroyAh(this);
    }

    @Override
    public final String toString() {
        return "address handle of " + context().device();
    }
}
