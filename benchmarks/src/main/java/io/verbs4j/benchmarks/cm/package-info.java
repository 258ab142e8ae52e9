/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Comparisons of connections by address. */
package io.verbs4j.benchmarks.cm;
