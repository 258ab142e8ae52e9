/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.gsi;

import io.verbs4j.cm.spi.CmSignal;
import io.verbs4j.provider.rxe.link.EventFd;

/** The signal of an event channel. It outlives the device's closing. */
final class EventSignal implements CmSignal {
    private final EventFd fd;

    EventSignal(EventFd fd) {
        this.fd = fd;
    }

    @Override
    public int descriptor() {
        return fd.descriptor();
    }

    @Override
    public void raise() {
        fd.raise();
    }

    @Override
    public void clear() {
        fd.clear();
    }

    @Override
    public void close() {
        fd.close();
    }
}
