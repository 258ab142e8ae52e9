/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Comparisons of gRPC over verbs-netty with gRPC over Netty's own transport. */
package io.verbs4j.benchmarks.grpc;
