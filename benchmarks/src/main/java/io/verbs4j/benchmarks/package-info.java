/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** The command line of the comparisons, and their list. */
package io.verbs4j.benchmarks;
