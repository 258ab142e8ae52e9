/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * The library: finds the providers, opens their devices, and adds its own checks and records to each verb.
 *
 * <p>Applications need {@link io.verbs4j.core.Verbs} and, to find out why a device is missing, {@link
 * io.verbs4j.core.ProviderReport}. What this package exports is frozen: it does not grow in later levels.
 */
package io.verbs4j.core;
