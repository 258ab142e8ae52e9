/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore;

import io.verbs4j.ExportedFd;
import io.verbs4j.rdmacore.call.Libc;

/** A descriptor of the kernel's that is the program's to close. */
final class OwnedFd extends ExportedFd {
    OwnedFd(int fd) {
        super(fd);
    }

    @Override
    protected void closeFd(int number) {
        Libc.close(number);
    }
}
