/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import java.util.Locale;
import java.util.Set;

/**
 * The system calls of this machine. The constants are those of processors with Linux's generic numbers; on others,
 * {@link #unavailable()} reports it.
 */
final class Posix {
    static final int EINTR = 4;
    static final int EIO = 5;
    static final int EAGAIN = 11;
    static final int EINVAL = 22;
    static final int EMSGSIZE = 90;
    static final int ENETUNREACH = 101;
    static final int ENOBUFS = 105;
    static final int ECONNREFUSED = 111;
    static final int EHOSTUNREACH = 113;

    static final int AF_INET = 2;
    static final int AF_INET6 = 10;
    static final int SOCK_DGRAM = 2;
    static final int SOCK_CLOEXEC = 0x80000;
    static final int MSG_TRUNC = 0x20;
    static final int MSG_DONTWAIT = 0x40;

    static final int SOL_SOCKET = 1;
    static final int SO_REUSEADDR = 2;
    static final int SO_SNDBUF = 7;
    static final int SO_RCVBUF = 8;
    static final int SO_SNDBUFFORCE = 32;
    static final int SO_RCVBUFFORCE = 33;
    static final int SO_RXQ_OVFL = 40;

    static final int IPPROTO_IP = 0;
    static final int IP_MTU_DISCOVER = 10;
    static final int IP_MULTICAST_IF = 32;
    static final int IP_MULTICAST_TTL = 33;
    static final int IP_MULTICAST_LOOP = 34;
    static final int IP_ADD_MEMBERSHIP = 35;
    static final int IP_MULTICAST_ALL = 49;
    static final int PMTUDISC_DO = 2;

    static final int IPPROTO_IPV6 = 41;
    static final int IPV6_MULTICAST_IF = 17;
    static final int IPV6_MULTICAST_HOPS = 18;
    static final int IPV6_MULTICAST_LOOP = 19;
    static final int IPV6_JOIN_GROUP = 20;
    static final int IPV6_MTU_DISCOVER = 23;
    static final int IPV6_V6ONLY = 26;
    static final int IPV6_MULTICAST_ALL = 29;
    static final int IPV6_DONTFRAG = 62;

    static final int SOL_UDP = 17;
    static final int UDP_NO_CHECK6_RX = 102;
    static final int UDP_SEGMENT = 103;
    static final int UDP_GRO = 104;

    static final int POLLIN = 1;
    static final int POLLOUT = 4;
    static final int EFD_NONBLOCK = 0x800;
    static final int EFD_CLOEXEC = 0x80000;

    /** Processors (os.arch) with the numbers above and 64-bit pointers. */
    private static final Set<String> GENERIC = Set.of("amd64", "x86_64", "aarch64", "riscv64", "loongarch64");

    /** Number of users between enter and exit. */
    private static int users;

    private static final SystemCalls CALLS = new SystemCalls();

    private Posix() {}

    /** {@return the calls; valid between {@link #enter} and {@link #exit}} */
    static SystemCalls calls() {
        return CALLS;
    }

    /** Returns why these calls are unavailable here; null if they are available. */
    static synchronized String unavailable() {
        String problem = enter();
        if (problem == null) {
            exit();
        }
        return problem;
    }

    /**
     * Binds the calls for one more user. They are bound while there are users, not when this class is loaded, because
     * machines without JNA load it as well.
     *
     * @return why they are unavailable here; null if they are available, in which case the caller must call {@link
     *     #exit}
     */
    static synchronized String enter() {
        if (users == 0) {
            String problem = unsupported();
            if (problem == null) {
                problem = calls().bind();
            }
            if (problem != null) {
                return problem;
            }
        }
        users++;
        return null;
    }

    /** Ends an {@link #enter}. No call of that user may be in progress. */
    static synchronized void exit() {
        if (--users == 0) {
            calls().unbind();
        }
    }

    static boolean isLinux() {
        return "Linux".equals(System.getProperty("os.name"));
    }

    private static String unsupported() {
        String arch = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
        if (!isLinux()) {
            return "the operating system is " + System.getProperty("os.name") + ", not Linux";
        }
        return GENERIC.contains(arch) ? null : "the processor " + arch + " numbers its system calls differently";
    }
}
