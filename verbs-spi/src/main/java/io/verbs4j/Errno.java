/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Error numbers that verbs return, with the values of Linux on x86-64, AArch64 and all other processors that use its
 * generic numbers.
 *
 * <p>MIPS, SPARC, Alpha and PA-RISC have other values. A device newer than this class may return further values.
 * Source: {@code errno(3)} and the return values in the man page of each verb.
 */
public final class Errno {
    /** Operation not permitted. Source: {@code EPERM}, {@code errno(3)}. */
    public static final int EPERM = 1;

    /** No such object. Source: {@code ENOENT}, {@code errno(3)}. */
    public static final int ENOENT = 2;

    /** No such process. Source: {@code ESRCH}, {@code errno(3)}. */
    public static final int ESRCH = 3;

    /** Interrupted while waiting. Source: {@code EINTR}, {@code errno(3)}. */
    public static final int EINTR = 4;

    /** Input or output failed. Source: {@code EIO}, {@code errno(3)}. */
    public static final int EIO = 5;

    /** No such device or address. Source: {@code ENXIO}, {@code errno(3)}. */
    public static final int ENXIO = 6;

    /** List too long. Source: {@code E2BIG}, {@code errno(3)}. */
    public static final int E2BIG = 7;

    /** Bad or closed handle. Source: {@code EBADF}, {@code errno(3)}. */
    public static final int EBADF = 9;

    /** Nothing available now, try again. The same as {@code EWOULDBLOCK}. Source: {@code EAGAIN}, {@code errno(3)}. */
    public static final int EAGAIN = 11;

    /** Not enough memory or queue space. Source: {@code ENOMEM}, {@code errno(3)}. */
    public static final int ENOMEM = 12;

    /** Access not permitted. Source: {@code EACCES}, {@code errno(3)}. */
    public static final int EACCES = 13;

    /** Bad address. Source: {@code EFAULT}, {@code errno(3)}. */
    public static final int EFAULT = 14;

    /** Object is still in use. Source: {@code EBUSY}, {@code errno(3)}. */
    public static final int EBUSY = 16;

    /** Object exists already. Source: {@code EEXIST}, {@code errno(3)}. */
    public static final int EEXIST = 17;

    /** No such device. Source: {@code ENODEV}, {@code errno(3)}. */
    public static final int ENODEV = 19;

    /** Invalid argument. Source: {@code EINVAL}, {@code errno(3)}. */
    public static final int EINVAL = 22;

    /** Too many open files in the system. Source: {@code ENFILE}, {@code errno(3)}. */
    public static final int ENFILE = 23;

    /** Too many open files in the process. Source: {@code EMFILE}, {@code errno(3)}. */
    public static final int EMFILE = 24;

    /** Request does not fit the device. Source: {@code ENOTTY}, {@code errno(3)}. */
    public static final int ENOTTY = 25;

    /** Size too large. Source: {@code EFBIG}, {@code errno(3)}. */
    public static final int EFBIG = 27;

    /** No space left. Source: {@code ENOSPC}, {@code errno(3)}. */
    public static final int ENOSPC = 28;

    /** Other end is closed. Source: {@code EPIPE}, {@code errno(3)}. */
    public static final int EPIPE = 32;

    /** Argument outside the domain. Source: {@code EDOM}, {@code errno(3)}. */
    public static final int EDOM = 33;

    /** Value out of range. Source: {@code ERANGE}, {@code errno(3)}. */
    public static final int ERANGE = 34;

    /** Would deadlock. The same as {@code EDEADLOCK}. Source: {@code EDEADLK}, {@code errno(3)}. */
    public static final int EDEADLK = 35;

    /** Function not implemented. Source: {@code ENOSYS}, {@code errno(3)}. */
    public static final int ENOSYS = 38;

    /** No data available. Source: {@code ENODATA}, {@code errno(3)}. */
    public static final int ENODATA = 61;

    /** Timer expired. Source: {@code ETIME}, {@code errno(3)}. */
    public static final int ETIME = 62;

    /** Protocol error. Source: {@code EPROTO}, {@code errno(3)}. */
    public static final int EPROTO = 71;

    /** Malformed message. Source: {@code EBADMSG}, {@code errno(3)}. */
    public static final int EBADMSG = 74;

    /** Value too large for its field. Source: {@code EOVERFLOW}, {@code errno(3)}. */
    public static final int EOVERFLOW = 75;

    /** Message too long. Source: {@code EMSGSIZE}, {@code errno(3)}. */
    public static final int EMSGSIZE = 90;

    /** Wrong transport for the address. Source: {@code EPROTOTYPE}, {@code errno(3)}. */
    public static final int EPROTOTYPE = 91;

