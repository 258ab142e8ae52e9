/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Comparisons within one JVM. */
package io.verbs4j.benchmarks.local;
