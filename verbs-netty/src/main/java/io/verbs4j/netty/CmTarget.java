/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty;

import io.verbs4j.cm.CmEvent;

/** The receiver of an id's events; its user context. */
interface CmTarget {
    /**
     * Something happened.
     *
     * @param loop the event loop whose thread calls, and whose event channel the event came out of
     */
    void event(VerbsIoHandler loop, CmEvent event);
}
