/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Netty's handlers for HTTP/2 and WebSockets, as they are, over RDMA. */
package io.verbs4j.netty.http;
