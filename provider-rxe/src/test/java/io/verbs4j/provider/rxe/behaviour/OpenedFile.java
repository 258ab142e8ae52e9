/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import com.sun.jna.Function;

/** A descriptor of a file opened by its name. */
final class OpenedFile implements AutoCloseable {
    private static final int O_RDWR = 2;

    final int fd;

    OpenedFile(String name) {
        fd = Function.getFunction("c", "open").invokeInt(new Object[] {name, O_RDWR});
        if (fd < 0) {
            throw new AssertionError("can't open " + name);
        }
    }

    @Override
    public void close() {
        PassedDescriptor.close(fd);
    }
}
