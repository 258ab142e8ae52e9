/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

/** Memory of a connection to which the peer writes requested bytes. Each landing is for one transfer. */
interface Landings extends AutoCloseable {
    /**
     * Gives a transfer memory for its bytes.
     *
     * @return 0; {@link io.verbs4j.Errno#EAGAIN} if other transfers must end first; or the errno of the device
     */
    int open(Transfer transfer);

    /** The address that the peer may write to. */
    long address(Transfer transfer);

    int key(Transfer transfer);

    /** Delivers the bytes that the peer has written to the program's memory. */
    void deliver(Transfer transfer, int count);

    /** Takes the memory back when the peer has answered, was not asked, or can't write any more. */
    void close(Transfer transfer);

    /**
     * Moves to the connection's new device, after {@link #leave}. The peer will be told where to write.
     *
     * @return 0 or an errno of the device
     */
    int move();

    /** Deregisters the memory and keeps it. The queue pair is closed for good, and its device may be lost. */
    void leave();

    /** Releases the memory after the queue pair is closed. */
    @Override
    void close();
}
