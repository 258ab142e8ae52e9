/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.slot;

import io.verbs4j.QpOpenAttr;
import io.verbs4j.QueuePair;

/** The function in the slot {@link io.verbs4j.ContextSlot#OPEN_QP}. Frozen. */
@FunctionalInterface
public interface OpenQp {
    /**
     * Opens a queue pair that another process or context has created.
     *
     * @param attr which queue pair to open; the provider rejects bits that it does not know
     * @return a new handle of that queue pair
     * @throws io.verbs4j.VerbsException with the errno
     */
    QueuePair openQp(QpOpenAttr attr);
}
