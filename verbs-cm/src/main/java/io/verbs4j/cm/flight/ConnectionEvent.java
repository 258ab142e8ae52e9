/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm.flight;

import java.net.InetSocketAddress;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A flight recorder event of a connection. */
@Name("io.verbs4j.ConnectionEvent")
@Label("Connection Event")
@Description("The RDMA connection manager reported progress or the end of a connection")
@Category("RDMA")
@StackTrace(false)
final class ConnectionEvent extends Event {
    @Label("Device")
    String device;

    @Label("Type")
    String type;

    @Label("Status")
    @Description("0, a negative errno, or the reason of a rejection")
    int status;

    @Label("Local Address")
    String localAddress;

    @Label("Peer Address")
    String peerAddress;

    static void record(
            String device, String type, int status, InetSocketAddress localAddress, InetSocketAddress peerAddress) {
        ConnectionEvent event = new ConnectionEvent();
        if (event.shouldCommit()) {
            event.device = device;
            event.type = type;
            event.status = status;
            event.localAddress = text(localAddress);
            event.peerAddress = text(peerAddress);
            event.commit();
        }
    }

    private static String text(InetSocketAddress address) {
        return address == null ? null : address.getAddress().getHostAddress() + ":" + address.getPort();
    }
}
