/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.slot;

import io.verbs4j.XrcDomain;

/** The function in the slot {@link io.verbs4j.ContextSlot#CLOSE_XRCD}. Frozen. */
@FunctionalInterface
public interface CloseXrcd {
    /**
     * Closes an XRC domain; it stays open for other processes that share it.
     *
     * @param xrcd the domain
     * @throws io.verbs4j.VerbsException with the errno
     */
    void closeXrcd(XrcDomain xrcd);
}
