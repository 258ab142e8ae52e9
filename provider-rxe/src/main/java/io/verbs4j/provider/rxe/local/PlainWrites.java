/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.local;

import io.verbs4j.AccessFlags;
import io.verbs4j.CompCntrOps;
import io.verbs4j.QpState;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendBuilder;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcOpcode;
import io.verbs4j.WrOpcode;
import io.verbs4j.provider.rxe.memory.FragileMemory;
import io.verbs4j.provider.rxe.memory.LastKey;
import io.verbs4j.provider.rxe.memory.MemoryKey;
import io.verbs4j.provider.rxe.qp.RxeQp;
import java.lang.invoke.VarHandle;

/**
 * Executes RDMA writes of one piece, the most common kind, to a peer in this JVM. They are executed while they are
 * posted and need no place in the send queue; those of a list share one acquisition of the peer's lock and of a key.
 * Anything unusual is left to {@link LocalPath#run}, which reports it properly. Guarded by the send lock.
 */
final class PlainWrites {
    /**
     * Maximum number of requests, and approximate maximum of bytes, while holding the peer's lock: a thread that closes
     * the peer waits for it.
     */
    private static final int TOGETHER = 32;

    private static final int BYTES = 1 << 16;

    private final RxeQp qp;
    private final LocalPath path;

    /** The keys in use, or null. A target is only held together with a source. */
    private MemoryKey source;

    private MemoryKey target;

    /** Number of requests that may still be executed; 0 once a request needs the send queue. */
    private int left;

    PlainWrites(RxeQp qp, LocalPath path) {
        this.qp = qp;
        this.path = path;
    }

    /** As {@link LocalPath#sendNow(SendWorkRequest, int)}. */
    SendWorkRequest send(SendWorkRequest first, int most) {
        SendWorkRequest wr = first;
        left = most;
        while (left > 0 && wr != null) {
            RxeQp to = path.peer();
            if (to == null) {
                break;
            }
            synchronized (to.recvLock) {
                if (!(to.path() instanceof LocalPath there)) {
                    break;
                }
                wr = write(to, there, wr);
            }
        }
        return wr;
    }

    /** As {@link LocalPath#sendNow(SendBuilder)}. */
    void send(SendBuilder built) {
        int next = 0;
        left = built.count();
        while (left > 0) {
            RxeQp to = path.peer();
            if (to == null) {
                break;
            }
            synchronized (to.recvLock) {
                if (!(to.path() instanceof LocalPath there)) {
                    break;
                }
                next = write(to, there, built, next);
            }
        }
    }

    /** Executes requests of a builder; returns the first one left over. The caller holds the peer's receive lock. */
    private int write(RxeQp to, LocalPath there, SendBuilder built, int first) {
        int i = first;
        int after = left;
        int longest = path.longest(there);
        int end = Math.max(0, left - TOGETHER);
        long written = 0;
        left = 0;
        try {
            while (mayGoOn(to, there)) {
                int bytes = built.length(i);
                if (bytes <= 0 || bytes > longest) {
                    break;
                }
                int flags = built.sendFlags(i);
                long remote = built.remoteAddr(i);
                if (!write(to, there, built.addr(i), built.lkey(i), remote, built.rkey(i), bytes)) {
                    break;
                }
                qp.completeSent(built.wrId(i), flags, WcOpcode.RDMA_WRITE, bytes);
                written += bytes;
                i++;
                if (--after == end || written >= BYTES) {
                    left = after;
                    break;
                }
            }
        } finally {
            leave(there);
        }
        return i;
    }

    /** Executes requests; returns the first one left over. The caller holds the peer's receive lock. */
    private SendWorkRequest write(RxeQp to, LocalPath there, SendWorkRequest first) {
        SendWorkRequest wr = first;
        int after = left;
        int longest = path.longest(there);
        int end = Math.max(0, left - TOGETHER);
        long written = 0;
        left = 0;
        try {
            while (mayGoOn(to, there)) {
                // Each field is read once, because another thread may be changing the request.
                int flags = wr.sendFlags();
                ScatterGatherElement piece = onlyPiece(wr, flags);
                int bytes = piece == null ? 0 : piece.length();
                if (bytes <= 0 || bytes > longest) {
                    break;
                }
                long from = piece.addr();
                long remote = wr.remoteAddr();
                if (!write(to, there, from, piece.lkey(), remote, wr.rkey(), bytes)) {
                    break;
                }
                qp.completeSent(wr.wrId(), flags, WcOpcode.RDMA_WRITE, bytes);
                written += bytes;
                wr = wr.next();
                if (--after == end || wr == null || written >= BYTES) {
                    left = after;
                    break;
                }
            }
        } finally {
            leave(there);
        }
        return wr;
    }

    /** Writes the bytes of a request; returns whether it could. */
    private boolean write(RxeQp to, LocalPath there, long from, int lkey, long remote, int rkey, int bytes) {
        VarHandle.releaseFence(); // a reader of this request's bytes also sees those of the one before
        if (!use(there, lkey, from, rkey, remote, bytes)
                || !FragileMemory.copy(source.at(from), target.at(remote), bytes, false)) {
            return false;
        }
        to.noteCommunication();
        to.taken(CompCntrOps.REMOTE_RDMA_WRITE, bytes);
        path.advance(there, bytes);
        return true;
    }

    private boolean mayGoOn(RxeQp to, LocalPath there) {
        return qp.state() == QpState.RTS && to.isReceiving() && path.isExpectedBy(there);
    }

    /** Returns the piece of a plain RDMA write that has exactly one; null for any other request. */
    private static ScatterGatherElement onlyPiece(SendWorkRequest wr, int flags) {
        ScatterGatherElement[] list = wr.sgList();
        return wr.opcode() == WrOpcode.RDMA_WRITE
                        && (flags & ~SendFlags.SIGNALED) == 0
                        && wr.numSge() == 1
                        && list != null
                        && list.length > 0
                ? list[0]
                : null;
    }

    /**
     * Acquires the keys of a request, or keeps those of the previous one if they are the same. Returns whether they
     * permit access to the memory.
     */
    private boolean use(LocalPath there, int lkey, long from, int rkey, long remote, int bytes) {
        if (source != null
                && source.isStill(lkey, qp.pd(), from, bytes, 0)
                && target.isStill(rkey, there.inbox.pd(), remote, bytes, AccessFlags.REMOTE_WRITE)) {
            return true;
        }
        leave(there);
        source = qp.keys().use(path.lastLocal, lkey, qp.pd(), null, from, bytes, 0);
        if (source != null) {
            target = there.inbox.use(there.lastRemote, rkey, remote, bytes, AccessFlags.REMOTE_WRITE);
        }
        return target != null && source.isPlain() && target.isPlain() && LastKey.mayTouch(source, target);
    }

    private void leave(LocalPath there) {
        MemoryKey key = source;
        if (key != null) {
            source = null;
            path.lastLocal.end(key);
        }
        key = target;
        if (key != null) {
            target = null;
            there.lastRemote.end(key);
        }
    }
}
