/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import io.verbs4j.Errno;
import io.verbs4j.bulk.control.ControlKind;
import io.verbs4j.bulk.memory.LocalWindow;
import io.verbs4j.bulk.memory.MemoryTable;
import io.verbs4j.bulk.memory.RegisteredMemory;
import io.verbs4j.bulk.memory.WindowTable;
import io.verbs4j.bulk.ring.EngineSide;
import io.verbs4j.bulk.ring.EntryCode;
import java.util.ArrayList;
import java.util.List;

/** All transfers of an endpoint: starts them, stops them, and has them go on. For one thread at a time. */
public final class Transfers {
    final Limits limits;
    final TransferPool pool = new TransferPool();
    final Timers timers = new Timers();
    final TransferList ready = new TransferList();
    final Completer completer = new Completer(pool, timers, ready);
    final FairQueue fair;
    final WindowTable windows;

    /** Connections that end. */
    private final List<Link> ending = new ArrayList<>();

    private final MemoryTable memories;
    private final LinkTable links;
    private final Copier copier;
    private final List<Submitter> rings = new ArrayList<>();

    /** Connections with notifications that the program has no room for. */
    private final List<Link> held = new ArrayList<>();

    private boolean shutDown;

    public Transfers(Limits limits, MemoryTable memories, WindowTable windows, LinkTable links) {
        this.limits = limits;
        this.memories = memories;
        this.windows = windows;
        this.links = links;
        fair = new FairQueue(limits.pieceBytes());
        copier = new Copier(completer, limits.pieceBytes());
    }

    public Limits limits() {
        return limits;
    }

    /** A ring whose entries are to be taken. */
    public Submitter addRing(EngineSide side) {
        Submitter ring = new Submitter(side, this);
        rings.add(ring);
        return ring;
    }

    /** The ring that is told what peers notify of: the first one; null where there is none yet. */
    Submitter notified() {
        return rings.isEmpty() ? null : rings.get(0);
    }

    void addEnding(Link link) {
        if (!ending.contains(link)) {
            ending.add(link);
        }
    }

    void hold(Link link) {
        if (!held.contains(link)) {
            held.add(link);
        }
    }

    /** Starts what may be started. */
    public boolean startReady() {
        boolean any = false;
        for (Transfer transfer = ready.first(); transfer != null; transfer = ready.first()) {
            ready.remove(transfer);
            start(transfer);
            any = true;
        }
        return any;
    }

    private void start(Transfer transfer) {
        if (shutDown) {
            completer.fail(transfer, EntryCode.ESHUTDOWN);
            return;
        }
        if ((transfer.flags & ~EntryCode.KNOWN_FLAGS) != 0) {
            completer.fail(transfer, Errno.EINVAL);
            return;
        }
        switch (transfer.opcode) {
            case EntryCode.NOP, EntryCode.BARRIER -> completer.succeed(transfer);
            case EntryCode.CANCEL -> cancel(transfer);
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
        if (!contains(memory, transfer.localOffset, transfer.length)) {
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

    private static boolean contains(RegisteredMemory memory, long offset, long length) {
        return offset >= 0 && length >= 0 && offset <= memory.length() - length;
    }

    private void startCopy(Transfer transfer) {
        int errno = useMemory(transfer);
        RegisteredMemory target = memories.find((int) transfer.windowId);
        if (errno == 0 && (target == null || target.isClosed())) {
            errno = Errno.EINVAL;
        } else if (errno == 0 && !contains(target, transfer.remoteOffset, transfer.length)) {
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

    private void cancel(Transfer cancel) {
        Transfer target = pool.find(cancel.ring, cancel.value, cancel);
        int errno = target == null ? Errno.ENOENT : stop(target, Errno.ECANCELED);
        if (errno == 0) {
            completer.succeed(cancel);
        } else {
            completer.fail(cancel, errno);
        }
    }

    /**
     * Ends a transfer early, with an errno; its completion comes when nothing of it is under way.
     *
     * @return 0; or EALREADY where it is too late
     */
    private int stop(Transfer transfer, int errno) {
        switch (transfer.phase) {
            case CHAINED -> {
                transfer.chainedBehind.chain = null;
                completer.fail(transfer, errno);
            }
            case READY, MATCHING, COPYING -> completer.fail(transfer, errno);
            case QUEUED, ANNOUNCED, ASKED, FLYING -> {
                return links.find(transfer.peer).stop(transfer, errno);
            }
        }
        return 0;
    }

    /** Stops transfers whose deadline has passed. */
    public boolean expire(long now) {
        boolean any = false;
        for (Transfer late = timers.expired(now); late != null; late = timers.expired(now)) {
            any = true;
            int unused = stop(late, Errno.ETIMEDOUT); // where it is too late, it ends by itself
        }
        return any;
    }

    public boolean hasDeadlines() {
        return !timers.isEmpty();
    }

    /** Nanoseconds to the next deadline, {@code most} where there is none before. */
    public long untilDeadline(long now, long most) {
        return timers.untilNext(now, most);
    }

    /** Posts and copies what may be posted and copied. */
    public boolean advance() {
        boolean any = copier.copyPiece();
        for (int i = held.size() - 1; i >= 0; i--) {
            Link link = held.remove(i);
            any |= link.receiver.deliver();
        }
        any |= fair.round();
        return any;
    }

    /** Whether there is something that goes on without an event. */
    public boolean isBusy() {
        return !fair.isEmpty() || !ready.isEmpty() || !copier.copies().isEmpty();
    }

    /** Whether connections are ending. */
    public boolean isEnding() {
        return !ending.isEmpty();
    }

    /**
     * Ends connections whose time has come.
     *
     * @param end what is done then
     */
    public boolean endLinks(long now, LinkEnd end) {
        boolean any = false;
        for (int i = ending.size() - 1; i >= 0; i--) {
            Link link = i < ending.size() ? ending.get(i) : null;
            if (link != null && link.isOver(now)) {
                ending.remove(link);
                links.remove(link.id());
                end.close(link);
                link.end();
                end.ended(link);
                any = true;
            }
        }
        return any;
    }

    /** Begins to take a window back. */
    public void revoke(LocalWindow window) {
        if (window.isRevoking()) {
            return;
        }
        for (int id : window.connections()) {
            Link link = links.find(id);
            if (link != null) {
                link.message(ControlKind.REVOKE, window.id(), 0);
            }
        }
        windows.revoke(window);
    }

    /** Ends what is under way, and all that is submitted from now on. Connections tell their peers first. */
    public void shutDown() {
        shutDown = true;
        failAll(copier.copies(), EntryCode.ESHUTDOWN);
        for (Link link : links.all()) {
            link.close(EntryCode.ESHUTDOWN);
        }
    }

    void failAll(TransferList list, int errno) {
        for (Transfer transfer = list.first(); transfer != null; transfer = list.first()) {
            completer.fail(transfer, transfer.error != 0 ? transfer.error : errno);
        }
    }
}
