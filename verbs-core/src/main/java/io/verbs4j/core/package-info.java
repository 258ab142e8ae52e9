/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * The library: finds the providers, opens their devices, and puts its own work around each of their verbs.
 *
 * <p>Applications need {@link io.verbs4j.core.Verbs} and, where a device is missing, {@link
 * io.verbs4j.core.ProviderReport}. What is exported here is frozen: it does not grow in later levels.
 */
package io.verbs4j.core;
