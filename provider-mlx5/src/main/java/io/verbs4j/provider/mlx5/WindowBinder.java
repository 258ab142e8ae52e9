/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5;

import io.verbs4j.AccessFlags;
import io.verbs4j.Errno;
import io.verbs4j.MemoryWindow;
import io.verbs4j.MwBind;
import io.verbs4j.provider.mlx5.ring.SendElements;
import io.verbs4j.provider.mlx5.ring.SendRing;
import io.verbs4j.rdmacore.object.WindowBind;

/**
 * Binds memory windows of type 1 by a work queue element: a change of the window's memory key.
 *
 * <pre>
 * 16 how the key changes  flags(1) reserved(3) KLM octowords(2) offset(2)  mask of what changes(8)  reserved(32)
 * 64 the key's new value  free(1) reserved(1) access(1) reserved(1) key(4) reserved(8)  address(8) length(8)  reserved(32)
 * 128 what is behind it   length(4) lkey(4) address(8)  reserved(48)
 * </pre>
 */
final class WindowBinder {
    private static final int INLINE = 1 << 7;
    private static final int TRANSLATION_OFFSET = 1 << 4;
    private static final long MASK_LENGTH = 1;
    private static final long MASK_ADDRESS = 1 << 6;
    private static final long MASK_KEY = 1 << 13;
    private static final long MASK_ACCESS = 1 << 18 | 1 << 19 | 1 << 20 | 1 << 21;
    private static final long MASK_FREE = 1 << 29;

    /** The size of the one entry that says what is behind the key, with its padding, in units of 16 bytes. */
    private static final int ENTRY_OCTOWORDS = 4;

    private static final int FREE = 1 << 6;
    private static final int REMOTE_READ = 1 << 4;
    private static final int REMOTE_WRITE = 1 << 5;
    private static final int ATOMIC = 1 << 6;
    private static final int NO_QP = 0xffffff00;
    private static final int KEY = 0xff;
    private static final long MOST = 1L << 31;

    private WindowBinder() {}

    /** Binds; the lock of the send queue is held. */
    static int bind(Mlx5Qp qp, SendRing ring, MemoryWindow mw, MwBind bind) {
        return WindowBind.bind(qp, mw, bind, (window, region) -> {
            if (bind.length() > MOST) {
                return Errno.EOPNOTSUPP; // the device's limit for what is behind a key
            }
            if (ring.isFull()) {
                return Errno.ENOMEM;
            }
            int next = window.rkey() & ~KEY | window.rkey() + 1 & KEY;
            ring.start();
            long at = ring.open(bind.wrId(), bind.sendFlags(), window.rkey());
            long seg = write(ring, ring.afterTransport(at), next, bind, region == null ? 0 : region.lkey());
            ring.close(at, seg, SendElements.BIND);
            ring.fenceNext();
            ring.ring();
            window.ibv.bound(next);
            return 0;
        });
    }

    private static long write(SendRing ring, long at, int key, MwBind bind, int lkey) {
        boolean binds = bind.length() != 0;
        long mask = MASK_FREE | MASK_KEY | (binds ? MASK_LENGTH | MASK_ADDRESS | MASK_ACCESS : 0);
        long how = (long) (INLINE | TRANSLATION_OFFSET) << 56 | (binds ? (long) ENTRY_OCTOWORDS << 16 : 0);
        long seg = zeros(ring, ring.words(at, how, mask), 2);
        long first = binds ? (long) access(bind.mwAccessFlags()) << 40 : (long) FREE << 56;
        seg = ring.words(seg, first | (NO_QP | key & KEY) & 0xffffffffL, 0);
        seg = zeros(ring, ring.words(seg, binds ? bind.addr() : 0, binds ? bind.length() : 0), 2);
        return binds ? zeros(ring, ring.data(seg, lkey, bind.addr(), (int) bind.length()), 3) : seg;
    }

    private static long zeros(SendRing ring, long at, int segments) {
        long seg = at;
        for (int i = 0; i < segments; i++) {
            seg = ring.words(seg, 0, 0);
        }
        return seg;
    }

    private static int access(int flags) {
        return ((flags & AccessFlags.REMOTE_READ) != 0 ? REMOTE_READ : 0)
                | ((flags & AccessFlags.REMOTE_WRITE) != 0 ? REMOTE_WRITE : 0)
                | ((flags & AccessFlags.REMOTE_ATOMIC) != 0 ? ATOMIC : 0);
    }
}
