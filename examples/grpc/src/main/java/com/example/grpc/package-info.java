/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** A gRPC service and a client of it, over RDMA. */
package com.example.grpc;
