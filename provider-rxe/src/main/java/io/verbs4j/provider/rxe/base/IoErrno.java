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
 * Derives the error number of a JDK exception, which does not expose it.
 *
 * <p>The exception's type decides, or else its message, in which the JDK passes on the text of {@code strerror(3)}. If
 * that text is not in English, errors that only it identifies become EIO, so messages should quote it.
 */
public final class IoErrno {
    /** Parts of {@code strerror(3)} texts and their error numbers. The first match applies. */
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

    /** Returns the error number, or {@link Errno#EIO} if the exception does not reveal it. */
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
