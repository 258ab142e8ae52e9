/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.connect;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;

/** A connection was refused, {@link Errno#ECONNREFUSED}: nobody listens at the address, or the endpoint there said no. */
public final class ConnectionRejectedException extends VerbsException {
    private static final long serialVersionUID = 1L;

    private final String reason;

    private ConnectionRejectedException(String verb, String message, String reason, Throwable cause) {
        super(Errno.ECONNREFUSED, verb, message, cause);
        this.reason = reason;
    }

    /** Nobody listens at the address. Verb and message are those of the cause. */
    static ConnectionRejectedException nobodyListens(VerbsException cause) {
        return new ConnectionRejectedException(cause.verb(), words(cause), null, cause);
    }

    /** The endpoint there said no. Verb and message are those of the cause. */
    static ConnectionRejectedException byPeer(String reason, VerbsException cause) {
        return new ConnectionRejectedException(cause.verb(), words(cause), reason, cause);
    }

    /** The endpoint there said no. */
    static ConnectionRejectedException byPeer(String verb, String message, String reason) {
        return new ConnectionRejectedException(verb, message, reason, null);
    }

    /** The message without what the constructor puts before it. */
    private static String words(VerbsException cause) {
        String message = String.valueOf(cause.getMessage());
        String before = cause.verb() + ": " + Errno.name(cause.errno()) + ": ";
        return message.startsWith(before) ? message.substring(before.length()) : message;
    }

    /** Whether nobody listens at the address. */
    public boolean nobodyListens() {
        return reason == null;
    }

    /** What the endpoint there said; empty where it said nothing, or nobody listens. */
    public String reason() {
        return reason == null ? "" : reason;
    }
}
