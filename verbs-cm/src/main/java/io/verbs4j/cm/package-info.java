/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * The connection manager, with the terms of librdmacm.
 *
 * <p>An {@link io.verbs4j.cm.CmId} is one end of a connection, a listener or an end for datagrams; its events go to an
 * {@link io.verbs4j.cm.EventChannel}. For a connected queue pair without events, use {@link io.verbs4j.cm.CmConnection}
 * and {@link io.verbs4j.cm.CmListener}.
 */
package io.verbs4j.cm;
