/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Measures how long a newly started program waits. */
package io.verbs4j.benchmarks.start;
