/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.port;

import io.verbs4j.Gid;
import io.verbs4j.provider.rxe.base.OwnProcess;
import io.verbs4j.provider.rxe.files.OwnNamespaces;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Properties;
import java.util.Set;

/**
 * The addresses of a port: its GID table.
 *
 * <p>RoCE v2 has a single UDP port, 4791, so two processes of a machine can't share an address. On Linux all of
 * 127.0.0.0/8 is local, and its 24 bits can hold any process ID. Index 0 is therefore an address of this process alone,
 * and two processes of a machine find each other without configuration. Further devices of a process, and those of
 * further class loaders, have other addresses of this kind. The machine's addresses follow, for other machines; the
 * first process that uses one owns it.
 */
public final class PortAddresses {
    private static final long IPV4_MAPPED = 0xffff_0000_0000L;
    private static final int PID_SPAN = 1 << 22; // Linux's largest limit
    private static final long MANY_DEVICES = 1 << 24; // of a process
    private static final int FURTHER_SPAN = 1 << 23; // the upper half

    /**
     * System property that counts the class loaders of this JVM that have this class: they can't share an address
     * either.
     */
    private static final String LOADERS = "io.verbs4j.rxe.loaders";

    /** Number of loaders that loaded this class before. */
    static final int LOADER = nextLoader();

    private PortAddresses() {}

    /** Lists the interfaces of this machine, or none if they can't be listed. This is slow, so it is done once. */
    public static List<NetworkInterface> interfaces() {
        try {
            return Collections.list(NetworkInterface.getNetworkInterfaces());
        } catch (SocketException e) {
            return List.of(); // only this machine can be reached then, as the GID table shows
        }
    }

    /** Returns the addresses of a device, by its number from 0. */
    public static List<Gid> of(RxeConfig config, int device, List<NetworkInterface> interfaces) {
        if (!config.addresses().isEmpty()) {
            // Several devices take the addresses in turn.
            List<Gid> mine = new ArrayList<>();
            for (int i = device; i < config.addresses().size(); i += config.devices()) {
                mine.add(Gid.of(config.addresses().get(i)));
            }
            return mine;
        }
        List<Gid> found = new ArrayList<>();
        found.add(ownLoopback(device));
        if (device == 0) {
            found.addAll(hostAddresses(interfaces));
        }
        return found;
    }

    private static int nextLoader() {
        Properties all = System.getProperties();
        synchronized (all) { // the lock that its own modifying methods take
            int before = Integer.getInteger(LOADERS, 0);
            all.setProperty(LOADERS, Integer.toString(before + 1));
            return before;
        }
    }

    private static Gid ownLoopback(int device) {
        return loopback(OwnNamespaces.number(OwnProcess.find().pid()), LOADER * RxeConfig.MAX_DEVICES + device);
    }

    /** Returns the address of the n-th device of a process, from 0. */
    static Gid loopback(long pid, int n) {
        // From 127.64.0.0 up, which avoids the addresses that people give to services.
        long first = (long) PID_SPAN + Math.floorMod(pid, PID_SPAN);
        // Further ones are scattered, because neighboring numbers belong to other processes.
        long scattered = (pid * MANY_DEVICES + n) * 0x9e3779b97f4a7c15L >>> 1;
        long further = FURTHER_SPAN + scattered % (FURTHER_SPAN - 1); // the last one is the broadcast address
        return Gid.of(0, IPV4_MAPPED | 127L << 24 | (n == 0 ? first : further));
    }

    private static List<Gid> hostAddresses(List<NetworkInterface> interfaces) {
        Set<Gid> ipv4 = new LinkedHashSet<>();
        Set<Gid> ipv6 = new LinkedHashSet<>();
        for (NetworkInterface nic : interfaces) {
            List<InterfaceAddress> addresses = nic.getInterfaceAddresses();
            if (addresses.isEmpty() || !isForOthers(nic)) {
                continue; // the first check costs no system call
            }
            for (InterfaceAddress a : addresses) {
                InetAddress address = a.getAddress();
                if (address instanceof Inet4Address) {
                    ipv4.add(Gid.of(address));
                } else if (address instanceof Inet6Address && !address.isLinkLocalAddress()) {
                    ipv6.add(Gid.of(address));
                }
            }
        }
        List<Gid> all = new ArrayList<>(ipv4);
        all.addAll(ipv6);
        return all;
    }

    private static boolean isForOthers(NetworkInterface nic) {
        try {
            return nic.isUp() && !nic.isLoopback();
        } catch (SocketException e) {
            return false; // the interface no longer exists
        }
    }
}
