/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * The functions of a {@link io.verbs4j.ContextTable}: one interface for each slot, implemented by both library and
 * provider. The methods of the handles say what the library checks before it calls a provider.
 */
package io.verbs4j.slot;
