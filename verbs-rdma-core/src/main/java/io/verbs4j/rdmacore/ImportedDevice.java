/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore;

import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.OpenAttrMask;
import io.verbs4j.VerbsException;
import io.verbs4j.natives.call.Libc;
import io.verbs4j.natives.call.NativeFunction;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.call.Libibverbs;
import io.verbs4j.rdmacore.layout.ContextLayout;
import java.util.function.LongUnaryOperator;

/** Opens a device by the descriptor of a context that is open, here or in another process. */
final class ImportedDevice {
    private static final String VERB = "open_device";

    /** Descriptors are given the lowest number that is free: one from here on is not soon another file's. */
    private static final int HIGH = 1 << 10;

    private ImportedDevice() {}

    /** Makes another descriptor of the same file; the number, or below 0. */
    static int duplicate(int fd) {
        return Libc.fcntl(fd, Libc.F_DUPFD_CLOEXEC, 0);
    }

    /**
     * How a context is opened: by a descriptor, where the program gives one.
     *
     * @param context the context as the program knows it; null for one without the library
     * @param usual how it is opened else
     */
    static LongUnaryOperator opener(Context context, LongUnaryOperator usual) {
        if (context == null || (context.openAttr().compMask() & OpenAttrMask.IMPORT_FD) == 0) {
            return usual;
        }
        return device -> {
            long imported = open(device, context.openAttr().importFd());
            context.acceptOpenAttr(OpenAttrMask.IMPORT_FD, 0);
            return imported;
        };
    }

    private static long open(long device, int fd) {
        NativeFunction function = Libibverbs.find("ibv_import_device");
        if (function == null) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    VERB,
                    "the loaded libibverbs can't import a device: ibv_import_device came with rdma-core 31; install that or"
                            + " a later release");
        }
        int own = Libc.fcntl(fd, Libc.F_DUPFD_CLOEXEC, HIGH);
        if (own < 0 && Libc.errno() == Errno.EINVAL) { // the process may not have that many
            own = duplicate(fd);
        }
        if (own < 0) {
            throw new VerbsException(
                    Libc.errno(), VERB, "importFd " + fd + " can't be taken over; see that it is an open descriptor");
        }
        long context = function.call(own);
        if (context == 0) {
            int errno = Answers.errno(-1);
            closeLeftOpen(own);
            throw refused(fd, errno);
        }
        long made = NativeMemory.getLong(context + ContextLayout.DEVICE);
        if (made != device && !NativeDevices.areSame(new NativeDevice(made), new NativeDevice(device))) {
            Libibverbs.ibv_close_device(context); // and with it the descriptor
            throw new VerbsException(
                    Errno.EINVAL,
                    VERB,
                    "importFd " + fd + " is of " + new NativeDevice(made) + "; open that device with it");
        }
        return context;
    }

    /** A driver that has begun closes the descriptor when it fails, and libibverbs leaves it before. */
    private static void closeLeftOpen(int own) {
        if (Libc.fcntl(own, Libc.F_GETFD, 0) >= 0) {
            Libc.close(own);
        }
    }

    private static VerbsException refused(int fd, int errno) {
        if (errno == Errno.EINVAL) {
            return new VerbsException(
                    errno,
                    VERB,
                    "importFd " + fd + " is not the descriptor of an RDMA device; pass one of Context.exportDevice()");
        }
        if (Answers.isLacking(errno) || errno == Errno.ENOTTY) { // a kernel that does not know the request
            return new VerbsException(
                    Errno.EOPNOTSUPP,
                    VERB,
                    "the device's driver, or the kernel's part of it, can't import a context; leave out importFd");
        }
        return Answers.failed(VERB, errno);
    }
}
