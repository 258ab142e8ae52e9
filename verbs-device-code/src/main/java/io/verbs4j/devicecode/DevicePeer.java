/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.devicecode;

import io.verbs4j.AddressHandle;
import io.verbs4j.VerbsException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The destination of a datagram, {@code struct v4j_peer}. Connected queue pairs need none.
 *
 * @param handle the device's number of the address handle
 * @param qpn the remote queue pair's number
 * @param qkey its Q_Key
 */
public record DevicePeer(int handle, int qpn, int qkey) {
    /** The size of {@code struct v4j_peer}, in bytes. */
    public static final int SIZEOF = 16;

    /**
     * Describes a peer by an address handle, which must stay open while lanes send to the peer.
     *
     * @param ah the address handle
     * @param qpn the remote queue pair's number
     * @param qkey its Q_Key
     * @return the peer
     * @throws VerbsException {@link io.verbs4j.Errno#EOPNOTSUPP} if the device's descriptors have no address handles
     */
    public static DevicePeer of(AddressHandle ah, int qpn, int qkey) {
        return new DevicePeer(DeviceCode.source(ah.context(), "device_peer").number(ah), qpn, qkey);
    }

    /**
     * Writes the struct.
     *
     * @param into the buffer; its position advances by {@link #SIZEOF}
     */
    public void putInto(ByteBuffer into) {
        ByteBuffer words = into.slice(into.position(), SIZEOF).order(ByteOrder.nativeOrder());
        words.putInt(handle).putInt(qpn).putInt(qkey).putInt(0);
        into.position(into.position() + SIZEOF);
    }
}
