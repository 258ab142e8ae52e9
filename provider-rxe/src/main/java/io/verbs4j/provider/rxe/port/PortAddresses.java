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
 * <p>RoCE v2 has one UDP port, 4791, so two processes of a machine can't share an address. On Linux all of 127.0.0.0/8 is
 * local, and its 24 bits hold any process id: index 0 is an address of this process's own, and two processes of one
 * machine find each other without configuration. Further devices of a process, and those of further class loaders, have other
 * such addresses. Then come the machine's addresses, for other machines; the first
 * process that uses one has it.
 */
public final class PortAddresses {
    private static final long IPV4_MAPPED = 0xffff_0000_0000L;
    private static final int PID_SPAN = 1 << 22; // Linux' largest limit
    private static final long MANY_DEVICES = 1 << 24; // of a process
    private static final int FURTHER_SPAN = 1 << 23; // what is above

    /** Property that counts the class loaders of this JVM that have this class: they can't share an address either. */
    private static final String LOADERS = "io.verbs4j.rxe.loaders";

    /** How many loaders came before that of this class. */
    static final int LOADER = nextLoader();

    private PortAddresses() {}

    /** The interfaces of this machine; to list them takes long, so that it is done once. None where they can't be listed. */
    public static List<NetworkInterface> interfaces() {
        try {
            return Collections.list(NetworkInterface.getNetworkInterfaces());
        } catch (SocketException e) {
            return List.of(); // then only this machine can be reached, which the GID table shows
        }
    }

    /** The addresses of a device, by its number from 0. */
    public static List<Gid> of(RxeConfig config, int device, List<NetworkInterface> interfaces) {
        if (!config.addresses().isEmpty()) {
            // Shared out in turn where there are several devices.
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
        synchronized (all) { // which its own methods that change something are, too
            int before = Integer.getInteger(LOADERS, 0);
            all.setProperty(LOADERS, Integer.toString(before + 1));
            return before;
        }
    }

    private static Gid ownLoopback(int device) {
        return loopback(OwnNamespaces.number(OwnProcess.find().pid()), LOADER * RxeConfig.MAX_DEVICES + device);
    }

    /** The address of the n-th device of a process, from 0. */
    static Gid loopback(long pid, int n) {
        // 127.64.0.0 and up: clear of the addresses that people give to their services.
        long first = (long) PID_SPAN + Math.floorMod(pid, PID_SPAN);
        // Further ones are scattered, as the neighbours in number are other processes.
        long scattered = (pid * MANY_DEVICES + n) * 0x9e3779b97f4a7c15L >>> 1;
        long further = FURTHER_SPAN + scattered % (FURTHER_SPAN - 1); // the last one is for broadcasts
        return Gid.of(0, IPV4_MAPPED | 127L << 24 | (n == 0 ? first : further));
    }

    private static List<Gid> hostAddresses(List<NetworkInterface> interfaces) {
        Set<Gid> ipv4 = new LinkedHashSet<>();
        Set<Gid> ipv6 = new LinkedHashSet<>();
        for (NetworkInterface nic : interfaces) {
            List<InterfaceAddress> addresses = nic.getInterfaceAddresses();
            if (addresses.isEmpty() || !isForOthers(nic)) {
                continue; // the first costs no system call
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
            return false; // it is not there any more
        }
    }
}
