/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Errno;
import io.verbs4j.natives.call.Libc;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;

/** An eventfd of which each read takes one event. */
final class Semaphore implements AutoCloseable {
    private static final int EFD_SEMAPHORE = 1;

    private final int fd = Libc.eventfd(0, EFD_SEMAPHORE);

    Semaphore() {
        assertThat(fd).isNotNegative();
    }

    int fd() {
        return fd;
    }

    void post(long events) {
        try (Scratch number = new Scratch(Long.BYTES)) {
            NativeMemory.putLong(number.address(), events);
            assertThat(Libc.write(fd, number.address(), Long.BYTES)).isEqualTo(Long.BYTES);
        }
    }

    /** {@return an event, or null if there is none} */
    Long fetch() {
        try (Scratch number = new Scratch(Long.BYTES)) {
            if (Libc.read(fd, number.address(), Long.BYTES) == Long.BYTES) {
                return NativeMemory.getLong(number.address());
            }
            assertThat(Libc.errno()).isEqualTo(Errno.EAGAIN);
            return null;
        }
    }

    @Override
    public void close() {
        Libc.close(fd);
    }
}
