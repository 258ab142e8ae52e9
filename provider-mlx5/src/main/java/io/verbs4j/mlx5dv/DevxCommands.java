/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.natives.call.NativeFunction;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.quirk.Libmlx5;
import java.util.function.LongBinaryOperator;

/** Calls libmlx5 functions that execute commands: copies the mailboxes and turns failures into exceptions. */
final class DevxCommands {
    private DevxCommands() {}

    /** Calls a function that takes an object and both mailboxes and returns an errno. */
    static void run(String function, int since, long object, Mailbox in, Mailbox out) {
        NativeFunction native5 = Libmlx5.function(function, since);
        exchange(function, in, out, (at, outAt) -> {
            int errno = Answers.errno(native5.call(object, at, in.length(), outAt, out.length()));
            return -errno;
        });
    }

    /** Calls a function that takes an object and both mailboxes and returns a pointer. */
    static long make(String function, int since, long object, Mailbox in, Mailbox out) {
        NativeFunction native5 = Libmlx5.function(function, since);
        return exchange(function, in, out, (at, outAt) -> {
            long made = native5.call(object, at, in.length(), outAt, out.length());
            return made != 0 ? made : -Answers.errno(-1);
        });
    }

    /** Copies the mailboxes around a call; the body returns the negative of an errno, or its result. */
    private static long exchange(String verb, Mailbox in, Mailbox out, LongBinaryOperator body) {
        require(verb, "in", in);
        require(verb, "out", out);
        int outOffset = align(in.length());
        try (Scratch c = new Scratch(outOffset + align(out.length()))) {
            in.copyTo(c.address());
            long answer = body.applyAsLong(c.address(), c.address() + outOffset);
            out.copyFrom(c.address() + outOffset);
            if (answer < 0 && answer > -4096) {
                throw failed(verb, (int) -answer, in.opcode(), out);
            }
            return answer;
        }
    }

    static void require(String verb, String name, Mailbox mailbox) {
        if (mailbox == null) {
            throw new VerbsException(Errno.EINVAL, verb, name + " is null; pass a mailbox");
        }
    }

    static int align(int length) {
        return (length + 7) & -8;
    }

    private static VerbsException failed(String verb, int errno, int opcode, Mailbox out) {
        if (errno == DevxException.EREMOTEIO) {
            return new DevxException(verb, "command " + DevxOpcode.toString(opcode), opcode, out);
        }
        return new VerbsException(
                errno,
                verb,
                switch (errno) {
                    case Errno.EINVAL ->
                        "the kernel rejected the command " + DevxOpcode.toString(opcode)
                                + ", or, before Linux 5.18, the device did; check that this method is the right one"
                                + " for it, and that it names this object's number";
                    case Errno.EOPNOTSUPP -> "the kernel or the device does not support DevX";
                    case Errno.EBUSY -> "other objects still use it; destroy these first";
                    default -> "the command " + DevxOpcode.toString(opcode) + " failed in the kernel";
                });
    }
}
