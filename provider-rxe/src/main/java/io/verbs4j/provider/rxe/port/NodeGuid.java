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
 * The GUID of an embedded device's node. Each device of each process is a node of its own, so it is a digest of what tells them
 * apart: the machine, also one without a network, the process, the device, and its addresses.
 */
public final class NodeGuid {
    /** Of the first byte of an EUI-64: locally administered, so that it is no vendor's, and of one station. */
    private static final long LOCAL = 0x02L << 56;

    private static final long GROUP = 0x01L << 56;

    private NodeGuid() {}

    /**
     * The GUID of a device of this process; the same for as long as the process lives, and the machine has the same interfaces.
     *
     * @param device its number from 0
     * @param addresses its addresses
     * @param interfaces those of the machine
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

    /** Another number for each, all of whose bits depend on all: no secret, which would load the JDK's security providers. */
    private static long mixed(long number) {
        long n = number + 0x9e37_79b9_7f4a_7c15L; // the fraction of the golden ratio, so that 0 does not stay
        n = (n ^ n >>> 30) * 0xbf58_476d_1ce4_e5b9L; // the mixer of SplittableRandom
        n = (n ^ n >>> 27) * 0x94d0_49bb_1331_11ebL;
        return n ^ n >>> 31;
    }

    /** What no other machine has, and no other boot of this one: one without a network has no hardware address. */
    private static String machine(List<NetworkInterface> interfaces) {
        StringBuilder all = new StringBuilder(bootId());
        for (NetworkInterface nic : interfaces) {
            try {
                byte[] address = nic.getHardwareAddress();
                for (int i = 0; address != null && i < address.length; i++) {
                    all.append((char) (address[i] & 0xff));
                }
            } catch (SocketException e) {
                all.append('-'); // it is not there any more
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

    /** Two containers of a machine can give the same number to processes. */
    private static String process() {
        OwnProcess me = OwnProcess.find();
        return me.pid() + " " + me.began() + " " + OwnNamespaces.names() + " " + PortAddresses.LOADER;
    }
}
