/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm.spi;

import io.verbs4j.Gid;
import java.nio.ByteBuffer;

/**
 * Takes management packets in. Called by threads that receive packets: it copies what it is given, may send within the call, and waits for nothing but others that do
 * the same.
 */
public interface GsiReceiver {
    /**
     * A packet for queue pair 1 with the right Q_Key and P_Key.
     *
     * @param source GID of the sender
     * @param destination local GID that it came to
     * @param packet big-endian buffer that it is in, valid for the time of the call
     * @param offset where it begins
     * @param length its length, 232 to {@link GsiPort#MAD_LENGTH} bytes
     */
    void received(Gid source, Gid destination, ByteBuffer packet, int offset, int length);

    /**
     * The first packet of a connection has come to a queue pair.
     *
     * @param qpNum its number
     */
    void communicationEstablished(int qpNum);
}