    /** Protocol not supported. Source: {@code EPROTONOSUPPORT}, {@code errno(3)}. */
    public static final int EPROTONOSUPPORT = 93;

    /** Operation not supported. The same as {@code ENOTSUP}. Source: {@code EOPNOTSUPP}, {@code errno(3)}. */
    public static final int EOPNOTSUPP = 95;

    /** Address family not supported. Source: {@code EAFNOSUPPORT}, {@code errno(3)}. */
    public static final int EAFNOSUPPORT = 97;

    /** Address in use. Source: {@code EADDRINUSE}, {@code errno(3)}. */
    public static final int EADDRINUSE = 98;

    /** Address not available here. Source: {@code EADDRNOTAVAIL}, {@code errno(3)}. */
    public static final int EADDRNOTAVAIL = 99;

    /** Network is down. Source: {@code ENETDOWN}, {@code errno(3)}. */
    public static final int ENETDOWN = 100;

    /** Network cannot be reached. Source: {@code ENETUNREACH}, {@code errno(3)}. */
    public static final int ENETUNREACH = 101;

    /** Connection aborted. Source: {@code ECONNABORTED}, {@code errno(3)}. */
    public static final int ECONNABORTED = 103;

    /** Connection reset by peer. Source: {@code ECONNRESET}, {@code errno(3)}. */
    public static final int ECONNRESET = 104;

    /** No buffer space left. Source: {@code ENOBUFS}, {@code errno(3)}. */
    public static final int ENOBUFS = 105;

    /** Connected already. Source: {@code EISCONN}, {@code errno(3)}. */
    public static final int EISCONN = 106;

    /** Not connected. Source: {@code ENOTCONN}, {@code errno(3)}. */
    public static final int ENOTCONN = 107;

    /** Timed out. Source: {@code ETIMEDOUT}, {@code errno(3)}. */
    public static final int ETIMEDOUT = 110;

    /** Connection refused. Source: {@code ECONNREFUSED}, {@code errno(3)}. */
    public static final int ECONNREFUSED = 111;

    /** Host cannot be reached. Source: {@code EHOSTUNREACH}, {@code errno(3)}. */
    public static final int EHOSTUNREACH = 113;

    /** Already in progress. Source: {@code EALREADY}, {@code errno(3)}. */
    public static final int EALREADY = 114;

    /** Started and still in progress. Source: {@code EINPROGRESS}, {@code errno(3)}. */
    public static final int EINPROGRESS = 115;

    /** Handle is stale. Source: {@code ESTALE}, {@code errno(3)}. */
    public static final int ESTALE = 116;

    /** Operation cancelled. Source: {@code ECANCELED}, {@code errno(3)}. */
    public static final int ECANCELED = 125;

    private Errno() {}

    /**
     * Returns the name of an error number.
     *
     * @param errno the error number, positive
     * @return for instance {@code "EINVAL"}; {@code "errno 999"} for a number without a constant in this class
     */
    public static String name(int errno) {
        switch (errno) {
            case EPERM:
                return "EPERM";
            case ENOENT:
                return "ENOENT";
            case ESRCH:
                return "ESRCH";
            case EINTR:
                return "EINTR";
            case EIO:
                return "EIO";
            case ENXIO:
                return "ENXIO";
            case E2BIG:
                return "E2BIG";
            case EBADF:
                return "EBADF";
            case EAGAIN:
                return "EAGAIN";
            case ENOMEM:
                return "ENOMEM";
            case EACCES:
                return "EACCES";
            case EFAULT:
                return "EFAULT";
            case EBUSY:
                return "EBUSY";
            case EEXIST:
                return "EEXIST";
            case ENODEV:
                return "ENODEV";
            case EINVAL:
                return "EINVAL";
            case ENFILE:
                return "ENFILE";
            case EMFILE:
                return "EMFILE";
            case ENOTTY:
                return "ENOTTY";
            case EFBIG:
                return "EFBIG";
            case ENOSPC:
                return "ENOSPC";
            case EPIPE:
                return "EPIPE";
            case EDOM:
                return "EDOM";
            case ERANGE:
                return "ERANGE";
            case EDEADLK:
                return "EDEADLK";
            case ENOSYS:
                return "ENOSYS";
            case ENODATA:
                return "ENODATA";
            case ETIME:
                return "ETIME";
            case EPROTO:
                return "EPROTO";
            case EBADMSG:
                return "EBADMSG";
            case EOVERFLOW:
                return "EOVERFLOW";
            case EMSGSIZE:
                return "EMSGSIZE";
            case EPROTOTYPE:
                return "EPROTOTYPE";
            case EPROTONOSUPPORT:
                return "EPROTONOSUPPORT";
            case EOPNOTSUPP:
                return "EOPNOTSUPP";
            case EAFNOSUPPORT:
                return "EAFNOSUPPORT";
            case EADDRINUSE:
                return "EADDRINUSE";
            case EADDRNOTAVAIL:
                return "EADDRNOTAVAIL";
            case ENETDOWN:
                return "ENETDOWN";
            case ENETUNREACH:
                return "ENETUNREACH";
            case ECONNABORTED:
                return "ECONNABORTED";
            case ECONNRESET:
                return "ECONNRESET";
            case ENOBUFS:
                return "ENOBUFS";
            case EISCONN:
                return "EISCONN";
            case ENOTCONN:
                return "ENOTCONN";
            case ETIMEDOUT:
                return "ETIMEDOUT";
            case ECONNREFUSED:
                return "ECONNREFUSED";
            case EHOSTUNREACH:
                return "EHOSTUNREACH";
            case EALREADY:
                return "EALREADY";
            case EINPROGRESS:
                return "EINPROGRESS";
            case ESTALE:
                return "ESTALE";
            case ECANCELED:
                return "ECANCELED";
            default:
                return "errno " + errno;
        }
    }

