/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk;

/** Which thread drives an endpoint. */
public enum BulkProgress {
    /**
     * The program's: {@link BulkRing#submit()}, {@link BulkRing#peek()} and {@link BulkRing#await} do the work, without
     * locks or wake-ups. Only one thread at a time may use the endpoint's rings and close buffers or the endpoint.
     * While that thread is away, transfers of a peer continue only as far as they need no answer from this side.
     */
    CALLER,

    /** A thread of the endpoint, which sleeps when there is no work. Each ring may be used by a thread of its own. */
    SERVICE
}
