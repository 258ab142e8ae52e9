/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import io.verbs4j.Errno;
import io.verbs4j.bulk.ring.EntryCode;

/** Ends transfers, each with exactly one final completion, and starts or cancels those chained after them. */
final class Completer {
    private final TransferPool pool;
    private final Timers timers;
    private final TransferList ready;

    Completer(TransferPool pool, Timers timers, TransferList ready) {
        this.pool = pool;
        this.timers = timers;
        this.ready = ready;
    }

    /** Ends a transfer that has succeeded. */
    void succeed(Transfer transfer) {
        end(transfer, transfer.done, transfer.value);
    }

    /** Ends a transfer with an errno. */
    void fail(Transfer transfer, int errno) {
        end(transfer, -errno, 0);
    }

    /** Ends a transfer that the peer has refused, or with its own errno if this side has withdrawn it. */
    void failAtPeer(Transfer transfer, long result) {
        boolean withdrawn = transfer.error != 0 && result == -Errno.ECANCELED;
        fail(transfer, withdrawn ? transfer.error : (int) -result);
    }

    private void end(Transfer transfer, long result, long value) {
        Transfer next = endOne(transfer, result, value);
        if (result >= 0 && next != null) {
            next.chainedBehind = null;
            next.phase = Transfer.Phase.READY;
            ready.add(next);
            return;
        }
        while (next != null) {
            next = endOne(next, -Errno.ECANCELED, 0);
        }
    }

    private Transfer endOne(Transfer transfer, long result, long value) {
        Transfer chained = transfer.chain;
        if (transfer.list != null) {
            transfer.list.remove(transfer);
        }
        timers.remove(transfer);
        release(transfer);
        Submitter ring = transfer.ring;
        if (ring == null) { // requested by a peer
            pool.give(transfer);
            return null;
        }
        if (result < 0 || !transfer.has(EntryCode.QUIET)) {
            int flags = (transfer.copied ? EntryCode.COPIED : 0) | (transfer.replayed ? EntryCode.REPLAYED : 0);
            if (result < 0 && transfer.done > 0) {
                ring.side()
                        .complete(transfer.userData, result, flags | EntryCode.PARTIAL, transfer.peer, transfer.done);
            } else {
                ring.side().complete(transfer.userData, result, flags, transfer.peer, value);
            }
        }
        ring.ended(transfer, result >= 0);
        pool.give(transfer);
        return chained;
    }

    private static void release(Transfer transfer) {
        if (transfer.memory != null) {
            transfer.memory.unuse();
        }
        if (transfer.target != null) {
            transfer.target.unuse();
        }
        if (transfer.landings != null) {
            transfer.landings.close(transfer);
        }
        if (transfer.window != null) {
            transfer.window.unuse();
        }
    }
}
