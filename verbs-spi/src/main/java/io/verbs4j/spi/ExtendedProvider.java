/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.spi;

import io.verbs4j.ContextOps;
import io.verbs4j.ContextTable;

/**
 * A provider with extended verbs. <strong>Frozen</strong> like {@link VerbsProvider}: later levels add slots, never
 * methods.
 *
 * <p>A library of level 1 does not know this interface and uses only {@link VerbsProvider}.
 */
public interface ExtendedProvider extends VerbsProvider {

    /**
     * Fills the provider's side of a context's table, after {@link #openDevice}. The table has the size that the
     * library knows: {@link ContextTable#fillProvider} accepts what fits, and returns whether it did. An empty slot is
     * a verb that the device does not have.
     *
     * @param opened what {@link #openDevice} returned
     * @param table the table of that context; it must not be changed after this method returns
     * @throws io.verbs4j.VerbsException with an errno: the device is then closed again
     */
    void initContext(ContextOps opened, ContextTable table);
}
