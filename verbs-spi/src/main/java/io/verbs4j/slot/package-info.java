/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * The functions of a {@link io.verbs4j.ContextTable}: one interface for each slot, for the library's side and the provider's
 * alike. What the library has checked before it calls a provider is said at the method of the handle.
 */
package io.verbs4j.slot;
