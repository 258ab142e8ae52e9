/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Bulk transport: zero-copy transfers of any length between two processes. An endpoint connects to peers, registers
 * memory, and transfers bytes between its buffers and theirs. Transfers are submitted and completed through rings of
 * fixed-size entries in direct memory.
 */
package io.verbs4j.bulk;
