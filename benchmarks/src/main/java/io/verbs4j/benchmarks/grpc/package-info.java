/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Comparisons of gRPC over the transport for Netty with gRPC over Netty's own. */
package io.verbs4j.benchmarks.grpc;
