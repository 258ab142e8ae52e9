/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import io.verbs4j.Errno;
import io.verbs4j.WcStatus;
import io.verbs4j.bulk.control.ControlKind;
import io.verbs4j.bulk.ring.EntryCode;

/** Ends the transfers of a connection, when their requests have completed or early. */
final class TransferEnds {
    private final Link link;

    TransferEnds(Link link) {
        this.link = link;
    }

    /** Ends a transfer early, see {@link Transfers#stop}. */
    int stop(Transfer transfer, int errno) {
        if (transfer.phase == Transfer.Phase.ANNOUNCED || transfer.phase == Transfer.Phase.ASKED) {
            return withdraw(transfer, errno);
        }
        if (transfer.phase != Transfer.Phase.QUEUED) {
            return Errno.EALREADY;
        }
        link.sender.dequeued(transfer);
        transfer.error = errno;
        link.sender.fly(transfer);
        if (transfer.isIdle()) {
            idle(transfer);
        }
        return 0;
    }

    /** Asks the peer to give up a transfer whose next step is the peer's. */
    private int withdraw(Transfer transfer, int errno) {
        if (transfer.error != 0) {
            return Errno.EALREADY;
        }
        transfer.error = errno;
        link.message(ControlKind.WITHDRAW, transfer.id(), 0);
        return 0;
    }

    /** Ends a transfer without requests in flight, or sends its notification first. */
    void idle(Transfer transfer) {
        boolean read = transfer.opcode == EntryCode.RECV;
        if (transfer.error != 0) {
            if (read) {
                link.message(ControlKind.FIN, transfer.remoteTransfer, -transfer.error);
            }
            link.transfers.completer.fail(transfer, transfer.error);
        } else if ((transfer.opcode == EntryCode.GET || transfer.opcode == EntryCode.PUT && transfer.spread)
                && transfer.has(EntryCode.NOTIFY)
                && !transfer.notified) {
            link.sender.tell(transfer);
        } else {
            if (read) {
                link.message(ControlKind.FIN, transfer.remoteTransfer, transfer.done);
            }
            link.transfers.completer.succeed(transfer);
        }
    }

    /** Handles the completion of a request, and of all before it. */
    void sent(int number, int status) {
        boolean ofDevice = status == WcStatus.FATAL_ERR && link.transfers.isLost(link.load, Errno.EIO);
        if (ofDevice || status != WcStatus.SUCCESS && link.load.isLost()) {
            return; // the connection is lost with the device
        }
        if (WireError.isLoss(status)) {
            link.lose(WireError.errnoOfLink(status));
            if (link.state().isLost()) {
                link.posted.failed(number); // the peer will report what it has received
                return;
            }
        }
        completed(link.first, number, status);
    }

    /** Handles a lane's request that has succeeded or failed for good, and all before it. */
    void completed(Lane lane, int number, int status) {
        while (lane.posted.reaches(number)) {
            complete(lane, lane.posted.oldest() == number ? WireError.errno(status) : 0);
        }
        if (status != 0) {
            link.fail(WireError.errnoOfLink(status));
        } else {
            link.recovery().completed();
            link.receiver.windows().giveWindowsBack();
            link.activate();
        }
    }

    private void complete(Lane lane, int errno) {
        int bytes = lane.posted.oldestBytes();
        Transfer transfer = lane.posted.remove();
        lane.completed(bytes);
        if (transfer != null) {
            complete(transfer, bytes, errno);
        }
    }

    /** Handles the end of a request for bytes of a transfer. */
    void complete(Transfer transfer, int bytes, int errno) {
        transfer.completed(bytes, errno);
        if (transfer.isIdle()) {
            idle(transfer);
            link.receiver.windows().giveWindowsBack();
        }
    }
}
