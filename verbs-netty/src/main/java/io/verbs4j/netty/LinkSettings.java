/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty;

/**
 * What a channel's configuration says about its connection.
 *
 * @param sendBytes most bytes that wait to be acknowledged
 * @param receiveBytes most bytes that the peer may send before they are read
 * @param keepAlive whether a peer is noticed that is gone without a word
 */
record LinkSettings(int sendBytes, int receiveBytes, boolean keepAlive) {}
