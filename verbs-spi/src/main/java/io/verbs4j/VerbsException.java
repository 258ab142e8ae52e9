/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * A control verb failed. Carries what a C program would find in {@code errno}, the verb, and words on what to do.
 *
 * <p>Data verbs ({@code post*}, {@code poll}, {@code reqNotify}) throw nothing; they return the errno.
 *
 * <p>{@link Errno#EINVAL} means wrong: closed, null, out of range, not in this state. {@link Errno#EOPNOTSUPP} means that the
 * device or its provider can't: a type, operation, right or attribute that it does not have, or has never heard of. {@link
 * Errno#ENOSYS} means that the library is too old for the verb.
 *
 * <p><strong>Reserved names:</strong> a subclass outside the header declares no method but private ones and overrides of the
 * header's, as at {@link VerbsObject}.
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
     * @param cause what lies beneath, or null
     */
    public VerbsException(int errno, String verb, String message, Throwable cause) {
        super(verb + ": " + Errno.name(errno) + ": " + message, cause);
        this.errno = errno;
        this.verb = verb;
    }

    /**
     * The errno.
     *
     * @return an {@link Errno} value
     */
    public final int errno() {
        return errno;
    }

    /**
     * The verb that failed.
     *
     * @return its name as in libibverbs, without the prefix
     */
    public final String verb() {
        return verb;
    }
}
