/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty;

import io.verbs4j.cm.CmEvent;

/** The receiver of an id's events; it is the id's user context. */
interface CmTarget {
    /**
     * Handles an event.
     *
     * @param loop the event loop whose thread calls, and whose channel the event came from
     */
    void event(VerbsIoHandler loop, CmEvent event);
}
