/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import io.verbs4j.slot.DeallocTd;
import java.util.Objects;

/**
 * A thread domain: the promise that objects created with it are used by one thread at a time, so that a device needs no
 * locks.
 *
 * <p>Providers subclass it. It takes effect through a {@link ParentDomain}. All methods may be called from any thread.
 * Since level 3. Source: {@code ibv_alloc_td(3)}.
 */
public abstract class ThreadDomain extends VerbsObject {

    /**
     * Creates the handle; for providers.
     *
     * @param context context that the domain belongs to
     */
    protected ThreadDomain(Context context) {
        super(Objects.requireNonNull(context, "context"));
    }

    /**
     * Frees the domain. Source: {@code ibv_dealloc_td(3)}.
     *
     * @throws VerbsException {@link Errno#EBUSY} while parent domains use it
     */
    @Override
    public final void close() {
        Extension.require(context(), ContextSlot.DEALLOC_TD, DeallocTd.class).deallocTd(this);
    }

    @Override
    public final String toString() {
        return "thread domain of " + context().device();
    }
}
