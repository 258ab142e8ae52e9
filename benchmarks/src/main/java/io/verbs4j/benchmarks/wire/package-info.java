/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Comparisons between two processes. */
package io.verbs4j.benchmarks.wire;
