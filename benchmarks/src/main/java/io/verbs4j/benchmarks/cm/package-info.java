/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Connections by address. */
package io.verbs4j.benchmarks.cm;
