/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Comparisons of verbs on simulated devices: through verbs-rdma-core, against the same verbs called by C. */
package io.verbs4j.benchmarks.rdmacore;
