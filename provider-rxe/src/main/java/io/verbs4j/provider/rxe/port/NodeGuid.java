/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.port;

import io.verbs4j.Gid;
import io.verbs4j.provider.rxe.base.OwnProcess;
import io.verbs4j.provider.rxe.base.ProcFile;
import io.verbs4j.provider.rxe.files.OwnNamespaces;
import java.io.IOException;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.List;

/**
 * The GUID of an embedded device's node. Each device of each process is its own node, so the GUID is a hash of what
 * distinguishes them: the machine (even one without a network), the process, the device and its addresses.
 */
public final class NodeGuid {
    /**
     * Bit of the first byte of an EUI-64 that marks it as locally administered: no vendor's, and, with the group bit
     * clear, that of one station.
     */
    private static final long LOCAL = 0x02L << 56;

    private static final long GROUP = 0x01L << 56;

    private NodeGuid() {}

    /**
     * Returns the GUID of a device of this process. It stays the same while the process lives and the machine has the
     * same interfaces.
     *
     * @param device number of the device, from 0
     * @param addresses addresses of the device
     * @param interfaces interfaces of the machine
     */
    public static long of(int device, List<Gid> addresses, List<NetworkInterface> interfaces) {
        return of(machine(interfaces), process(), device, addresses);
    }

    static long of(String machine, String process, int device, List<Gid> addresses) {
        long digest = add(add(device, machine), process);
        for (Gid address : addresses) {
            digest = mixed(mixed(digest ^ address.subnetPrefix()) ^ address.interfaceId());
        }
        return digest & ~GROUP | LOCAL;
    }

    private static long add(long digest, String text) {
        long all = mixed(digest);
        for (int i = 0; i < text.length(); i++) {
            all = mixed(all ^ text.charAt(i));
        }
        return all;
    }

    /**
     * Maps each number to another one, all of whose bits depend on all input bits. Not cryptographic, which would load
     * the JDK's security providers.
     */
    private static long mixed(long number) {
        long n = number + 0x9e37_79b9_7f4a_7c15L; // the fraction of the golden ratio, so that 0 does not map to itself
        n = (n ^ n >>> 30) * 0xbf58_476d_1ce4_e5b9L; // the mixer of SplittableRandom
        n = (n ^ n >>> 27) * 0x94d0_49bb_1331_11ebL;
        return n ^ n >>> 31;
    }

    /**
     * Returns what distinguishes this machine, and this boot of it: a machine without a network has no hardware
     * address.
     */
    private static String machine(List<NetworkInterface> interfaces) {
        StringBuilder all = new StringBuilder(bootId());
        for (NetworkInterface nic : interfaces) {
            try {
                byte[] address = nic.getHardwareAddress();
                for (int i = 0; address != null && i < address.length; i++) {
                    all.append((char) (address[i] & 0xff));
                }
            } catch (SocketException e) {
                all.append('-'); // the interface no longer exists
            }
        }
        return all.toString();
    }

    private static String bootId() {
        try {
            return ProcFile.read("/proc/sys/kernel/random/boot_id");
        } catch (IOException e) {
            return ""; // not Linux
        }
    }

    /** Returns what distinguishes this process: two containers on a machine can use the same process ID. */
    private static String process() {
        OwnProcess me = OwnProcess.find();
        return me.pid() + " " + me.began() + " " + OwnNamespaces.names() + " " + PortAddresses.LOADER;
    }
}
