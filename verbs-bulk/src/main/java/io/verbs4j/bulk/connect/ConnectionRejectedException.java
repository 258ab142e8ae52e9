/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.connect;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;

/** A connection was refused, {@link Errno#ECONNREFUSED}: nobody listens at the address, or the endpoint has said no. */
public final class ConnectionRejectedException extends VerbsException {
    private static final long serialVersionUID = 1L;

    /**
     * What the endpoint there said; null where nobody listens. A field, as subclasses of the header's classes have no
     * methods of their own.
     */
    public final String reason;

    /** The endpoint there said no. */
    ConnectionRejectedException(String verb, String message, String reason) {
        super(Errno.ECONNREFUSED, verb, message);
        this.reason = reason;
    }

    /** The same, or nobody listens, where the reason is null. Verb and message are those of the cause. */
    ConnectionRejectedException(VerbsException cause, String reason) {
        super(Errno.ECONNREFUSED, cause.verb(), words(cause), cause);
        this.reason = reason;
    }

    /** The message without what the constructor puts before it. */
    private static String words(VerbsException cause) {
        String message = String.valueOf(cause.getMessage());
        String before = cause.verb() + ": " + Errno.name(cause.errno()) + ": ";
        return message.startsWith(before) ? message.substring(before.length()) : message;
    }
}
