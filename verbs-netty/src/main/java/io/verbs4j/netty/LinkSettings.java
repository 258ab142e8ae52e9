/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty;

/**
 * The settings of a channel that apply to its connection.
 *
 * @param sendBytes maximum number of bytes that wait for acknowledgement
 * @param receiveBytes maximum number of bytes that the peer may send before they are read
 * @param keepAlive whether to detect a peer that vanishes without disconnecting
 */
record LinkSettings(int sendBytes, int receiveBytes, boolean keepAlive) {}
