/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.share;

import io.verbs4j.ExportedFd;

/** The system calls of Linux, for one user until that closes it. */
public interface SystemUse extends AutoCloseable {
    /** The calls. */
    Kernel kernel();

    /**
     * A further descriptor of a file, for a program; it outlives this.
     *
     * @param verb what for
     */
    ExportedFd duplicate(String verb, int fd);

    /**
     * The same for this use.
     *
     * @param verb what for
     */
    int copy(String verb, int fd);

    /** Closes a descriptor at the end of the use, when no call can use it any more; returns it. */
    int keep(int fd);

    /** Ends the use, after the calls that are under way. */
    @Override
    void close();
}
