/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk;

/** Receives completions from {@link BulkRing#handle}. */
@FunctionalInterface
public interface BulkHandler {
    /**
     * Called when an entry has completed or a notification has arrived.
     *
     * @param userData user data of the entry
     * @param result number of bytes, or the negative of an errno
     * @param flags {@link BulkResult} bits
     * @param peer number of the peer
     * @param value value of the entry or from the peer; with {@link BulkResult#PARTIAL}, the number of bytes
     */
    void completed(long userData, long result, int flags, int peer, long value);
}
