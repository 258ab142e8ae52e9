/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import io.verbs4j.Errno;
import io.verbs4j.bulk.control.ControlKind;
import io.verbs4j.bulk.memory.LocalWindow;
import io.verbs4j.bulk.ring.EntryCode;

/** Bytes that a peer without READ has asked this side to WRITE: from windows, and of long messages. */
final class Answerer {
    private final Link link;
    private final TransferList answers = new TransferList();

    Answerer(Link link) {
        this.link = link;
    }

    /** Returns the transfer whose bytes are written next, or null. */
    Transfer first() {
        return answers.first();
    }

    boolean has(Transfer transfer) {
        return transfer.list == answers;
    }

    /**
     * Handles the peer's request for bytes of a window. Rights and bounds are checked here, because the peer may have
     * checked them wrongly.
     *
     * @return false if the peer violates the protocol
     */
    boolean ask(long id, long windowId, long offset, int length, int key, long address) {
        if (length < 1 || answers.size() >= Limits.ANNOUNCED) {
            return false;
        }
        LocalWindow window = link.transfers.windows.lookUp(windowId, link.id());
        int errno = window == null ? Errno.ESTALE : window.readError(offset, length);
        if (errno != 0) {
            link.message(ControlKind.DONE, id, -errno);
            return true;
        }
        Transfer answer = link.transfers.pool.take();
        answer.opcode = EntryCode.ANSWER;
        answer.flags = 0;
        answer.memory = window.memory();
        answer.memory.use();
        answer.windowId = windowId;
        answer.localOffset = window.offset() + offset;
        answer.length = length;
        add(answer, id, key, address);
        return true;
    }

    /**
     * Handles the memory that the peer grants for a message.
     *
     * @return false if the peer violates the protocol
     */
    boolean grant(long id, long receive, int key, long address) {
        Transfer message = link.transfers.pool.find(id);
        if (message == null || message.list != link.announced) {
            return false;
        }
        message.error = 0; // too late to withdraw it
        add(message, receive, key, address);
        return true;
    }

    private void add(Transfer transfer, long theirs, int key, long address) {
        transfer.remoteTransfer = theirs;
        transfer.remoteKey = key;
        transfer.remoteAddress = address;
        transfer.learned = link.addresses.moves();
        transfer.phase = Transfer.Phase.FLYING;
        answers.add(transfer);
        link.activate();
    }

    /** Sends DONE after all bytes of a transfer are posted. */
    void posted(Transfer transfer) {
        tell(transfer, transfer.length);
    }

    private void tell(Transfer transfer, long result) {
        link.sender.fly(transfer);
        transfer.outstanding++;
        link.messages.add(ControlKind.DONE, transfer.remoteTransfer, result, transfer.posted, 0, 0, transfer);
        link.activate();
    }

    /** Stops a transfer that the peer withdraws. If all of it is posted, DONE is already on its way. */
    void withdraw(long theirs) {
        for (Transfer answer = answers.first(); answer != null; answer = answer.next) {
            if (answer.remoteTransfer == theirs) {
                answer.error = Errno.ECANCELED;
                tell(answer, -Errno.ECANCELED);
                return;
            }
        }
    }

    /** Whether bytes of a window remain to be written. */
    boolean uses(long windowId) {
        for (Transfer answer = answers.first(); answer != null; answer = answer.next) {
            if (answer.opcode == EntryCode.ANSWER && answer.windowId == windowId) {
                return true;
            }
        }
        return false;
    }

    /** Ends all transfers after the queue pair is closed. */
    void fail(int errno) {
        link.transfers.failAll(answers, errno);
    }
}
