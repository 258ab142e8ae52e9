/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** The comparisons' command line, and the list of them. */
package io.verbs4j.benchmarks;
