/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.control;

import java.nio.ByteBuffer;

/**
 * Where the queue pair of a rail is, as messages have it.
 *
 * @param high first half of the GID
 * @param low its second half
 * @param numbers number of the queue pair, packet sequence number, path MTU and kind of the link
 * @param port LID, and RDMA reads at a time
 */
public record RailAddress(long high, long low, long numbers, int port) {
    /** {@return the one of a message} */
    public static RailAddress read(ByteBuffer from, int at) {
        return new RailAddress(
                from.getLong(at + ControlLayout.A),
                from.getLong(at + ControlLayout.B),
                from.getLong(at + ControlLayout.VALUE),
                from.getInt(at + ControlLayout.KEY));
    }
}
