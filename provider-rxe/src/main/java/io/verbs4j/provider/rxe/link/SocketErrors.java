/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import io.verbs4j.Errno;
import io.verbs4j.Gid;
import io.verbs4j.VerbsException;

/** Creates exceptions for sockets that cannot be opened; the messages say what to do. */
final class SocketErrors {
    private SocketErrors() {}

    static VerbsException failed(String verb, String call, int errno, Gid address) {
        return new VerbsException(errno, verb, call + " failed for " + text(address) + ": " + remedy(errno));
    }

    static VerbsException failed(String verb, String call, int errno, Gid address, Throwable cause) {
        return new VerbsException(errno, verb, call + " failed for " + text(address) + ": " + remedy(errno), cause);
    }

    private static String text(Gid address) {
        return "UDP port " + Link.PORT + " of " + address;
    }

    private static String remedy(int errno) {
        switch (errno) {
            case Errno.EADDRINUSE:
                return "another device uses it: close that one, or give this one another address (every address in"
                        + " 127.0.0.0/8 is free for use on Linux). If no process has the port (see 'ss -lunp'),"
                        + " the kernel's rdma_rxe uses it: 'rdma link delete' its links, or 'modprobe -r rdma_rxe'";
            case Errno.EADDRNOTAVAIL:
                return "no interface of this machine has the address: choose one that 'ip address' lists, or add it";
            case Errno.EACCES:
            case Errno.EPERM:
                return "not permitted: check which security policy (seccomp, SELinux, container) forbids UDP";
            case Errno.EAFNOSUPPORT:
                return "the kernel does not support this address family (is IPv6 disabled?): use the other one";
            case Errno.EMFILE:
            case Errno.ENFILE:
                return "too many open files: raise 'ulimit -n'";
            case Errno.ENODEV:
                return "the interface of the address is gone or does not support multicast";
            case Errno.ENOBUFS:
            case Errno.ENOMEM:
                return "out of memory, or more groups than net.ipv4.igmp_max_memberships allows";
            default:
                return Errno.describe(errno);
        }
    }
}
