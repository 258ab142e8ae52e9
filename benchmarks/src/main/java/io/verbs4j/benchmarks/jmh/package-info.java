/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Sides that JMH measures. */
package io.verbs4j.benchmarks.jmh;
