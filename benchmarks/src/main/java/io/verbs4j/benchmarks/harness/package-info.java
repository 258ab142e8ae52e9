/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** What all comparisons share: rounds, figures and reports. Knows nothing of verbs. */
package io.verbs4j.benchmarks.harness;
