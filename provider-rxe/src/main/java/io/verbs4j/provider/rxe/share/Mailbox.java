/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.share;

import io.verbs4j.provider.rxe.memory.Memory;
import java.io.IOException;

/** The receiver's word to those who send to it: whether it sleeps. */
final class Mailbox implements AutoCloseable {
    static final int SIZE = 4096;
    static final int SLEEPING = 64;
    private static final long MAGIC = 0x7634_6a6d_6169_6c31L; // "v4jmail1"

    private final SharedMemory memory;

    Mailbox(Kernel kernel) throws IOException {
        memory = SharedMemory.create(kernel, SIZE);
        memory.put(0, MAGIC);
    }

    /** Another process's. */
    static SharedMemory open(Kernel kernel, Peer peer) throws IOException {
        SharedMemory memory = SharedMemory.open(kernel, peer.pid(), peer.mailbox(), SIZE);
        if (memory.get(0) != MAGIC) {
            throw new IOException("descriptor " + peer.mailbox() + " of process " + peer.pid() + " is no mailbox");
        }
        return memory;
    }

    /** Whether it sleeps, and nobody else is about to wake it. */
    static boolean wake(SharedMemory memory) {
        boolean slept = Memory.compareAndExchangeLong(memory.address() + SLEEPING, 1, 0) == 1;
        memory.keepUntilHere();
        return slept;
    }

    int fd() {
        return memory.fd();
    }

    /** From now on a sender is to send a datagram. What was put into rings before has to be looked for after this. */
    void sleeps() {
        memory.put(SLEEPING, 1);
    }

    void wakes() {
        memory.put(SLEEPING, 0);
    }

    @Override
    public void close() {
        memory.close();
    }
}