    /**
     * Describes an error number in a few words, which differ from those of {@code strerror(3)}.
     *
     * @param errno the error number, positive
     * @return for instance {@code "invalid argument"}; {@code "success"} for 0; {@code "unknown error"} for a number
     *     without a constant in this class
     */
    public static String describe(int errno) {
        switch (errno) {
            case 0:
                return "success";
            case EPERM:
                return "operation not permitted";
            case ENOENT:
                return "no such object";
            case ESRCH:
                return "no such process";
            case EINTR:
                return "interrupted while waiting";
            case EIO:
                return "input or output error";
            case ENXIO:
                return "no such device or address";
            case E2BIG:
                return "list too long";
            case EBADF:
                return "bad or closed handle";
            case EAGAIN:
                return "nothing available now, try again";
            case ENOMEM:
                return "not enough memory or queue space";
            case EACCES:
                return "access not permitted";
            case EFAULT:
                return "bad address";
            case EBUSY:
                return "object is still in use";
            case EEXIST:
                return "object already exists";
            case ENODEV:
                return "no such device";
            case EINVAL:
                return "invalid argument";
            case ENFILE:
                return "too many open files in the system";
            case EMFILE:
                return "too many open files in the process";
            case ENOTTY:
                return "request not suitable for the device";
            case EFBIG:
                return "size too large";
            case ENOSPC:
                return "no space left";
            case EPIPE:
                return "other end is closed";
            case EDOM:
                return "argument out of domain";
            case ERANGE:
                return "value out of range";
            case EDEADLK:
                return "would deadlock";
            case ENOSYS:
                return "function not implemented";
            case ENODATA:
                return "no data available";
            case ETIME:
                return "timer expired";
            case EPROTO:
                return "protocol error";
            case EBADMSG:
                return "malformed message";
            case EOVERFLOW:
                return "value too large for its field";
            case EMSGSIZE:
                return "message too long";
            case EPROTOTYPE:
                return "wrong transport for the address";
            case EPROTONOSUPPORT:
                return "protocol not supported";
            case EOPNOTSUPP:
                return "operation not supported";
            case EAFNOSUPPORT:
                return "address family not supported";
            case EADDRINUSE:
                return "address in use";
            case EADDRNOTAVAIL:
                return "address not available here";
            case ENETDOWN:
                return "network is down";
            case ENETUNREACH:
                return "network unreachable";
            case ECONNABORTED:
                return "connection aborted";
            case ECONNRESET:
                return "connection reset by peer";
            case ENOBUFS:
                return "no buffer space left";
            case EISCONN:
                return "already connected";
            case ENOTCONN:
                return "not connected";
            case ETIMEDOUT:
                return "timed out";
            case ECONNREFUSED:
                return "connection refused";
            case EHOSTUNREACH:
                return "host unreachable";
            case EALREADY:
                return "already in progress";
            case EINPROGRESS:
                return "started and still in progress";
            case ESTALE:
                return "handle is stale";
            case ECANCELED:
                return "operation canceled";
            default:
                return "unknown error";
        }
    }

    /**
     * Returns name and description of an error number.
     *
     * @param errno the error number, positive
     * @return {@link #name} and {@link #describe} with a colon between, for instance {@code "EINVAL: invalid argument"}
     */
    public static String toString(int errno) {
        return name(errno) + ": " + describe(errno);
    }
}
