/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import io.verbs4j.ExportedFd;

/** A descriptor that programs pass on to others. */
final class SharedFd extends ExportedFd {
    /** Takes a descriptor over; {@link Posix#enter} has been called for it. */
    SharedFd(int fd) {
        super(fd);
    }

    @Override
    protected void closeFd(int fd) {
        Posix.calls().close(fd);
        Posix.exit();
    }
}
