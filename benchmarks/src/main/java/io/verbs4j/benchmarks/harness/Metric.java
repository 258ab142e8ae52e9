/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.harness;

/**
 * A value that is measured for both sides.
 *
 * @param what name, without spaces
 * @param unit unit
 */
public record Metric(String what, Unit unit) {}
