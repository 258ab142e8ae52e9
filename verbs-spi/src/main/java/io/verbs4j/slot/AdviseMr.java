/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.slot;

import io.verbs4j.ProtectionDomain;
import io.verbs4j.ScatterGatherElement;

/** The function in the slot {@link io.verbs4j.ContextSlot#ADVISE_MR}. Frozen. */
@FunctionalInterface
public interface AdviseMr {
    /**
     * Advises the device how memory will be used.
     *
     * @param pd the domain
     * @param advice an {@link io.verbs4j.AdviseMrAdvice} value
     * @param flags {@link io.verbs4j.AdviseMrFlags} bits
     * @param sgList the memory; no element is null
     * @param numSge number of elements to use, from 1
     * @throws io.verbs4j.VerbsException with the errno
     */
    void adviseMr(ProtectionDomain pd, int advice, int flags, ScatterGatherElement[] sgList, int numSge);
}
