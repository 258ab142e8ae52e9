/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import io.verbs4j.slot.DeallocDmah;
import java.util.Objects;

/**
 * Hints for the device's accesses to memory over PCIe: the processor whose cache should get the data, and how it will
 * be used. They apply to regions that are registered with {@link RegMrAttrEx#dmah(DmaHandle)}.
 *
 * <p>Providers subclass it. All methods may be called from any thread. Since level 4. Source:
 * {@code ibv_alloc_dmah(3)}.
 */
public abstract class DmaHandle extends VerbsObject {
    /**
     * Creates the handle; for providers.
     *
     * @param context context that the hints belong to
     */
    protected DmaHandle(Context context) {
        super(Objects.requireNonNull(context, "context"));
    }

    /**
     * Frees the hints. Source: {@code ibv_dealloc_dmah(3)}.
     *
     * @throws VerbsException {@link Errno#EBUSY} while memory regions use them
     */
    @Override
    public final void close() {
        Extension.require(context(), ContextSlot.DEALLOC_DMAH, DeallocDmah.class)
                .deallocDmah(this);
    }

    @Override
    public final String toString() {
        return "DMA handle of " + context().device();
    }
}
