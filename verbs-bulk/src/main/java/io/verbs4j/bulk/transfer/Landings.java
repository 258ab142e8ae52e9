/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

/** Memory of a connection that the peer writes what it was asked for to. Each is for one transfer alone. */
interface Landings extends AutoCloseable {
    /**
     * Gives a transfer memory for its bytes.
     *
     * @return 0; {@link io.verbs4j.Errno#EAGAIN} where other transfers have to end first; or the errno of the device
     */
    int open(Transfer transfer);

    /** Where the peer may write. */
    long address(Transfer transfer);

    int key(Transfer transfer);

    /** The peer has written so many bytes: they come to where the program wants them. */
    void deliver(Transfer transfer, int count);

    /** Takes the memory back: the peer has answered, was not asked, or can't write any more. */
    void close(Transfer transfer);

    /**
     * The connection goes by another device from now on, after {@link #leave}: the peer will be told where to write.
     *
     * @return 0 or an errno of the device
     */
    int move();

    /** The queue pair is closed for good, its device perhaps lost: takes the memory from the device, and keeps it. */
    void leave();

    /** The queue pair is closed. */
    @Override
    void close();
}
