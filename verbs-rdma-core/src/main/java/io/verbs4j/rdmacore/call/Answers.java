/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.call;

import io.verbs4j.Errno;
import io.verbs4j.InputAttr;
import io.verbs4j.VerbsException;
import io.verbs4j.natives.call.Libc;
import java.util.function.IntFunction;

/** Interprets the results of C functions and creates the exceptions for them. */
public final class Answers {
    private Answers() {}

    /** Converts a function's result to an errno. The result is 0, the errno, its negative, or -1 with errno set. */
    public static int errno(long answer) {
        int rc = (int) answer;
        if (rc == -1) {
            int errno = Libc.errno();
            return errno == 0 ? Errno.EIO : errno;
        }
        return Math.abs(rc);
    }

    /** Throws if a result is not 0. Call it at once: errno is that of the last native call. */
    public static void check(String verb, long answer) {
        int errno = errno(answer);
        if (errno != 0) {
            throw failed(verb, errno);
        }
    }

    /** Throws if a function returned no object. Call it at once, because it reads errno. */
    public static long checkPointer(String verb, long pointer) {
        if (pointer == 0) {
            int errno = Libc.errno();
            if (RingCalls.wasRefused()) { // libmlx5 sets no errno then
                throw new VerbsException(
                        Errno.ENOMEM,
                        verb,
                        "the parent domain's allocator returned no memory; free some, or request less");
            }
            throw failed(verb, errno == 0 ? Errno.EINVAL : errno); // some drivers refuse an argument without an errno
        }
        return pointer;
    }

    /**
     * As {@link #checkPointer(String, long)}. Drivers and kernels report unknown types and rights with EINVAL as well;
     * if the request is one that this binding does not know, EINVAL is taken to mean that.
     *
     * @param known whether this binding knows the type or access flags of the request
     */
    public static long checkPointer(String verb, long pointer, boolean known) {
        if (pointer == 0 && !known && !RingCalls.isRefused()) {
            int errno = Libc.errno();
            throw failed(verb, errno == 0 || errno == Errno.EINVAL ? Errno.EOPNOTSUPP : errno);
        }
        return checkPointer(verb, pointer);
    }

    /** {@return whether an errno means that library, driver or kernel lacks the feature} */
    public static boolean isLacking(int errno) {
        return errno == Errno.EOPNOTSUPP || errno == Errno.EPROTONOSUPPORT || errno == Errno.ENOSYS;
    }

    /** Creates the exception for an errno of the driver or kernel; all that mean "not supported" become EOPNOTSUPP. */
    public static VerbsException failed(String verb, int errno) {
        int told = errno == Errno.EPROTONOSUPPORT || errno == Errno.ENOSYS ? Errno.EOPNOTSUPP : errno;
        String number = told == errno ? "" : " (" + Errno.describe(errno) + ")";
        return new VerbsException(told, verb, "the driver refused" + number + ": " + remedy(verb, told));
    }

    private static String remedy(String verb, int errno) {
        return switch (errno) {
            case Errno.EBADF -> "the descriptor is not open, or is not that of a dma-buf";
            case Errno.EINVAL -> "an argument is out of the device's range, or conflicts with another";
            case Errno.ENOMEM ->
                verb.contains("mr")
                        ? "no more memory can be locked; raise the limit on locked memory (ulimit -l), or register less"
                        : "out of memory, or the device has no more of these objects; free some, or request less";
            case Errno.EACCES, Errno.EPERM ->
                "permission denied; check the permissions of /dev/infiniband, or run with more privileges";
            case Errno.EFAULT -> "the memory is not mapped with the rights that the access needs";
            case Errno.EOPNOTSUPP -> "this device, or its driver, " + lack(verb);
            case Errno.EBUSY -> "it is in use by other objects";
            case Errno.ENODEV, Errno.EIO -> "the device is gone, or has failed; close everything and open it again";
            default -> Errno.describe(errno) + "; the kernel log may have details";
        };
    }

    /** Describes what is missing. Verbs that every device has, and that take a type or flags, fail because of those. */
    private static String lack(String verb) {
        return switch (withoutVendor(verb)) {
            case "create_qp", "create_qp_ex", "open_qp", "_create_qp" ->
                "does not have queue pairs of this type, or not with the other attributes requested";
            case "create_srq", "create_srq_ex" ->
                "does not have shared receive queues, or not of this type or with the other attributes requested";
            case "modify_qp" -> "can't make this change to a queue pair of this type";
            case "reg_mr", "rereg_mr", "reg_mr_ex", "reg_dm_mr" ->
                "can't grant these access rights, or not for this memory";
            case "alloc_mw" -> "does not have memory windows, or not of this type";
            case "create_cq", "create_ah" -> "can't create it with these attributes";
            case "create_cq_ex" ->
                "can't report all of these completion fields, or can't create the queue with these attributes";
            case "_create_flow_matcher", "_dr_matcher_create" ->
                "can't match on these fields, or not on all of them at once, or does not have these tables";
            case "_create_flow", "_dr_rule_create" ->
                "can't perform all of these actions in this order, or not in this table";
            default -> "does not have this verb";
        };
    }

    /** Returns the name of a verb; that of a vendor's verb from the underscore on, {@code _create_qp} for instance. */
    private static String withoutVendor(String verb) {
        int prefix = verb.indexOf("dv_");
        return prefix < 0 ? verb : verb.substring(prefix + 2);
    }

    /** Rejects attributes that the device does not know; the library passes them on. */
    public static void refuseUnknown(String verb, InputAttr attr, long known) {
        if (!attr.hasOnly(known, 0)) {
            throw unknown(verb, attr.compMask(), known);
        }
    }

    /** As {@link #refuseUnknown(String, InputAttr, long)}, for vendor attributes, none of which are optional. */
    public static void refuseUnknown(String verb, long mask, long known) {
        if ((mask & ~known) != 0) {
            throw unknown(verb, mask, known);
        }
    }

    private static VerbsException unknown(String verb, long mask, long known) {
        return new VerbsException(
                Errno.EOPNOTSUPP,
                verb,
                "the mask is 0x" + Long.toHexString(mask) + ", but the device supports only 0x"
                        + Long.toHexString(known) + "; leave out the other attributes");
    }

    /**
     * Rejects unknown flags.
     *
     * @param what the program's name for them
     * @param names converts flags to words
     */
    public static void requireKnown(String verb, String what, int flags, int known, IntFunction<String> names) {
        if ((flags & ~known) != 0) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    verb,
                    what + " is " + names.apply(flags) + ", but the device supports only " + names.apply(known));
        }
    }

    /**
     * Rejects a type that does not fit the kernel's command. Only its low byte would arrive, and the device would
     * create something else.
     *
     * @param what the program's name for it
     */
    public static void requireByte(String verb, String what, int type) {
        if ((type & ~0xff) != 0) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP, verb, what + " is " + type + "; the kernel takes types from 0 to 255");
        }
    }

    /** Rejects a number that does not fit the C structure and would be truncated silently. */
    public static int narrow(String verb, String name, int value, int max) {
        if (value < 0 || value > max) {
            throw new VerbsException(Errno.EINVAL, verb, name + " is " + value + ", but must be 0 to " + max);
        }
        return value;
    }

    /** As {@link #narrow}, for an unsigned 32-bit word. */
    public static int unsignedInt(String verb, String name, long value) {
        if (value < 0 || value > 0xffff_ffffL) {
            throw new VerbsException(Errno.EINVAL, verb, name + " is " + value + ", but must be 0 to " + 0xffff_ffffL);
        }
        return (int) value;
    }
}
