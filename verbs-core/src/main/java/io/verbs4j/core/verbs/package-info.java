/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * The library's part of each verb, a class for each topic ({@code ...Verbs}): it checks the arguments, keeps state and
 * references, and calls the provider.
 *
 * <p>{@link io.verbs4j.core.verbs.Opening} negotiates with the provider and creates the context. {@code LibraryOps}
 * passes each verb of the context on to the class of its topic. {@code Creation} and {@code Handles} create and destroy
 * objects with their records.
 */
package io.verbs4j.core.verbs;
