/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk;

/** Who drives an endpoint. */
public enum BulkProgress {
    /**
     * The program: {@link BulkRing#submit()}, {@link BulkRing#peek()} and {@link BulkRing#await} do what is to be done.
     * One thread at a time uses all rings of the endpoint and closes buffers and the endpoint; no locks, no wake-ups. A
     * peer's transfers go on without that thread only as far as they need none of its answers.
     */
    CALLER,

    /** A thread of the endpoint's, which sleeps when there is nothing to do. Each ring may have a thread of its own. */
    SERVICE
}
