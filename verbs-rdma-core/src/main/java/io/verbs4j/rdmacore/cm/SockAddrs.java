/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.cm;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.cm.layout.SockaddrIn6Layout;
import io.verbs4j.rdmacore.cm.layout.SockaddrInLayout;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/** Converts socket addresses to C and back. */
final class SockAddrs {
    /** Enough for any address. */
    static final int SIZE = SockaddrIn6Layout.SIZEOF;

    private static final int AF_INET = 2;
    private static final int AF_INET6 = 10;
    private static final int IPV4_LENGTH = 4;
    private static final int IPV6_LENGTH = 16;

    private SockAddrs() {}

    /** {@return the host of a resolved address} */
    static InetAddress host(String verb, InetSocketAddress address) {
        if (address == null || address.isUnresolved()) {
            throw new VerbsException(Errno.EINVAL, verb, "the address is " + address + "; pass a resolved one");
        }
        return address.getAddress();
    }

    /** {@return why an address cannot be the peer of a connection, or null if it can} */
    static String whyNoPeer(InetAddress host) {
        byte[] bytes = host.getAddress();
        boolean broadcast = bytes.length == IPV4_LENGTH && (bytes[0] & bytes[1] & bytes[2] & bytes[3] & 0xff) == 0xff;
        if (!broadcast && !host.isMulticastAddress()) {
            return null;
        }
        return host.getHostAddress() + " is a " + (broadcast ? "broadcast" : "group") + " address: a connection has one"
                + " peer";
    }

    /** Writes an address to zeroed memory. */
    static void write(long at, InetAddress host, int port) {
        byte[] bytes = host.getAddress();
        if (bytes.length == IPV4_LENGTH) {
            NativeMemory.putShort(at + SockaddrInLayout.SIN_FAMILY, AF_INET);
            NativeMemory.putNetShort(at + SockaddrInLayout.SIN_PORT, port);
            NativeMemory.putBytes(at + SockaddrInLayout.SIN_ADDR, bytes);
            return;
        }
        NativeMemory.putShort(at + SockaddrIn6Layout.SIN6_FAMILY, AF_INET6);
        NativeMemory.putNetShort(at + SockaddrIn6Layout.SIN6_PORT, port);
        NativeMemory.putBytes(at + SockaddrIn6Layout.SIN6_ADDR, bytes);
        NativeMemory.putInt(at + SockaddrIn6Layout.SIN6_SCOPE_ID, ((Inet6Address) host).getScopeId());
    }

    /** Reads an address; returns null if there is none or if it is of another family. */
    static InetSocketAddress read(long at) {
        int family = NativeMemory.getShort(at + SockaddrInLayout.SIN_FAMILY);
        if (family != AF_INET && family != AF_INET6) {
            return null;
        }
        boolean four = family == AF_INET;
        byte[] bytes = new byte[four ? IPV4_LENGTH : IPV6_LENGTH];
        NativeMemory.getBytes(at + (four ? SockaddrInLayout.SIN_ADDR : SockaddrIn6Layout.SIN6_ADDR), bytes);
        try {
            return new InetSocketAddress(
                    InetAddress.getByAddress(bytes), NativeMemory.getNetShort(at + SockaddrInLayout.SIN_PORT));
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e); // the length is right
        }
    }
}
