/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.slot;

import io.verbs4j.XrcDomain;
import io.verbs4j.XrcdInitAttr;

/** The function in the slot {@link io.verbs4j.ContextSlot#OPEN_XRCD}. Frozen. */
@FunctionalInterface
public interface OpenXrcd {
    /**
     * Opens an XRC domain.
     *
     * @param attr how to open it; the library has rejected bits that it does not know
     * @return the new domain
     * @throws io.verbs4j.VerbsException with the errno
     */
    XrcDomain openXrcd(XrcdInitAttr attr);
}
