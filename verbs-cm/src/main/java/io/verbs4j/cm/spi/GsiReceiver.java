/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm.spi;

import io.verbs4j.Gid;
import java.nio.ByteBuffer;

/**
 * Receives management packets.
 *
 * <p>Called by threads that receive packets. An implementation must copy what it needs, may send during the call, and
 * must wait for nothing except other threads in such calls.
 */
public interface GsiReceiver {
    /**
     * Receives a packet for queue pair 1 whose Q_Key and P_Key are valid.
     *
     * @param source GID of the sender
     * @param destination local GID that the packet was sent to
     * @param packet big-endian buffer that contains the packet, valid only during the call
     * @param offset index of the packet's first byte
     * @param length length of the packet, 232 to {@link GsiPort#MAD_LENGTH} bytes
     */
    void received(Gid source, Gid destination, ByteBuffer packet, int offset, int length);

    /**
     * Reports that the first packet of a connection has arrived at a queue pair.
     *
     * @param qpNum number of the queue pair
     */
    void communicationEstablished(int qpNum);
}
