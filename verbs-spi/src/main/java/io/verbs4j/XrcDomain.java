/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import io.verbs4j.slot.CloseXrcd;
import java.util.Objects;

/**
 * An XRC domain: its shared receive queues can be reached through each of its XRC_RECV queue pairs, also from other
 * processes that share the domain by a file.
 *
 * <p>Providers subclass it. All methods may be called from any thread. Since level 2. Source: {@code ibv_open_xrcd(3)}.
 */
public abstract class XrcDomain extends VerbsObject {

    /**
     * Creates the handle; for providers.
     *
     * @param context context that the domain belongs to
     */
    protected XrcDomain(Context context) {
        super(Objects.requireNonNull(context, "context"));
    }

    /**
     * Closes the domain; it stays open for other processes that share it. Source: {@code ibv_close_xrcd(3)}.
     *
     * @throws VerbsException {@link Errno#EBUSY} while queue pairs or shared receive queues of this context are in it
     */
    @Override
    public final void close() {
        Extension.require(context(), ContextSlot.CLOSE_XRCD, CloseXrcd.class).closeXrcd(this);
    }

    @Override
    public final String toString() {
        return "XRC domain of " + context().device();
    }
}
