/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * A transport for Netty 4.2: server and client channels over RDMA, in place of those of NIO or epoll. Start with {@link
 * io.verbs4j.netty.VerbsIoHandler#newFactory()}.
 */
package io.verbs4j.netty;
