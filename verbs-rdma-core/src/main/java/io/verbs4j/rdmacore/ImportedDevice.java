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

/** Opens a device by the descriptor of an open context of this or another process. */
final class ImportedDevice {
    private static final String VERB = "open_device";

    /**
     * Lower bound for the duplicate. A new descriptor gets the lowest free number, so numbers from here on are unlikely
     * to be reused soon for another file.
     */
    private static final int HIGH = 1 << 10;

    private ImportedDevice() {}

    /** Duplicates a descriptor; returns the new number, or a negative one on failure. */
    static int duplicate(int fd) {
        return Libc.fcntl(fd, Libc.F_DUPFD_CLOEXEC, 0);
    }

    /**
     * Returns the function that opens a context: by a descriptor if the program passes one.
     *
     * @param context the program's context; null if the device is opened without the library
     * @param usual opens a context in the usual way
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
                    "the loaded libibverbs can't import a device: ibv_import_device came with rdma-core 31; install"
                            + " that or a later release");
        }
        int own = Libc.fcntl(fd, Libc.F_DUPFD_CLOEXEC, HIGH);
        if (own < 0 && Libc.errno() == Errno.EINVAL) { // the process's limit may be lower
            own = duplicate(fd);
        }
        if (own < 0) {
            throw new VerbsException(
                    Libc.errno(), VERB, "importFd " + fd + " can't be duplicated; check that it is an open descriptor");
        }
        long context = function.call(own);
        if (context == 0) {
            int errno = Answers.errno(-1);
            closeLeftOpen(own);
            throw refused(fd, errno);
        }
        long made = NativeMemory.getLong(context + ContextLayout.DEVICE);
        if (made != device && !NativeDevices.areSame(new NativeDevice(made), new NativeDevice(device))) {
            Libibverbs.ibv_close_device(context); // closes the descriptor as well
            throw new VerbsException(
                    Errno.EINVAL,
                    VERB,
                    "importFd " + fd + " belongs to " + new NativeDevice(made) + "; use it to open that device");
        }
        return context;
    }

    /**
     * Closes the descriptor unless the driver has done so: a driver that has started closes it on failure, but
     * libibverbs does not if it fails earlier.
     */
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
                    "importFd " + fd + " is not an RDMA device's descriptor; pass one from Context.exportDevice()");
        }
        if (Answers.isLacking(errno) || errno == Errno.ENOTTY) { // the kernel does not know the request
            return new VerbsException(
                    Errno.EOPNOTSUPP,
                    VERB,
                    "the device's driver or the kernel can't import a context; leave out importFd");
        }
        return Answers.failed(VERB, errno);
    }
}
