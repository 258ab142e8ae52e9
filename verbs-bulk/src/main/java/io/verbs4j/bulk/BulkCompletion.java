/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk;

/**
 * The final completion of an entry that succeeded; see {@link BulkFutures}.
 *
 * @param bytes number of bytes transferred
 * @param flags {@link BulkResult} bits
 * @param value the entry's value; for a RECV, the sender's
 */
public record BulkCompletion(long bytes, int flags, long value) {}
