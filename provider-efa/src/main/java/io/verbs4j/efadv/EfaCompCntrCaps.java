/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.efadv;

/**
 * What completion counters a device has. Source: ibv_query_comp_cntr_caps(3).
 *
 * @param maxValue the highest value, after which a counter begins at 0 again; unsigned
 * @param maxCounters most counters of the device
 * @param attachOps what can be counted, {@link EfaCompCntrOps} bits
 */
public record EfaCompCntrCaps(long maxValue, int maxCounters, int attachOps) {}
