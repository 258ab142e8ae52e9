/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** The queues that Java shares with an EFA: writes descriptors, reads completions and rings doorbells. */
package io.verbs4j.provider.efa.ring;
