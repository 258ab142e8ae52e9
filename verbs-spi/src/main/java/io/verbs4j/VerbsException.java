/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Reports that a control verb failed: with the errno that a C program would get, the verb, and a message that says what
 * to do.
 *
 * <p>Data verbs ({@code post*}, {@code poll}, {@code reqNotify}) do not throw; they return the errno.
 *
 * <p>{@link Errno#EINVAL} means that the call is wrong: closed, null, out of range, not in this state.
 * {@link Errno#EOPNOTSUPP} means that the device or its provider does not support or know a type, operation, right or
 * attribute. {@link Errno#ENOSYS} means that the library is too old for the verb.
 *
 * <p><strong>Reserved names:</strong> a subclass outside the header declares no methods except private ones and
 * overrides of the header's, as explained at {@link VerbsObject}.
 */
public class VerbsException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** The errno, an {@link Errno} value. */
    private final int errno;

    /** Name of the verb. */
    private final String verb;

    /**
     * Creates an exception.
     *
     * @param errno an {@link Errno} value
     * @param verb name of the verb as in libibverbs without its prefix, for instance {@code create_qp}
     * @param message what was wrong and what to do
     */
    public VerbsException(int errno, String verb, String message) {
        this(errno, verb, message, null);
    }

    /**
     * Creates an exception with a cause.
     *
     * @param errno an {@link Errno} value
     * @param verb name of the verb as in libibverbs without its prefix, for instance {@code create_qp}
     * @param message what was wrong and what to do
     * @param cause the cause, or null
     */
    public VerbsException(int errno, String verb, String message, Throwable cause) {
        super(verb + ": " + Errno.name(errno) + ": " + message, cause);
        this.errno = errno;
        this.verb = verb;
    }

    /** {@return the errno, an {@link Errno} value} */
    public final int errno() {
        return errno;
    }

    /** {@return the name of the verb that failed, as in libibverbs without the prefix} */
    public final String verb() {
        return verb;
    }
}
