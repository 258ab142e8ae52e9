/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;

/**
 * Thrown if the peer rejects a connection, {@link Errno#ECONNREFUSED}; {@link #rejection} has the reason and private
 * data.
 */
public final class CmRejectedException extends VerbsException {
    private static final long serialVersionUID = 1L;

    /** The peer's rejection. A field, because subclasses of the header's classes have no methods of their own. */
    public final CmRejection rejection;

    CmRejectedException(String verb, String message, CmRejection rejection) {
        super(Errno.ECONNREFUSED, verb, message);
        this.rejection = rejection;
    }
}
