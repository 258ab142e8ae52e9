/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.share;

import io.verbs4j.ExportedFd;

/** The Linux system calls, for one user until it closes this object. */
public interface SystemUse extends AutoCloseable {
    /** {@return the calls} */
    Kernel kernel();

    /**
     * Returns another descriptor of a file, for a program; it outlives this object.
     *
     * @param verb verb to name in an exception
     * @param fd the descriptor
     */
    ExportedFd duplicate(String verb, int fd);

    /**
     * Returns another descriptor of a file, for this use.
     *
     * @param verb verb to name in an exception
     * @param fd the descriptor
     */
    int copy(String verb, int fd);

    /** Closes a descriptor when this object is closed and no call can use it any more. Returns the descriptor. */
    int keep(int fd);

    /** Ends the use, once the calls in progress have returned. */
    @Override
    void close();
}
