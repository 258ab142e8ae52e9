/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.cm;

import io.verbs4j.Context;
import io.verbs4j.Device;
import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.cm.CmEvent;
import io.verbs4j.cm.CmEventType;
import io.verbs4j.cm.CmId;
import io.verbs4j.cm.EventChannel;
import io.verbs4j.cm.PortSpace;
import io.verbs4j.tools.base.ToolException;
import io.verbs4j.tools.device.Devices;
import io.verbs4j.tools.text.Printable;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * An open device, and an address that it reaches or has: with a connection manager, a program is given only an address.
 *
 * @param context the device; the caller closes it
 * @param address the address
 */
public record Reach(Context context, InetSocketAddress address) implements AutoCloseable {
    private static final long RESOLVE_MILLIS = 2000;

    /** Tests whether an id of a device can use an address. */
    private interface Trial {
        boolean works(EventChannel channel, CmId id, InetSocketAddress address);
    }

    /**
     * Opens the device that reaches a peer.
     *
     * @param devices the devices to choose from
     * @param name the device to use; null for the first that reaches the peer
     * @param host name or address of the peer
     * @param port its port
     */
    public static Reach toward(Devices devices, String name, String host, int port) {
        List<Device> candidates = candidates(devices, name);
        return find(devices, candidates, addresses(host), port, Reach::resolves, "reaches");
    }

    /**
     * {@return the way to a program on this machine that uses the same device}
     *
     * @param context the device, open; the caller closes it
     * @param port the program's port
     */
    public static Reach here(Context context, int port) {
        InetSocketAddress loopback = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        return new Reach(
                context,
                works(context, Reach::resolves, loopback)
                        ? loopback
                        : new InetSocketAddress(context.queryGid(1, 0).toInetAddress(), port));
    }

    /**
     * Opens the device that has an address to listen at.
     *
     * @param devices the devices to choose from
     * @param name the device to use; null for the first that has the address
     * @param host name or address; null for all addresses of the device
     * @param port the port; 0 for a free one
     */
    public static Reach at(Devices devices, String name, String host, int port) {
        List<Device> candidates = candidates(devices, name);
        List<InetAddress> addresses = host == null ? List.of(new InetSocketAddress(0).getAddress()) : addresses(host);
        return find(devices, candidates, addresses, port, Reach::binds, "has");
    }

    private static List<Device> candidates(Devices devices, String name) {
        List<Device> all = name != null ? List.of(devices.named(name)) : devices.list();
        return all.isEmpty() ? List.of(devices.defaultDevice()) : all; // throws an exception that says why
    }

    private static List<InetAddress> addresses(String host) {
        try {
            return List.of(InetAddress.getAllByName(host));
        } catch (UnknownHostException e) {
            throw ToolException.failed("unknown host '" + host + "'", e);
        }
    }

    private static Reach find(
            Devices devices, List<Device> candidates, List<InetAddress> addresses, int port, Trial trial, String what) {
        StringBuilder reasons = new StringBuilder();
        for (Device device : candidates) {
            reasons.append("\n  ").append(Printable.of(device.name())).append(": ");
            Context context = devices.open(device);
            boolean found = false;
            try {
                for (InetAddress address : addresses) {
                    InetSocketAddress one = new InetSocketAddress(address, port);
                    found = works(context, trial, one);
                    if (found) {
                        return new Reach(context, one);
                    }
                }
                reasons.append("none of its addresses ").append(what.equals("has") ? "matches" : "reaches it");
            } catch (VerbsException e) {
                reasons.append(e.getMessage());
            } finally {
                if (!found) {
                    context.close();
                }
            }
        }
        throw ToolException.notAvailable(
                "no device on this machine " + what + " " + addresses.get(0).getHostAddress() + ":"
                        + reasons + "\n'verbs info -v' shows the addresses of the devices, as GIDs;"
                        + " -Dio.verbs4j.rxe.addresses=ADDRESS gives the embedded device an address of this machine");
    }

    private static boolean works(Context context, Trial trial, InetSocketAddress address) {
        try (EventChannel channel = EventChannel.create();
                CmId id = channel.createId(context, PortSpace.TCP)) {
            return trial.works(channel, id, address);
        }
    }

    private static boolean resolves(EventChannel channel, CmId id, InetSocketAddress address) {
        id.resolveAddress(null, address, RESOLVE_MILLIS, TimeUnit.MILLISECONDS);
        CmEvent event = channel.getEvent(RESOLVE_MILLIS, TimeUnit.MILLISECONDS);
        return event != null && event.type() == CmEventType.ADDR_RESOLVED;
    }

    private static boolean binds(EventChannel channel, CmId id, InetSocketAddress address) {
        try {
            id.bind(new InetSocketAddress(address.getAddress(), 0));
            return true;
        } catch (VerbsException e) {
            if (e.errno() == Errno.EADDRNOTAVAIL) {
                return false;
            }
            throw e;
        }
    }

    @Override
    public void close() {
        context.close();
    }
}
