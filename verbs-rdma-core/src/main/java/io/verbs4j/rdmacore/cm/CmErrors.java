/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.cm;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.rdmacore.call.Answers;

/** Errors of librdmacm's functions. */
final class CmErrors {
    private CmErrors() {}

    /** Throws if a function has failed. Call it at once: errno is that of this thread's last call. */
    static void check(String verb, int answer) {
        if (answer != 0) {
            throw failed(verb, number(answer));
        }
    }

    /** Returns the errno of a failed function. Call it at once. */
    static int number(int answer) {
        return Answers.errno(answer);
    }

    static VerbsException failed(String verb, int errno) {
        // For an address that belongs to no device, the kernel returns either of them.
        int told = errno == Errno.ENODEV && verb.endsWith("_addr") ? Errno.EADDRNOTAVAIL : errno;
        return new VerbsException(told, verb, remedy(told));
    }

    private static String remedy(int errno) {
        return switch (errno) {
            case Errno.EINVAL -> "not allowed in this state of the id, or an argument is too long or out of range";
            case Errno.EADDRINUSE -> "another id, in this program or another, uses that port";
            case Errno.EADDRNOTAVAIL -> "no RDMA device here has that address";
            case Errno.ENODEV, Errno.ENOENT ->
                "the kernel has no connection manager for programs; load the module rdma_ucm";
            case Errno.EACCES, Errno.EPERM -> "permission denied; check the permissions of /dev/infiniband/rdma_cm";
            default -> Errno.describe(errno);
        };
    }
}
