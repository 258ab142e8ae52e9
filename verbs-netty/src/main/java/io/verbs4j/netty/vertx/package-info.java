/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** A transport for Vert.x that runs its servers and clients over RDMA. */
package io.verbs4j.netty.vertx;
