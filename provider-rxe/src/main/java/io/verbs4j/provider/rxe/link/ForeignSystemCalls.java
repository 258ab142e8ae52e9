/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;

/** {@link SystemCalls} by the JDK's foreign function API. */
final class ForeignSystemCalls implements SystemCalls {
    /** Apart, so that what keeps them from being found is told by {@link #bind()}. */
    private static final class Functions {
        static final MethodHandle SOCKET = find("socket", int.class, int.class, int.class, int.class);
        static final MethodHandle BIND = find("bind", int.class, int.class, long.class, int.class);
        static final MethodHandle SETSOCKOPT =
                find("setsockopt", int.class, int.class, int.class, int.class, long.class, int.class);
        static final MethodHandle GETSOCKOPT =
                find("getsockopt", int.class, int.class, int.class, int.class, long.class, long.class);
        static final MethodHandle SENDMSG = findOften("sendmsg", long.class, int.class, long.class, int.class);
        static final MethodHandle RECVMMSG =
                findOften("recvmmsg", int.class, int.class, long.class, int.class, int.class, long.class);
        static final MethodHandle PPOLL = findOften("ppoll", int.class, long.class, long.class, long.class, long.class);
        static final MethodHandle EVENTFD = find("eventfd", int.class, int.class, int.class);
        static final MethodHandle READ = findOften("read", long.class, int.class, long.class, long.class);
        static final MethodHandle WRITE = findOften("write", long.class, int.class, long.class, long.class);
        static final MethodHandle CLOSE = find("close", int.class, int.class);

        /** Finds them all, where that has not been done. */
        static void load() {}

        private static MethodHandle find(String name, Class<?> result, Class<?>... arguments) {
            return ForeignFunctions.find(name, MethodType.methodType(result, arguments), arguments.length);
        }

        private static MethodHandle findOften(String name, Class<?> result, Class<?>... arguments) {
            return ForeignFunctions.findOften(name, MethodType.methodType(result, arguments));
        }
    }

    @Override
    public String bind() {
        try {
            Functions.load();
            return null;
        } catch (LinkageError | RuntimeException e) {
            return ForeignFunctions.obstacle(e);
        }
    }

    @Override
    public void unbind() {
        // nothing is kept
    }

    @Override
    public int errno() {
        return ForeignFunctions.errno();
    }

    @Override
    public int socket(int domain, int type, int protocol) {
        try {
            return (int) Functions.SOCKET.invokeExact(ForeignFunctions.kept(), domain, type, protocol);
        } catch (Throwable t) {
            throw ForeignFunctions.thrown(t);
        }
    }

    @Override
    public int bind(int fd, long address, int length) {
        try {
            return (int) Functions.BIND.invokeExact(ForeignFunctions.kept(), fd, address, length);
        } catch (Throwable t) {
            throw ForeignFunctions.thrown(t);
        }
    }

    @Override
    public int setsockopt(int fd, int level, int option, long value, int length) {
        try {
            return (int) Functions.SETSOCKOPT.invokeExact(ForeignFunctions.kept(), fd, level, option, value, length);
        } catch (Throwable t) {
            throw ForeignFunctions.thrown(t);
        }
    }

    @Override
    public int getsockopt(int fd, int level, int option, long value, long length) {
        try {
            return (int) Functions.GETSOCKOPT.invokeExact(ForeignFunctions.kept(), fd, level, option, value, length);
        } catch (Throwable t) {
            throw ForeignFunctions.thrown(t);
        }
    }

    @Override
    public long sendmsg(int fd, long msghdr, int flags) {
        try {
            long result = (long) Functions.SENDMSG.invokeExact(fd, msghdr, flags);
            if (result < 0) {
                ForeignFunctions.keepErrno();
            }
            return result;
        } catch (Throwable t) {
            throw ForeignFunctions.thrown(t);
        }
    }

    @Override
    public int recvmmsg(int fd, long mmsghdrs, int count, int flags, long timeout) {
        try {
            int result = (int) Functions.RECVMMSG.invokeExact(fd, mmsghdrs, count, flags, timeout);
            if (result < 0) {
                ForeignFunctions.keepErrno();
            }
            return result;
        } catch (Throwable t) {
            throw ForeignFunctions.thrown(t);
        }
    }

    @Override
    public int ppoll(long pollfds, long count, long timespec, long sigmask) {
        try {
            int result = (int) Functions.PPOLL.invokeExact(pollfds, count, timespec, sigmask);
            if (result < 0) {
                ForeignFunctions.keepErrno();
            }
            return result;
        } catch (Throwable t) {
            throw ForeignFunctions.thrown(t);
        }
    }

    @Override
    public int eventfd(int initial, int flags) {
        try {
            return (int) Functions.EVENTFD.invokeExact(ForeignFunctions.kept(), initial, flags);
        } catch (Throwable t) {
            throw ForeignFunctions.thrown(t);
        }
    }

    @Override
    public long read(int fd, long buffer, long length) {
        try {
            long result = (long) Functions.READ.invokeExact(fd, buffer, length);
            if (result < 0) {
                ForeignFunctions.keepErrno();
            }
            return result;
        } catch (Throwable t) {
            throw ForeignFunctions.thrown(t);
        }
    }

    @Override
    public long write(int fd, long buffer, long length) {
        try {
            long result = (long) Functions.WRITE.invokeExact(fd, buffer, length);
            if (result < 0) {
                ForeignFunctions.keepErrno();
            }
            return result;
        } catch (Throwable t) {
            throw ForeignFunctions.thrown(t);
        }
    }

    @Override
    public int close(int fd) {
        try {
            return (int) Functions.CLOSE.invokeExact(ForeignFunctions.kept(), fd);
        } catch (Throwable t) {
            throw ForeignFunctions.thrown(t);
        }
    }
}
