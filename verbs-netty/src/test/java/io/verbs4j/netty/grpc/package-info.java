/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Unchanged gRPC over RDMA. */
package io.verbs4j.netty.grpc;
