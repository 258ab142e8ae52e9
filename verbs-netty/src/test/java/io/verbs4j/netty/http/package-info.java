/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Netty's unchanged handlers for HTTP/2 and WebSockets, over RDMA. */
package io.verbs4j.netty.http;
