/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * The connection manager, with the words of librdmacm: an {@link io.verbs4j.cm.CmId} stands for one end of a connection, a listener or
 * an end for datagrams; what happens to it comes out of an {@link io.verbs4j.cm.EventChannel}.
 *
 * <p>Who wants a connected queue pair and no events uses {@link io.verbs4j.cm.CmConnection} and {@link io.verbs4j.cm.CmListener}.
 */
package io.verbs4j.cm;
