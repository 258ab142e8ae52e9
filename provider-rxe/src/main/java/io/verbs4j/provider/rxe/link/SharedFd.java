/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import io.verbs4j.ExportedFd;

/** A descriptor that programs pass to other processes. */
final class SharedFd extends ExportedFd {
    /** Takes over a descriptor, for which {@link Posix#enter} has been called. */
    SharedFd(int fd) {
        super(fd);
    }

    @Override
    protected void closeFd(int fd) {
        Posix.calls().close(fd);
        Posix.exit();
    }
}
