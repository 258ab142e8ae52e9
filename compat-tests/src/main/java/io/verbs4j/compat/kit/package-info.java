/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * The conformance kit: rules that every provider of devices keeps, as JUnit tests.
 *
 * <p>An author extends {@link io.verbs4j.compat.kit.ProviderKit}, returns the provider from it, and declares what the
 * device can do.
 */
package io.verbs4j.compat.kit;
