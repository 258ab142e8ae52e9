/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.share;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.rxe.files.OwnNamespaces;
import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;

/**
 * The process that made a descriptor, according to the file, with checks that it is that process and may be accessed.
 */
record ExportOwner(long pid, long began, long nonceHigh, long nonceLow, long nonceAddress) {
    private static final String VERB = "open_device";
    private static final int O_RDWR = 2;
    private static final int O_CLOEXEC = 0x80000;

    /** Returns the owner. Throws if this process cannot import from it. */
    static ExportOwner of(SharedMemory memory, int fd) {
        ExportOwner owner = new ExportOwner(
                memory.get(ExportLayout.PID),
                memory.get(ExportLayout.BEGAN),
                memory.get(ExportLayout.NONCE),
                memory.get(ExportLayout.NONCE + Long.BYTES),
                memory.get(ExportLayout.NONCE_ADDRESS));
        if (memory.get(ExportLayout.NAMESPACE) != OwnNamespaces.ofProcesses()) {
            throw owner.refused("it runs in another PID namespace, such as another container; run both in one");
        }
        if (!ExportedObjects.isAlive(owner.pid, owner.began)) {
            throw owner.gone();
        }
        owner.checkUsers(fd);
        return owner;
    }

    /**
     * Checks that both processes and the file belong to one user. This applies to root as well, which could access
     * every process: the file's creator chooses which memory is written.
     */
    private void checkUsers(int fd) {
        try {
            int mine = DescriptorFile.user(Path.of("/proc/self"));
            int theirs = DescriptorFile.user(Path.of("/proc/" + pid));
            if (DescriptorFile.user(fd) != mine || theirs != mine) {
                throw refused("it belongs to another user, " + theirs + " and not " + mine + ", or may not be read"
                        + " (PR_SET_DUMPABLE); run both as the same user");
            }
        } catch (IOException e) {
            throw gone();
        }
    }

    /** Opens the owner's memory. Throws if this is not permitted, or if the number now belongs to another process. */
    int open(Kernel kernel) {
        int fd = SharedMemory.withName("/proc/" + pid + "/mem", path -> kernel.open(path, O_RDWR | O_CLOEXEC));
        if (fd < 0) {
            int errno = kernel.errno();
            String problem = Ptrace.problem();
            throw refused("its memory can't be opened, error " + errno + " of open(2): "
                    + (problem == null
                            ? "processes of a user can access each other unless one forbids it"
                                    + " (PR_SET_DUMPABLE), has more capabilities or runs in another user namespace"
                            : problem + "; set it to 0, or give this process CAP_SYS_PTRACE"));
        }
        if (!isThere(kernel, fd)) {
            kernel.close(fd);
            throw gone();
        }
        return fd;
    }

    /**
     * Returns whether the opened memory is that of the process that made the descriptor, and the context is still open
     * there.
     */
    boolean isThere(Kernel kernel, int fd) {
        ByteBuffer found = ByteBuffer.allocateDirect(Processes.NONCE).order(ByteOrder.nativeOrder());
        try {
            return nonceHigh != 0
                    && kernel.pread(fd, NativeMemory.address(found), Processes.NONCE, nonceAddress) == Processes.NONCE
                    && found.getLong(0) == nonceHigh
                    && found.getLong(Long.BYTES) == nonceLow;
        } finally {
            Reference.reachabilityFence(found);
        }
    }

    VerbsException gone() {
        return gone(VERB);
    }

    VerbsException gone(String verb) {
        return new VerbsException(
                Errno.ESRCH, verb, "process " + pid + ", which exported the context, has ended or closed it");
    }

    private VerbsException refused(String why) {
        return new VerbsException(
                Errno.EACCES,
                VERB,
                "importFd belongs to process " + pid + ", and this process can't share memory with it: " + why);
    }
}
