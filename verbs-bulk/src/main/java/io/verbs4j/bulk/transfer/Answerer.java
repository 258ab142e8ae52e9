/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import io.verbs4j.Errno;
import io.verbs4j.bulk.control.ControlKind;
import io.verbs4j.bulk.memory.LocalWindow;
import io.verbs4j.bulk.ring.EntryCode;

/** What a peer that can't READ has asked this side to WRITE: bytes of windows, and long messages. */
final class Answerer {
    private final Link link;
    private final TransferList answers = new TransferList();

    Answerer(Link link) {
        this.link = link;
    }

    /** The transfer whose bytes are written next, or null. */
    Transfer first() {
        return answers.first();
    }

    boolean has(Transfer transfer) {
        return transfer.list == answers;
    }

    /**
     * The peer asks for bytes of a window. Its rights and bounds are looked at here: the peer may have looked wrongly.
     *
     * @return whether the peer keeps the rules
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
     * The peer says where a message is to be written.
     *
     * @return whether the peer keeps the rules
     */
    boolean grant(long id, long receive, int key, long address) {
        Transfer message = link.transfers.pool.find(id);
        if (message == null || message.list != link.announced) {
            return false;
        }
        message.error = 0; // too late to take it back
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

    /** All bytes of a transfer are posted: sends DONE behind them. */
    void posted(Transfer transfer) {
        tell(transfer, transfer.length);
    }

    private void tell(Transfer transfer, long result) {
        link.sender.fly(transfer);
        transfer.outstanding++;
        link.messages.add(ControlKind.DONE, transfer.remoteTransfer, result, transfer.posted, 0, 0, transfer);
        link.activate();
    }

    /** The peer wants no more of what it has asked for; where all is posted, DONE is on its way already. */
    void withdraw(long theirs) {
        for (Transfer answer = answers.first(); answer != null; answer = answer.next) {
            if (answer.remoteTransfer == theirs) {
                answer.error = Errno.ECANCELED;
                tell(answer, -Errno.ECANCELED);
                return;
            }
        }
    }

    /** Whether bytes of a window are still to be written. */
    boolean uses(long windowId) {
        for (Transfer answer = answers.first(); answer != null; answer = answer.next) {
            if (answer.opcode == EntryCode.ANSWER && answer.windowId == windowId) {
                return true;
            }
        }
        return false;
    }

    /** Ends all: the queue pair is closed. */
    void fail(int errno) {
        link.transfers.failAll(answers, errno);
    }
}
