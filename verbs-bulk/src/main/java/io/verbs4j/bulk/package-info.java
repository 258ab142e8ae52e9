/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Bulk transport: an endpoint connects to peers, registers memory, and transfers bytes of any length between buffers of
 * two processes without copies. Transfers are submitted and completed by rings of fixed entries in shared memory.
 */
package io.verbs4j.bulk;
