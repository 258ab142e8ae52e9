/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5;

import io.verbs4j.Errno;
import io.verbs4j.MemoryWindow;
import io.verbs4j.MwBind;
import io.verbs4j.provider.mlx5.ring.SendRing;
import io.verbs4j.provider.mlx5.ring.WindowElements;
import io.verbs4j.rdmacore.object.WindowBind;

/** Binds memory windows of type 1. */
final class WindowBinder {
    private WindowBinder() {}

    /** Binds a window; the lock of the send queue is held. */
    static int bind(Mlx5Qp qp, SendRing ring, MemoryWindow mw, MwBind bind) {
        return WindowBind.bind(qp, mw, bind, (window, region) -> {
            if (!WindowElements.fits(bind.length())) {
                return Errno.EOPNOTSUPP;
            }
            if (ring.isFull()) {
                return Errno.ENOMEM;
            }
            int next = MemoryWindow.incRkey(window.rkey());
            ring.start();
            ring.windows().bindTypeOne(bind, window.rkey(), next, region == null ? 0 : region.lkey());
            ring.ring();
            window.ibv.bound(next);
            return 0;
        });
    }
}
