/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Comparisons of verbs-netty with Netty's own transports. */
package io.verbs4j.benchmarks.netty;
