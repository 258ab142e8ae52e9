/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.slot;

import io.verbs4j.ValuesEx;

/** What is in the slot {@link io.verbs4j.ContextSlot#QUERY_VALUES}. Frozen. */
@FunctionalInterface
public interface QueryValues {
    /**
     * Reads values of the device that change.
     *
     * @param wanted bit <i>i</i> for the field of index <i>i</i>
     * @param values to be filled, with nothing but what is wanted; what the device does not have, or its provider does not know,
     *     stays unfilled
     * @throws io.verbs4j.VerbsException with the errno
     */
    void queryValues(long wanted, ValuesEx values);
}
