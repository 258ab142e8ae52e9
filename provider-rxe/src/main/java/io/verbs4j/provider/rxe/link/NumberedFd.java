/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import io.verbs4j.Errno;
import io.verbs4j.ExportedFd;
import io.verbs4j.VerbsException;
import io.verbs4j.provider.rxe.memory.ProcFile;
import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A descriptor with a number that whoever has it can read, also when it has been passed on and is another descriptor there: an
 * eventfd, whose count Linux shows in {@code /proc}.
 */
public final class NumberedFd extends ExportedFd {
    private static final String DESCRIPTIONS = "/proc/self/fdinfo/";
    private static final Pattern COUNT = Pattern.compile("(?m)^eventfd-count:\\s*([0-9a-f]+)$");
    private static final int HEXADECIMAL = 16;

    private NumberedFd(int fd) {
        super(fd);
    }

    /**
     * Makes one.
     *
     * @param verb what it is for
     * @param number the number, from 1
     */
    static NumberedFd open(String verb, long number) {
        String problem = Posix.enter();
        if (problem != null) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP, verb, "the embedded device makes descriptors by system calls: " + problem);
        }
        NativeMemory count = new NativeMemory(Long.BYTES);
        count.putLong(0, number);
        int fd = Posix.calls().eventfd(0, Posix.EFD_NONBLOCK | Posix.EFD_CLOEXEC);
        if (fd < 0) {
            int errno = Posix.calls().errno();
            Posix.exit();
            throw new VerbsException(
                    errno,
                    verb,
                    "the process can open no further descriptor; close some, or raise its limit (ulimit -n)");
        }
        Posix.calls().write(fd, count.address(0), Long.BYTES); // fits: nothing else has been written
        count.keepUntilHere();
        return new NumberedFd(fd);
    }

    /** The number of a descriptor of this process; 0 where it is not one of these. */
    public static long number(String verb, int fd) {
        try {
            Matcher count = COUNT.matcher(ProcFile.read(DESCRIPTIONS + fd));
            return count.find() ? Long.parseUnsignedLong(count.group(1), HEXADECIMAL) : 0;
        } catch (IOException e) {
            throw new VerbsException(
                    Errno.EBADF, verb, "importFd " + fd + " is no descriptor that this process has open: " + e, e);
        }
    }

    @Override
    protected void closeFd(int fd) {
        Posix.calls().close(fd);
        Posix.exit();
    }
}
