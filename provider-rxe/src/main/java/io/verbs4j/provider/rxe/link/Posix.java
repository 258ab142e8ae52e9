/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Platform;
import java.util.Locale;
import java.util.Set;

/**
 * System calls of Linux through JNA's direct mapping: primitives only, so that a call allocates nothing. Constants are those
 * of the processors with Linux' generic numbers; elsewhere {@link #unavailable()} says so.
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

    /** Links that make calls. */
    private static int users;

    private Posix() {}

    /** Why these calls can't be made here; null where they can. */
    static synchronized String unavailable() {
        String problem = enter();
        if (problem == null) {
            exit();
        }
        return problem;
    }

    /**
     * Binds the calls, for one more user. Bound while there are users and not when this class is loaded: machines without JNA
     * load it too.
     *
     * @return why they can't be made here; null where they can, and then {@link #exit} is owed
     */
    static synchronized String enter() {
        if (users == 0) {
            String problem = unsupported();
            if (problem == null) {
                problem = bind(Posix.class);
            }
            if (problem != null) {
                return problem;
            }
        }
        users++;
        return null;
    }

    /**
     * Ends an {@link #enter}; no call of that user may be under way. JNA has a thread while anything is bound, and the thread
     * keeps JNA's class loader for ever, and so, mostly, that of this class.
     */
    static synchronized void exit() {
        if (--users == 0) {
            Binding.unbind();
        }
    }

    /** Binds the native methods of a class; answers why they can't be bound, or null. */
    static String bind(Class<?> calls) {
        return Binding.bind(calls);
    }

    static boolean isLinux() {
        return "Linux".equals(System.getProperty("os.name"));
    }

    private static String unsupported() {
        String arch = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
        if (!isLinux()) {
            return "the operating system is " + System.getProperty("os.name") + ", not Linux";
        }
        return GENERIC.contains(arch) ? null : "the processor " + arch + " has system call numbers of its own";
    }

    /** Apart, because it needs classes of JNA. */
    private static final class Binding {
        /**
         * On a thread that ends: JNA leaves objects of its own with the thread that first uses it, and its own thread has the
         * class loader of that. Either would keep a class loader for as long as the thread is there.
         */
        static String bind(Class<?> calls) {
            String[] problem = {"JNA could not be asked"};
            Thread thread = new Thread(() -> problem[0] = register(calls), "rxe-bind");
            thread.setDaemon(true);
            thread.start();
            boolean interrupted = false;
            while (thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException e) {
                    interrupted = true; // the verb goes on, and its caller learns of it afterwards
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            return problem[0];
        }

        private static String register(Class<?> calls) {
            try {
                Thread.currentThread().setContextClassLoader(Native.class.getClassLoader());
                // By the library and not by its name: for that JNA would remember the class loader.
                Native.register(calls, NativeLibrary.getInstance(Platform.C_LIBRARY_NAME));
                return null;
            } catch (LinkageError | RuntimeException e) {
                return obstacle(e);
            }
        }

        private static String obstacle(Throwable thrown) {
            boolean isWrapped = thrown instanceof ExceptionInInitializerError && thrown.getCause() != null;
            Throwable cause = isWrapped ? thrown.getCause() : thrown;
            if (cause instanceof IllegalCallerException) {
                Module jna = Native.class.getModule();
                return "native access is denied to JNA (" + cause.getMessage()
                        + "); allow it with --enable-native-access=" + (jna.isNamed() ? jna.getName() : "ALL-UNNAMED");
            }
            return "JNA is missing or does not work here (" + cause
                    + "); put it on the class path, or on the module path with --add-modules com.sun.jna";
        }

        static void unbind() {
            Native.unregister(Posix.class);
        }
    }

    /** The error number of this thread's last call that answered -1. */
    static int errno() {
        return Native.getLastError();
    }

    static native int socket(int domain, int type, int protocol);

    static native int bind(int fd, long address, int length);

    static native int setsockopt(int fd, int level, int option, long value, int length);

    static native int getsockopt(int fd, int level, int option, long value, long length);

    static native long sendmsg(int fd, long msghdr, int flags);

    static native int recvmmsg(int fd, long mmsghdrs, int count, int flags, long timeout);

    static native int ppoll(long pollfds, long count, long timespec, long sigmask);

    static native int eventfd(int initial, int flags);

    static native long read(int fd, long buffer, long length);

    static native long write(int fd, long buffer, long length);

    static native int close(int fd);
}
