/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Measures bandwidth and latency of sends, RDMA writes, RDMA reads and atomics. */
package io.verbs4j.tools.bench;
