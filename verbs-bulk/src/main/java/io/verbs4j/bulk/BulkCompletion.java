/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk;

/**
 * The final completion of an entry that was good, see {@link BulkFutures}.
 *
 * @param bytes how many were transferred
 * @param flags {@link BulkResult} bits
 * @param value the entry's; of a RECV the sender's
 */
public record BulkCompletion(long bytes, int flags, long value) {}
