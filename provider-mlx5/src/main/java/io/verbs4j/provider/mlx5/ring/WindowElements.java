/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.ring;

import io.verbs4j.AccessFlags;
import io.verbs4j.Errno;
import io.verbs4j.MemoryWindow;
import io.verbs4j.MwBind;
import io.verbs4j.rdmacore.object.TypeTwoBind;
import io.verbs4j.rdmacore.object.WindowLog;

/**
 * Writes the elements of a send queue that bind and invalidate memory windows: each is a change of the window's memory
 * key.
 *
 * <pre>
 * 16 how the key changes  flags(1) reserved(3) KLM octowords(2) offset(2)  mask of what changes(8)  reserved(32)
 * 64 the key's new value  free(1) reserved(1) access(1) reserved(1) queue pair, key(4) reserved(8)
 *                         address(8) length(8)  reserved(32)
 * 128 the key's memory    length(4) lkey(4) address(8)  reserved(48)
 * </pre>
 *
 * The immediate word of the control segment contains the window's previous key. The element after such a one waits for
 * it.
 */
public final class WindowElements {
    static final int INLINE = 1 << 7;
    static final int CHECK_FREE = 1 << 5;
    static final int TRANSLATION_OFFSET = 1 << 4;
    private static final int CHECK_QP = 1 << 3;
    static final long MASK_LENGTH = 1;
    static final long MASK_ADDRESS = 1 << 6;
    static final long MASK_KEY = 1 << 13;
    private static final long MASK_QP = 1 << 14;
    static final long MASK_ACCESS = 1 << 18 | 1 << 19 | 1 << 20 | 1 << 21;
    static final long MASK_FREE = 1 << 29;

    /** The size of the one entry that describes the key's memory, with its padding, in units of 16 bytes. */
    private static final int ENTRY_OCTOWORDS = 4;

    static final int FREE = 1 << 6;
    private static final int LOCAL_WRITE = 1 << 3;
    private static final int REMOTE_READ = 1 << 4;
    private static final int REMOTE_WRITE = 1 << 5;
    private static final int ATOMIC = 1 << 6;
    private static final int NO_QP = 0xffffff;
    private static final int TAG = 0xff;

    /** The device's limit for the memory of a key. */
    private static final long MOST = 1L << 31;

    private final SendElements ring;
    private final WindowLog log;
    private final TypeTwoBind bind = new TypeTwoBind();

    WindowElements(SendElements ring, WindowLog log) {
        this.ring = ring;
        this.log = log;
    }

    /** Returns whether the device can open a range of that length through one window. */
    public static boolean fits(long length) {
        return length <= MOST;
    }

    /**
     * Writes the bind of a window of type 2, or with length 0 its unbind; returns 0 or an errno. The caller has checked
     * that there is room. From now on the window has its new key.
     */
    public int bind(long wrId, int flags, MemoryWindow mw, int rkey, MwBind mwBind) {
        int refused = bind.read(mw, rkey, mwBind);
        if (refused != 0) {
            return refused;
        }
        try {
            if (!fits(bind.length())) {
                return Errno.EOPNOTSUPP;
            }
            ring.markWindows();
            log.bind(bind.window(), bind.newKey(), wrId, flags);
            long at = ring.open(wrId, flags, bind.oldKey());
            long seg = ring.afterTransport(at);
            seg = bind.length() == 0
                    ? ends(seg, true, bind.newKey())
                    : begins(seg, true, bind.newKey(), bind.addr(), bind.length(), bind.access(), bind.lkey());
            close(at, seg);
            bind.window().bound(bind.newKey());
            return 0;
        } finally {
            bind.leave();
        }
    }

    /** Writes the invalidation of a key; returns 0 or an errno. The caller has checked that there is room. */
    public int invalidate(long wrId, int flags, int rkey) {
        ring.markWindows();
        int refused = log.invalidate(rkey, wrId, flags);
        if (refused == 0) {
            long at = ring.open(wrId, flags, rkey);
            close(at, ends(ring.afterTransport(at), true, 0));
        }
        return refused;
    }

    /** Writes the bind of a window of type 1, or its unbind. The caller has checked that there is room. */
    public void bindTypeOne(MwBind what, int oldKey, int newKey, int lkey) {
        long at = ring.open(what.wrId(), what.sendFlags(), oldKey);
        long seg = ring.afterTransport(at);
        long length = what.length();
        close(
                at,
                length == 0
                        ? ends(seg, false, newKey)
                        : begins(seg, false, newKey, what.addr(), length, what.mwAccessFlags(), lkey));
    }

    private void close(long at, long seg) {
        ring.close(at, seg, Wqe.OP_UMR);
        ring.fenceNext();
    }

    private long begins(long at, boolean onQp, int key, long addr, long length, int rights, int lkey) {
        long mask = MASK_FREE | MASK_KEY | MASK_LENGTH | MASK_ADDRESS | MASK_ACCESS | (onQp ? MASK_QP : 0);
        long how = INLINE | TRANSLATION_OFFSET | (onQp ? CHECK_FREE : 0);
        long seg = zeros(ring.words(at, how << 56 | (long) ENTRY_OCTOWORDS << 16, mask), 2);
        int owner = (onQp ? ring.qpNum : NO_QP) << 8 | key & TAG;
        seg = ring.words(seg, (long) access(rights) << 40 | owner & 0xffffffffL, 0);
        seg = zeros(ring.words(seg, addr, length), 2);
        return zeros(ring.data(seg, lkey, addr, (int) length), 3);
    }

    private long ends(long at, boolean onQp, int key) {
        long mask = MASK_FREE | MASK_KEY | (onQp ? MASK_QP : 0);
        long how = INLINE | TRANSLATION_OFFSET | (onQp ? CHECK_QP : 0);
        long seg = zeros(ring.words(at, how << 56, mask), 2);
        seg = ring.words(seg, (long) FREE << 56 | (NO_QP << 8 | key & TAG) & 0xffffffffL, 0);
        return zeros(ring.words(seg, 0, 0), 2);
    }

    private long zeros(long at, int segments) {
        return zeros(ring, at, segments);
    }

    static long zeros(SendElements ring, long at, int segments) {
        long seg = at;
        for (int i = 0; i < segments; i++) {
            seg = ring.words(seg, 0, 0);
        }
        return seg;
    }

    /** Converts {@link AccessFlags} to those in a key's value. */
    static int access(int flags) {
        return ((flags & AccessFlags.LOCAL_WRITE) != 0 ? LOCAL_WRITE : 0)
                | ((flags & AccessFlags.REMOTE_READ) != 0 ? REMOTE_READ : 0)
                | ((flags & AccessFlags.REMOTE_WRITE) != 0 ? REMOTE_WRITE : 0)
                | ((flags & AccessFlags.REMOTE_ATOMIC) != 0 ? ATOMIC : 0);
    }
}
