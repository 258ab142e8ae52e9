/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import io.verbs4j.Errno;
import io.verbs4j.bulk.ring.EngineSide;
import io.verbs4j.bulk.ring.EntryCode;
import io.verbs4j.bulk.ring.RingLayout;
import java.util.concurrent.TimeUnit;

/** Takes the entries of one ring, in order, and decides when each may start, given chains and drains. */
public final class Submitter {
    private final EngineSide side;
    private final TransferPool pool;
    private final Timers timers;
    private final Completer completer;
    private final TransferList ready;
    private int inFlight;

    /** Whether an entry that must be alone is in flight. */
    private boolean draining;

    /** Whether the last entry has LINK, so that the next one belongs to its chain. */
    private boolean chained;

    /** The last entry while it is in flight, if it has LINK. */
    private Transfer chainTail;

    private boolean chainGood;

    Submitter(EngineSide side, Transfers transfers) {
        this.side = side;
        pool = transfers.pool;
        timers = transfers.timers;
        completer = transfers.completer;
        ready = transfers.ready;
    }

    public EngineSide side() {
        return side;
    }

    /** Number of entries that were taken and have no final completion yet. */
    public int inFlight() {
        return inFlight;
    }

    /**
     * Takes an entry, if there is one and no earlier one blocks it.
     *
     * @param now {@link System#nanoTime()}
     * @return whether one was taken
     */
    public boolean take(long now) {
        if (draining && inFlight > 0) {
            return false;
        }
        draining = false;
        int at = side.peek();
        if (at < 0) {
            return false;
        }
        int opcode = side.u8(at + RingLayout.SQE_OPCODE);
        int flags = side.u8(at + RingLayout.SQE_FLAGS);
        boolean alone = (flags & EntryCode.DRAIN) != 0 || opcode == EntryCode.BARRIER;
        if (alone && inFlight > 0) {
            return false;
        }
        draining = alone;
        Transfer transfer = read(at, opcode, flags, now);
        side.taken();
        inFlight++;
        chain(transfer);
        return true;
    }

    private Transfer read(int at, int opcode, int flags, long now) {
        Transfer transfer = pool.take();
        transfer.ring = this;
        transfer.opcode = opcode;
        transfer.flags = flags;
        transfer.stream = side.u16(at + RingLayout.SQE_STREAM);
        transfer.peer = side.i32(at + RingLayout.SQE_PEER);
        transfer.userData = side.i64(at + RingLayout.SQE_USER_DATA);
        transfer.length = side.i64(at + RingLayout.SQE_LENGTH);
        transfer.localOffset = side.i64(at + RingLayout.SQE_LOCAL_OFFSET);
        transfer.windowId = side.i64(at + RingLayout.SQE_WINDOW);
        transfer.remoteOffset = side.i64(at + RingLayout.SQE_REMOTE_OFFSET);
        transfer.value = side.i64(at + RingLayout.SQE_VALUE);
        transfer.bufferIndex = side.i32(at + RingLayout.SQE_BUFFER);
        int deadline = side.i32(at + RingLayout.SQE_DEADLINE);
        if (deadline != 0) {
            timers.add(transfer, now + TimeUnit.MILLISECONDS.toNanos(deadline & 0xffff_ffffL));
        }
        return transfer;
    }

    private void chain(Transfer transfer) {
        Transfer before = chainTail;
        boolean behind = chained;
        boolean good = chainGood;
        chained = transfer.has(EntryCode.LINK);
        chainTail = chained ? transfer : null;
        if (behind && before != null) {
            transfer.phase = Transfer.Phase.CHAINED;
            transfer.chainedBehind = before;
            before.chain = transfer;
        } else if (behind && !good) {
            completer.fail(transfer, Errno.ECANCELED);
        } else {
            transfer.phase = Transfer.Phase.READY;
            ready.add(transfer);
        }
    }

    /** Records the final completion of a transfer of the ring. */
    void ended(Transfer transfer, boolean good) {
        inFlight--;
        if (chainTail == transfer) {
            chainTail = null;
            chainGood = good;
        }
    }

    /** Takes all entries and ends each with an errno. For a ring whose endpoint is closed. */
    public void refuseAll(int errno, long now) {
        side.writeBacklog();
        for (int at = side.peek(); at >= 0; at = side.peek()) {
            Transfer transfer = read(at, side.u8(at), side.u8(at + RingLayout.SQE_FLAGS), now);
            side.taken();
            inFlight++;
            completer.fail(transfer, errno);
        }
    }
}
