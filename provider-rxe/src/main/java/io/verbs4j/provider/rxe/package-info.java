/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Soft-RoCE. {@link io.verbs4j.provider.rxe.RxeProvider} lists the embedded devices; {@link
 * io.verbs4j.provider.rxe.RxeContext} is an open one.
 *
 * <p>Around it: {@code memory} (regions and keys), {@code queue} (queues and their completions), {@code qp} (queue pairs),
 * {@code local} (messages within one JVM), {@code packet} (the transport), {@code wire} (packet formats), {@code link}
 * (sockets), {@code port} (what ties them together).
 */
package io.verbs4j.provider.rxe;
