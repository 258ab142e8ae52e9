/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import io.verbs4j.Errno;
import io.verbs4j.bulk.memory.MemoryTable;
import io.verbs4j.bulk.memory.RegisteredMemory;
import io.verbs4j.bulk.ring.EntryCode;

/** Validates entries and passes them on. */
final class Starter {
    private final MemoryTable memories;
    private final LinkTable links;
    private final Completer completer;
    private final Copier copier;

    Starter(MemoryTable memories, LinkTable links, Completer completer, Copier copier) {
        this.memories = memories;
        this.links = links;
        this.completer = completer;
        this.copier = copier;
    }

    /** Starts a transfer, or ends it with an errno if it is invalid. */
    void start(Transfer transfer) {
        if ((transfer.flags & ~EntryCode.KNOWN_FLAGS) != 0) {
            completer.fail(transfer, Errno.EINVAL);
            return;
        }
        switch (transfer.opcode) {
            case EntryCode.NOP, EntryCode.BARRIER -> completer.succeed(transfer);
            case EntryCode.COPY -> startCopy(transfer);
            case EntryCode.PUT, EntryCode.GET, EntryCode.SEND, EntryCode.RECV -> startRemote(transfer);
            default -> completer.fail(transfer, Errno.EINVAL);
        }
    }

    private void startRemote(Transfer transfer) {
        Link link = links.find(transfer.peer);
        int errno = useMemory(transfer);
        if (errno != 0) {
            completer.fail(transfer, errno);
        } else if (link == null) {
            completer.fail(transfer, links.wasThere(transfer.peer) ? Errno.ECONNRESET : Errno.EINVAL);
        } else {
            link.submit(transfer);
        }
    }

    private int useMemory(Transfer transfer) {
        RegisteredMemory memory = memories.find(transfer.bufferIndex);
        if (memory == null || memory.isClosed()) {
            return Errno.EINVAL;
        }
        if (!memory.contains(transfer.localOffset, transfer.length)) {
            return Errno.ERANGE;
        }
        boolean writes = transfer.opcode == EntryCode.GET || transfer.opcode == EntryCode.RECV;
        if (writes && !memory.isWritable()) {
            return Errno.EACCES;
        }
        memory.use();
        transfer.memory = memory;
        return 0;
    }

    private void startCopy(Transfer transfer) {
        int errno = useMemory(transfer);
        RegisteredMemory target = memories.find((int) transfer.windowId);
        if (errno == 0 && (target == null || target.isClosed())) {
            errno = Errno.EINVAL;
        } else if (errno == 0 && !target.contains(transfer.remoteOffset, transfer.length)) {
            errno = Errno.ERANGE;
        } else if (errno == 0 && !target.isWritable()) {
            errno = Errno.EACCES;
        } else if (errno == 0 && overlaps(transfer, target)) {
            errno = Errno.EINVAL;
        }
        if (errno != 0) {
            completer.fail(transfer, errno);
            return;
        }
        target.use();
        transfer.target = target;
        copier.add(transfer);
    }

    private static boolean overlaps(Transfer transfer, RegisteredMemory target) {
        return target == transfer.memory && Math.abs(transfer.localOffset - transfer.remoteOffset) < transfer.length;
    }
}
