/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk;

/** Is called for completions, by {@link BulkRing#handle}. */
@FunctionalInterface
public interface BulkHandler {
    /**
     * An entry has completed, or a notification has come.
     *
     * @param userData of the entry
     * @param result a number of bytes, or the negative of an errno
     * @param flags {@link BulkResult} bits
     * @param peer number of the peer
     * @param value of the entry or the peer; with {@link BulkResult#PARTIAL} the number of bytes
     */
    void completed(long userData, long result, int flags, int peer, long value);
}
