/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import io.verbs4j.Errno;
import io.verbs4j.bulk.control.ControlKind;
import io.verbs4j.bulk.ring.EntryCode;

/**
 * Fetches bytes from the peer for GETs, and for receives matched with long messages. Uses READ, or asks the peer to
 * WRITE the bytes if the two devices do not support READ.
 */
final class Asker {
    private final Link link;

    /** Receives whose bytes are at the peer. */
    private final TransferList fetches = new TransferList();

    /** Transfers whose bytes the peer was asked to write. */
    private final TransferList asked = new TransferList();

    private int gets;

    Asker(Link link) {
        this.link = link;
    }

    /** Whether the bytes of a GET have not arrived yet. */
    boolean waitsForGet() {
        return gets > 0;
    }

    /** Queues a receive whose message is at the peer. */
    void fetch(Transfer receive) {
        receive.phase = Transfer.Phase.QUEUED;
        fetches.add(receive);
        link.activate();
    }

    /** Starts to fetch the bytes of receives, as far as allowed. */
    void sendFetches() {
        for (Transfer receive = fetches.first(); receive != null; receive = fetches.first()) {
            if (link.protocol().reads() || receive.length == 0) {
                link.data.add(receive);
            } else if (!ask(receive)) {
                return;
            }
        }
    }

    /**
     * Asks the peer to write the bytes of a GET or a receive.
     *
     * @return whether it has left its list; otherwise it waits
     */
    boolean ask(Transfer transfer) {
        if (!link.sender.mayMessage() || asked.size() >= Limits.ANNOUNCED) {
            return false;
        }
        int errno = link.landings().open(transfer);
        if (errno == Errno.EAGAIN || errno != 0 && link.transfers.isLost(link.load, errno)) {
            return false; // others must end first, or it continues on another device
        }
        if (errno != 0) {
            int unused = link.stop(transfer, errno); // it is in its list, so it is not too late
            return true;
        }
        if (!post(transfer)) {
            return false;
        }
        transfer.phase = Transfer.Phase.ASKED;
        asked.add(transfer);
        if (transfer.opcode == EntryCode.GET) {
            gets++;
        }
        return true;
    }

    private boolean post(Transfer transfer) {
        long address = link.landings().address(transfer);
        int key = link.landings().key(transfer);
        return transfer.opcode == EntryCode.GET
                ? link.sender.post(
                        ControlKind.ASK_PUT,
                        transfer.id(),
                        transfer.windowId,
                        transfer.remoteOffset,
                        key,
                        (int) transfer.length,
                        address)
                : link.sender.post(ControlKind.RTR, transfer.remoteTransfer, transfer.id(), address, key, 0, 0);
    }

    /**
     * Handles the peer's report that the requested bytes are written, or that it has stopped.
     *
     * @return false if the peer violates the protocol
     */
    boolean done(long id, long result, long bytes) {
        Transfer transfer = link.transfers.pool.find(id);
        if (transfer == null || transfer.list != asked) {
            return false;
        }
        if (result >= 0 && result != transfer.length || bytes < 0 || bytes > transfer.length) {
            return false;
        }
        if (transfer.opcode == EntryCode.GET) {
            gets--;
        }
        transfer.done = bytes;
        transfer.posted = bytes;
        link.landings().deliver(transfer, (int) bytes);
        if (result < 0) {
            link.transfers.completer.failAtPeer(transfer, result);
        } else {
            transfer.error = 0;
            link.landings().close(transfer);
            succeed(transfer);
        }
        link.receiver.windows().giveWindowsBack();
        link.activate();
        return true;
    }

    private void succeed(Transfer transfer) {
        if (transfer.opcode == EntryCode.GET && transfer.has(EntryCode.NOTIFY)) {
            link.sender.fly(transfer);
            link.sender.tell(transfer);
        } else {
            link.transfers.completer.succeed(transfer);
        }
    }

    /** Whether the peer was asked to write the bytes of a transfer. */
    boolean hasAsked(Transfer transfer) {
        return transfer.list == asked;
    }

    /** Ends all transfers after the queue pair is closed. */
    void fail(int errno) {
        link.transfers.failAll(asked, errno);
        link.transfers.failAll(fetches, errno);
    }
}
