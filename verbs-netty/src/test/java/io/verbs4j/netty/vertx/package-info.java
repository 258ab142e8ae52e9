/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Vert.x as it is, over RDMA. */
package io.verbs4j.netty.vertx;
