/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty;

import io.netty.channel.ConnectTimeoutException;
import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.cm.CmEvent;
import io.verbs4j.cm.CmEventType;
import io.verbs4j.cm.RejectReason;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;

/** Converts failures to the exceptions that programs know from sockets. */
final class Failures {
    private Failures() {}

    /** Converts an event that ends an attempt to connect. */
    static IOException of(CmEvent event) {
        String reason = event.statusText();
        return switch (event.type()) {
            case CmEventType.REJECTED ->
                new ConnectException(
                        event.status() == RejectReason.INVALID_SERVICE_ID
                                ? "Connection refused: no listener there"
                                : "Connection refused: " + reason);
            case CmEventType.UNREACHABLE -> new ConnectTimeoutException("connection timed out: " + reason);
            case CmEventType.ADDR_ERROR, CmEventType.ROUTE_ERROR ->
                initialized(new NoRouteToHostException("no address of the device reaches the peer: " + reason), event);
            default -> initialized(new ConnectException(reason), event);
        };
    }

    private static <T extends IOException> T initialized(T exception, CmEvent event) {
        if (event.cause() != null) {
            exception.initCause(event.cause());
        }
        return exception;
    }

    /** Converts the errno that ended an established connection. */
    static IOException of(int errno) {
        return new IOException(errno == Errno.ETIMEDOUT ? "Connection timed out" : "Connection reset by peer");
    }

    /** Converts the failure of a verb. */
    static IOException of(VerbsException cause) {
        IOException exception = switch (cause.errno()) {
            case Errno.EADDRINUSE -> new BindException("Address already in use: " + cause.getMessage());
            case Errno.EADDRNOTAVAIL -> new BindException("Cannot assign requested address: " + cause.getMessage());
            case Errno.ECONNREFUSED -> new ConnectException("Connection refused: " + cause.getMessage());
            case Errno.ENETUNREACH, Errno.EHOSTUNREACH -> new NoRouteToHostException(cause.getMessage());
            default -> new IOException(cause.getMessage());
        };
        exception.initCause(cause);
        return exception;
    }
}
