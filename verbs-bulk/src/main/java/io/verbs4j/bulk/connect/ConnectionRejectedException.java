/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.connect;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;

/**
 * A connection was refused, {@link Errno#ECONNREFUSED}: nothing listens at the address, or the endpoint rejected it.
 */
public final class ConnectionRejectedException extends VerbsException {
    private static final long serialVersionUID = 1L;

    /**
     * The reason that the remote endpoint gave; null if nothing listens. A field, because subclasses of the header's
     * classes have no methods of their own.
     */
    public final String reason;

    /** For a rejection by the remote endpoint. */
    ConnectionRejectedException(String verb, String message, String reason) {
        super(Errno.ECONNREFUSED, verb, message);
        this.reason = reason;
    }

    /**
     * For a rejection, or, if the reason is null, for an address where nothing listens. Takes verb and message from the
     * cause.
     */
    ConnectionRejectedException(VerbsException cause, String reason) {
        super(Errno.ECONNREFUSED, cause.verb(), words(cause), cause);
        this.reason = reason;
    }

    /** Returns the message without the prefix that the constructor adds. */
    private static String words(VerbsException cause) {
        String message = String.valueOf(cause.getMessage());
        String before = cause.verb() + ": " + Errno.name(cause.errno()) + ": ";
        return message.startsWith(before) ? message.substring(before.length()) : message;
    }
}
