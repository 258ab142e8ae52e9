/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** What a newly started program has to wait for. */
package io.verbs4j.benchmarks.start;
