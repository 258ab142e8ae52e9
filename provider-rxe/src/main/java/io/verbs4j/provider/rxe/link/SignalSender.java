/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import io.verbs4j.Gid;
import io.verbs4j.provider.rxe.share.Signal;

/** Sends {@link Signal}s through the socket of a link. Thread-safe. */
final class SignalSender {
    private static final int IOV = StructBuffer.MSG_SIZE;
    private static final int NAME = IOV + StructBuffer.IOV_SIZE;
    private static final int DATA = NAME + SockAddr.SPACE;

    private final UdpSocket socket;
    private final int interfaceIndex;
    private final StructBuffer m = new StructBuffer(DATA + Signal.LENGTH);
    private final StructBuffer waiting = new StructBuffer(Poller.WAITING_SIZE);

    SignalSender(UdpSocket socket, int interfaceIndex) {
        this.socket = socket;
        this.interfaceIndex = interfaceIndex;
        m.putLong(StructBuffer.MSG_NAME, m.address(NAME));
        m.putLong(StructBuffer.MSG_IOV, m.address(IOV));
        m.putLong(StructBuffer.MSG_IOVLEN, 1);
        m.putLong(IOV, m.address(DATA));
        m.putLong(IOV + StructBuffer.IOV_LEN, Signal.LENGTH);
        m.putNetLong(DATA, Signal.MAGIC);
    }

    synchronized void send(Gid to, long kind, long address) {
        m.putNetLong(DATA + 8, kind);
        m.putNetLong(DATA + 16, address);
        int name = SockAddr.put(m, NAME, to.subnetPrefix(), to.interfaceId(), Link.PORT, interfaceIndex);
        m.putInt(StructBuffer.MSG_NAMELEN, name);
        socket.send(m.address(0), waiting); // if this fails, the waiting thread wakes by itself
        m.keepUntilHere();
    }
}
