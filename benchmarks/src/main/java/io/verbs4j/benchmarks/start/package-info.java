/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** What a program waits for that has just been started. */
package io.verbs4j.benchmarks.start;
