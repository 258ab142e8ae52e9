/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.cm;

import io.verbs4j.cm.spi.CmSignal;
import io.verbs4j.natives.call.Libc;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;

/** The signal of an event channel: an eventfd, which remains when the device is closed. */
final class EventSignal implements CmSignal {
    private final int fd;

    private EventSignal(int fd) {
        this.fd = fd;
    }

    /** Creates a signal that is not readable; returns null if the process has no free descriptor. */
    static EventSignal open() {
        int fd = Libc.eventfd(0, Libc.CLOEXEC | Libc.O_NONBLOCK);
        return fd < 0 ? null : new EventSignal(fd);
    }

    @Override
    public int descriptor() {
        return fd;
    }

    @Override
    public void raise() {
        try (Scratch one = new Scratch(Long.BYTES)) {
            NativeMemory.putLong(one.address(), 1);
            Libc.write(fd, one.address(), Long.BYTES);
        }
    }

    @Override
    public void clear() {
        try (Scratch count = new Scratch(Long.BYTES)) {
            Libc.read(fd, count.address(), Long.BYTES);
        }
    }

    @Override
    public void close() {
        Libc.close(fd);
    }
}
