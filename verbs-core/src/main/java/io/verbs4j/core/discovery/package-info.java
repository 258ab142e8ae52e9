/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Finds the providers, lists their devices, and reports why a provider is not used.
 *
 * <p>The entry point is {@link io.verbs4j.core.discovery.Library}. It opens devices by {@link
 * io.verbs4j.core.verbs.Opening}.
 */
package io.verbs4j.core.discovery;
