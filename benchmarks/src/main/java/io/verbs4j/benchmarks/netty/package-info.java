/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Comparisons of the transport for Netty with Netty's own. */
package io.verbs4j.benchmarks.netty;
