/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;

/** {@link OneCopyCalls} by the JDK's foreign function API. */
final class ForeignOneCopyCalls implements OneCopyCalls {
    /** Apart, so that what keeps them from being found is told by {@link #bind()}. */
    private static final class Functions {
        private static final Class<?>[] READV = {int.class, long.class, long.class, long.class, long.class, long.class};
        static final MethodHandle PROCESS_VM_READV = findOften("process_vm_readv", long.class, READV);

        /** The same, for one that has failed: keeps the error number. */
        static final MethodHandle PROCESS_VM_READV_AGAIN = find("process_vm_readv", long.class, READV);

        static final MethodHandle MEMFD_CREATE = find("memfd_create", int.class, long.class, int.class);
        static final MethodHandle OPEN = find("open", int.class, long.class, int.class);
        static final MethodHandle FCNTL =
                ForeignFunctions.find("fcntl", MethodType.methodType(int.class, int.class, int.class, long.class), 2);
        static final MethodHandle MADVISE = find("madvise", int.class, long.class, long.class, int.class);
        static final MethodHandle PREAD = findOften("pread", long.class, int.class, long.class, long.class, long.class);
        static final MethodHandle PWRITE =
                findOften("pwrite", long.class, int.class, long.class, long.class, long.class);

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
    public long process_vm_readv(int pid, long local, long localCount, long remote, long remoteCount, long flags) {
        try {
            long result =
                    (long) Functions.PROCESS_VM_READV.invokeExact(pid, local, localCount, remote, remoteCount, flags);
            return result >= 0
                    ? result
                    : (long) Functions.PROCESS_VM_READV_AGAIN.invokeExact(
                            ForeignFunctions.kept(), pid, local, localCount, remote, remoteCount, flags);
        } catch (Throwable t) {
            throw ForeignFunctions.thrown(t);
        }
    }

    @Override
    public int memfd_create(long name, int flags) {
        try {
            return (int) Functions.MEMFD_CREATE.invokeExact(ForeignFunctions.kept(), name, flags);
        } catch (Throwable t) {
            throw ForeignFunctions.thrown(t);
        }
    }

    @Override
    public int open(long name, int flags) {
        try {
            return (int) Functions.OPEN.invokeExact(ForeignFunctions.kept(), name, flags);
        } catch (Throwable t) {
            throw ForeignFunctions.thrown(t);
        }
    }

    @Override
    public int fcntl(int fd, int command, long argument) {
        try {
            return (int) Functions.FCNTL.invokeExact(ForeignFunctions.kept(), fd, command, argument);
        } catch (Throwable t) {
            throw ForeignFunctions.thrown(t);
        }
    }

    @Override
    public int madvise(long address, long bytes, int advice) {
        try {
            return (int) Functions.MADVISE.invokeExact(ForeignFunctions.kept(), address, bytes, advice);
        } catch (Throwable t) {
            throw ForeignFunctions.thrown(t);
        }
    }

    @Override
    public long pread(int fd, long buffer, long count, long offset) {
        try {
            return (long) Functions.PREAD.invokeExact(fd, buffer, count, offset);
        } catch (Throwable t) {
            throw ForeignFunctions.thrown(t);
        }
    }

    @Override
    public long pwrite(int fd, long buffer, long count, long offset) {
        try {
            return (long) Functions.PWRITE.invokeExact(fd, buffer, count, offset);
        } catch (Throwable t) {
            throw ForeignFunctions.thrown(t);
        }
    }
}
