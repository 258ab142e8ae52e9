/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.cm;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Chooses the source address if the program leaves it open. With several devices in one network, the kernel would take
 * the address of any of them.
 */
final class SourceAddress {
    private static final int PORT = 9; // any: nothing is sent

    private SourceAddress() {}

    /**
     * Returns an address of the device if the system's choice is not one of them.
     *
     * @param attributes of the device, by paths of files
     * @param ports number of ports of the device
     * @return null if the kernel may choose, or if nothing is known about the device's network
     */
    static InetAddress on(Function<String, Optional<String>> attributes, int ports, InetAddress destination) {
        if (destination.isLoopbackAddress() || destination.isAnyLocalAddress()) { // for the kernel, this machine
            return null;
        }
        List<InetAddress> own = new ArrayList<>();
        for (int port = 1; port <= ports; port++) {
            attributes.apply("ports/" + port + "/gid_attrs/ndevs/0").ifPresent(name -> add(name, destination, own));
        }
        return own.isEmpty() || own.contains(systems(destination)) ? null : own.get(0);
    }

    private static void add(String name, InetAddress destination, List<InetAddress> to) {
        try {
            NetworkInterface network = NetworkInterface.getByName(name);
            if (network != null) {
                network.inetAddresses()
                        .filter(one -> one.getClass() == destination.getClass()
                                && !one.isMulticastAddress()
                                && one.isLinkLocalAddress() == destination.isLinkLocalAddress())
                        .forEach(to::add);
            }
        } catch (SocketException e) {
            // the kernel chooses
        }
    }

    private static InetAddress systems(InetAddress destination) {
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.connect(new InetSocketAddress(destination, PORT));
            return socket.getLocalAddress();
        } catch (IOException | IllegalArgumentException e) {
            return null; // no route
        }
    }
}
