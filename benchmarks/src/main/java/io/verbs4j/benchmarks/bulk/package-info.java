/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Comparisons of the bulk transport. */
package io.verbs4j.benchmarks.bulk;
