/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa.ring;

/**
 * A completion queue that device code has taken over.
 *
 * @param place memory layout of the queue
 * @param consumed number of completions read so far
 */
public record HandedCompletions(CqPlace place, long consumed) {}
