/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

import io.verbs4j.Errno;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.provider.mlx5.ring.KeyElement;
import io.verbs4j.provider.mlx5.ring.RawElement;
import io.verbs4j.provider.mlx5.ring.SendQueue;
import io.verbs4j.provider.mlx5.ring.SendRing;
import java.util.function.ToIntBiFunction;

/** Writes mlx5-specific requests to a send queue that Java drives, byte for byte as libmlx5 would. */
final class DvRing {
    private static final ToIntBiFunction<SendRing, Mlx5MkeyRequest> CHANGE = DvRing::write;
    private static final ToIntBiFunction<SendRing, Mlx5RawRequest> RAW = DvRing::write;

    private DvRing() {}

    /**
     * Posts a request; returns 0 or an errno.
     *
     * @param sendOps operations that the queue pair was created for
     */
    static int post(SendQueue queue, long sendOps, Mlx5SendRequest request) {
        if (request instanceof Mlx5RawRequest raw) {
            if ((sendOps & Mlx5SendOps.RAW_WQE) == 0) {
                return Errno.EOPNOTSUPP;
            }
            return raw.wqe() == null ? Errno.EINVAL : queue.post(raw, RAW);
        }
        return request instanceof Mlx5MkeyRequest change ? post(queue, sendOps, change) : Errno.EOPNOTSUPP;
    }

    private static int post(SendQueue queue, long sendOps, Mlx5MkeyRequest r) {
        long old = r.list() != null ? Mlx5SendOps.MR_LIST : Mlx5SendOps.MR_INTERLEAVED;
        long fits = r.isOldForm() ? old | Mlx5SendOps.MKEY_CONFIGURE : Mlx5SendOps.MKEY_CONFIGURE;
        if ((sendOps & fits) == 0 || (r.confFlags() & ~Mlx5MkeyConfFlags.RESET_SIG_ATTR) != 0) {
            return Errno.EOPNOTSUPP;
        }
        Mlx5Mkey mkey = r.mkey();
        if (mkey == null || r.signatures() != null || !r.hasValidLayout() || !mkey.enter()) {
            return Errno.EINVAL;
        }
        try {
            return queue.post(r, CHANGE);
        } finally {
            mkey.leave();
        }
    }

    private static int write(SendRing ring, Mlx5MkeyRequest r) {
        int entries = r.entries();
        KeyElement e = ring.keyElement();
        int error = e.begin(r.wrId(), r.sendFlags(), r.mkey().key, entries);
        if (error != 0) {
            return error;
        }
        e.change(r.access(), entries == 0 ? KeyElement.NONE : r.layoutLength());
        if (r.list() != null) {
            for (ScatterGatherElement piece : r.list()) {
                e.piece(piece.lkey(), piece.addr(), piece.length());
            }
        } else if (r.interleaved() != null) {
            e.rounds(r.repeatCount(), r.roundLength(), r.interleaved().length);
            for (Mlx5Interleaved piece : r.interleaved()) {
                Mlx5Interleaved.Values v = piece.values;
                e.pieceOfRound(v.lkey(), v.addr(), v.bytesCount(), v.bytesSkip());
            }
        }
        e.end();
        return 0;
    }

    private static int write(SendRing ring, Mlx5RawRequest r) {
        return RawElement.write(ring, r.wrId(), r.wqe(), r.length());
    }
}
