/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import io.verbs4j.natives.call.CallSet;
import io.verbs4j.natives.call.NativeBinding;

/**
 * The additional system calls that one copy needs. As {@link SystemCalls}, whose {@link SystemCalls#errno} applies to
 * these calls as well.
 */
final class OneCopyCalls {
    private static final CallSet SET = new CallSet();
    private static final CallSet.Call PROCESS_VM_READV = SET.callOften("process_vm_readv");

    /** The same call, repeated after a failure to obtain the error number. */
    private static final CallSet.Call PROCESS_VM_READV_AGAIN = SET.call("process_vm_readv");

    private static final CallSet.Call MEMFD_CREATE = SET.call("memfd_create");
    private static final CallSet.Call OPEN = SET.call("open");
    private static final CallSet.Call FCNTL = SET.call("fcntl");
    private static final CallSet.Call MADVISE = SET.call("madvise");
    private static final CallSet.Call PREAD = SET.callOften("pread");
    private static final CallSet.Call PWRITE = SET.callOften("pwrite");

    /** As {@link SystemCalls#bind()}. */
    String bind() {
        return SET.bind();
    }

    /** As {@link SystemCalls#unbind}. */
    void unbind() {
        SET.unbind();
    }

    long process_vm_readv(int pid, long local, long localCount, long remote, long remoteCount, long flags) {
        long result = PROCESS_VM_READV.get().call(pid, local, localCount, remote, remoteCount, flags);
        return result >= 0 || !NativeBinding.isForeign()
                ? result
                : PROCESS_VM_READV_AGAIN.get().call(pid, local, localCount, remote, remoteCount, flags);
    }

    int memfd_create(long name, int flags) {
        return (int) MEMFD_CREATE.get().call(name, flags);
    }

    int open(long name, int flags) {
        return (int) OPEN.get().call(name, flags);
    }

    int fcntl(int fd, int command, long argument) {
        return (int) FCNTL.get().call(fd, command, argument);
    }

    int madvise(long address, long bytes, int advice) {
        return (int) MADVISE.get().call(address, bytes, advice);
    }

    long pread(int fd, long buffer, long count, long offset) {
        return PREAD.get().call(fd, buffer, count, offset);
    }

    long pwrite(int fd, long buffer, long count, long offset) {
        return PWRITE.get().call(fd, buffer, count, offset);
    }
}
