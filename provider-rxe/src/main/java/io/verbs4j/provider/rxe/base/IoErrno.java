/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.base;

import io.verbs4j.Errno;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileLockInterruptionException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Locale;

/**
 * The error number of an exception of the JDK, which keeps the number to itself.
 *
 * <p>The type tells it, else the system's words: of these the JDK hands on what {@code strerror(3)} says. In a language other than English
 * what only they tell becomes EIO; whoever makes a message of it adds them.
 */
public final class IoErrno {
    /** What {@code strerror(3)} says, in part, and what it says it of. The first that fits counts. */
    private static final List<Words> WORDS = List.of(
            new Words("too many open files in system", Errno.ENFILE),
            new Words("too many open files", Errno.EMFILE),
            new Words("in use", Errno.EADDRINUSE),
            new Words("assign requested address", Errno.EADDRNOTAVAIL),
            new Words("path too long", Errno.EINVAL),
            new Words("too long", Errno.EMSGSIZE),
            new Words("unreachable", Errno.ENETUNREACH),
            new Words("no route", Errno.ENETUNREACH),
            new Words("permission denied", Errno.EACCES),
            new Words("operation not permitted", Errno.EPERM),
            new Words("no such file", Errno.ENOENT),
            new Words("no such device", Errno.ENODEV),
            new Words("no space left", Errno.ENOSPC),
            new Words("cannot allocate memory", Errno.ENOMEM),
            new Words("no buffer space", Errno.ENOBUFS),
            new Words("address family not supported", Errno.EAFNOSUPPORT));

    private record Words(String part, int errno) {}

    private IoErrno() {}

    /** The number; {@link Errno#EIO} where the exception does not tell. */
    public static int of(IOException e) {
        if (e instanceof SocketTimeoutException) {
            return Errno.ETIMEDOUT;
        }
        if (e instanceof InterruptedIOException
                || e instanceof ClosedByInterruptException
                || e instanceof FileLockInterruptionException) {
            return Errno.EINTR;
        }
        if (e instanceof ClosedChannelException) {
            return Errno.EBADF;
        }
        if (e instanceof NoSuchFileException) {
            return Errno.ENOENT;
        }
        if (e instanceof FileAlreadyExistsException) {
            return Errno.EEXIST;
        }
        if (e instanceof AccessDeniedException) {
            return Errno.EACCES;
        }
        String text = e instanceof FileSystemException f ? f.getReason() : e.getMessage();
        String words = String.valueOf(text).toLowerCase(Locale.ROOT);
        return WORDS.stream()
                .filter(each -> words.contains(each.part))
                .mapToInt(Words::errno)
                .findFirst()
                .orElseGet(() -> unsaid(e));
    }

    private static int unsaid(IOException e) {
        if (e instanceof BindException) {
            return Errno.EADDRNOTAVAIL;
        }
        if (e instanceof NoRouteToHostException) {
            return Errno.ENETUNREACH;
        }
        return e instanceof ConnectException ? Errno.ECONNREFUSED : Errno.EIO;
    }
}
