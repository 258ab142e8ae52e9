/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.slot;

import io.verbs4j.ValuesEx;

/** The function in the slot {@link io.verbs4j.ContextSlot#QUERY_VALUES}. Frozen. */
@FunctionalInterface
public interface QueryValues {
    /**
     * Reads values of the device that change over time.
     *
     * @param wanted bit <i>i</i> for the field with index <i>i</i>
     * @param values receives only the wanted values; values that the device does not have, or its provider does not
     *     know, stay unfilled
     * @throws io.verbs4j.VerbsException with the errno
     */
    void queryValues(long wanted, ValuesEx values);
}
