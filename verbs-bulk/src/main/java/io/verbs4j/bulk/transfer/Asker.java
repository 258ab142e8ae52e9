/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import io.verbs4j.Errno;
import io.verbs4j.bulk.control.ControlKind;
import io.verbs4j.bulk.ring.EntryCode;

/**
 * Brings bytes of the peer's here: by READ, or where the two devices can't, by asking the peer to WRITE them. For GETs
 * and for the long messages that receives have been matched with.
 */
final class Asker {
    private final Link link;

    /** Receives whose bytes are at the peer. */
    private final TransferList fetches = new TransferList();

    /** What the peer was asked to write. */
    private final TransferList asked = new TransferList();

    private int gets;

    Asker(Link link) {
        this.link = link;
    }

    /** Whether the bytes of a GET are still to come. */
    boolean waitsForGet() {
        return gets > 0;
    }

    /** A receive has its message, whose bytes are at the peer. */
    void fetch(Transfer receive) {
        receive.phase = Transfer.Phase.QUEUED;
        fetches.add(receive);
        link.activate();
    }

    /** Has the bytes of receives brought here, as far as that may be. */
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
            return false; // others have to end first, or it goes on by another device
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
     * The peer has written what it was asked for, or has stopped.
     *
     * @return whether the peer keeps the rules
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

    /** Ends all: the queue pair is closed. */
    void fail(int errno) {
        link.transfers.failAll(asked, errno);
        link.transfers.failAll(fetches, errno);
    }
}
