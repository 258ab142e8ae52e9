/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.control;

import java.nio.ByteBuffer;

/**
 * The address of a rail's queue pair in the form that messages carry.
 *
 * @param high first half of the GID
 * @param low its second half
 * @param numbers queue pair number, packet sequence number, path MTU and kind of the link
 * @param port LID, and number of RDMA reads at a time
 */
public record RailAddress(long high, long low, long numbers, int port) {
    /** {@return the address in a message} */
    public static RailAddress read(ByteBuffer from, int at) {
        return new RailAddress(
                from.getLong(at + ControlLayout.A),
                from.getLong(at + ControlLayout.B),
                from.getLong(at + ControlLayout.VALUE),
                from.getInt(at + ControlLayout.KEY));
    }
}
