/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** An HTTP server and a client of it by Vert.x, over RDMA. */
package com.example.vertx;
