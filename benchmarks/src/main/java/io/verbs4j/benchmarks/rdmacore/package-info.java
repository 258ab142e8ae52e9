/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** What a verb costs through verbs-rdma-core, against the same verb called by C, on a simulated device. */
package io.verbs4j.benchmarks.rdmacore;
