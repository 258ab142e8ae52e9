/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import io.verbs4j.rdmacore.event.EventCount;
import io.verbs4j.rdmacore.memory.Pin;

/** An object that asynchronous events are about. */
public interface EventTarget {
    /** The C object; to be used by calls that keep the object open. */
    long address();

    /** Its asynchronous events that were fetched. */
    EventCount asyncEvents();

    /** Keeps it from being destroyed, for the length of a control verb that the library does not know of. */
    Pin pin();
}
