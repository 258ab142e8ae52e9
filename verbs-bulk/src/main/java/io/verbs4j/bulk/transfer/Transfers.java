/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import io.verbs4j.Errno;
import io.verbs4j.bulk.control.ControlKind;
import io.verbs4j.bulk.memory.LocalWindow;
import io.verbs4j.bulk.memory.MemoryTable;
import io.verbs4j.bulk.memory.WindowTable;
import io.verbs4j.bulk.ring.EngineSide;
import io.verbs4j.bulk.ring.EntryCode;
import java.util.ArrayList;
import java.util.List;

/** All transfers of an endpoint: starts, stops and advances them. For one thread at a time. */
public final class Transfers {
    final Limits limits;
    final TransferPool pool = new TransferPool();
    final Timers timers = new Timers();
    final TransferList ready = new TransferList();
    final Completer completer = new Completer(pool, timers, ready);
    final FairQueue fair;
    final WindowTable windows;

    /** Connections that are ending. */
    private final List<Link> ending = new ArrayList<>();

    /** Connections with rails that are ending. */
    private final List<Link> closingRails = new ArrayList<>();

    final DatagramSides datagrams = new DatagramSides();
    final RecoveringLinks recovering = new RecoveringLinks();
    final UnansweredRails unanswered = new UnansweredRails();

    private final Starter starter;
    private final LinkTable links;
    private final Copier copier;
    private final List<Submitter> rings = new ArrayList<>();

    /** Connections with notifications that do not fit into the program's ring. */
    private final List<Link> held = new ArrayList<>();

    /** Connections whose messages arrive without an event. */
    private final List<Link> polled = new ArrayList<>();

    private DeviceCheck devices = (load, errno) -> false;
    private boolean deviceless;
    private boolean shutDown;

    public Transfers(Limits limits, MemoryTable memories, WindowTable windows, LinkTable links) {
        this.limits = limits;
        this.windows = windows;
        this.links = links;
        fair = new FairQueue(limits.pieceBytes());
        copier = new Copier(completer, limits.pieceBytes());
        starter = new Starter(memories, links, completer, copier);
    }

    public Limits limits() {
        return limits;
    }

    /** Sets the check for lost devices. */
    public void devices(DeviceCheck value) {
        devices = value;
    }

    /** Whether a device that has refused an operation is lost; if so, its connections are lost on return. */
    boolean isLost(DeviceLoad load, int errno) {
        return load.isLost() || devices.isLost(load, errno);
    }

    /** Sets whether all devices are lost. */
    public void deviceless(boolean value) {
        deviceless = value;
    }

    /** Adds a ring. */
    public Submitter addRing(EngineSide side) {
        Submitter ring = new Submitter(side, this);
        rings.add(ring);
        return ring;
    }

    /** Returns the ring for notifications of peers: the first one; null if there is none yet. */
    Submitter notified() {
        return rings.isEmpty() ? null : rings.get(0);
    }

    void addEnding(Link link) {
        if (!ending.contains(link)) {
            ending.add(link);
        }
    }

    /** Closes the queue pairs of failed rails once they have nothing in flight. */
    void addClosingRails(Link link) {
        if (!closingRails.contains(link)) {
            closingRails.add(link);
        }
    }

    void addPolled(Link link) {
        polled.add(link);
    }

    /** Whether there are connections whose messages arrive without an event. */
    public boolean isPolled() {
        return !polled.isEmpty();
    }

    /** Takes messages that have arrived without an event, and advances connections by datagrams. */
    public boolean poll() {
        boolean any = datagrams.advance();
        for (int i = 0; i < polled.size(); i++) {
            any |= polled.get(i).receiver.pollRing();
        }
        return any;
    }

    void hold(Link link) {
        if (!held.contains(link)) {
            held.add(link);
        }
    }

    /** Starts all transfers that are ready. */
    public boolean startReady() {
        boolean any = false;
        for (Transfer transfer = ready.first(); transfer != null; transfer = ready.first()) {
            ready.remove(transfer);
            if (shutDown) {
                completer.fail(transfer, EntryCode.ESHUTDOWN);
            } else if (transfer.opcode == EntryCode.CANCEL && (transfer.flags & ~EntryCode.KNOWN_FLAGS) == 0) {
                cancel(transfer);
            } else {
                starter.start(transfer);
            }
            any = true;
        }
        return any;
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
     * Ends a transfer early with an errno; it completes when nothing of it is in flight.
     *
     * @return 0; or EALREADY if it is too late
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
            int unused = stop(late, Errno.ETIMEDOUT); // if it is too late, it ends by itself
        }
        return any;
    }

    public boolean hasDeadlines() {
        return !timers.isEmpty();
    }

    /** Returns the nanoseconds to the next deadline, at most {@code most}. */
    public long untilDeadline(long now, long most) {
        long first = unanswered.untilNext(now, datagrams.untilNext(now, timers.untilNext(now, most)));
        return recovering.isEmpty() ? first : recovering.untilNext(now, first);
    }

    /** Posts and copies as much as allowed. */
    public boolean advance() {
        boolean any = copier.copyPiece();
        for (int i = held.size() - 1; i >= 0; i--) {
            Link link = held.remove(i);
            any |= link.receiver.notifications().deliver();
        }
        any |= fair.round();
        return any;
    }

    /** Whether there is work that no event announces. */
    public boolean isBusy() {
        return !fair.isEmpty() || !ready.isEmpty() || !copier.copies().isEmpty();
    }

    /** Whether connections are being recovered. */
    public boolean isRecovering() {
        return !recovering.isEmpty();
    }

    /** Gives up connections that were not recovered in time. */
    public boolean expireRecoveries(long now) {
        return recovering.expire(now, deviceless ? Errno.ENODEV : Errno.ECONNRESET);
    }

    /** Whether peers must still report that rails are closed. */
    public boolean waitsForRails() {
        return !unanswered.isEmpty();
    }

    /** Gives up connections whose peers have not reported in time that rails are closed. */
    public boolean expireRails(long now) {
        return unanswered.expire(now);
    }

    /** Whether connections or their rails are ending. */
    public boolean isEnding() {
        return !ending.isEmpty() || !closingRails.isEmpty();
    }

    /**
     * Ends connections that are due.
     *
     * @param end handles their end
     */
    public boolean endLinks(long now, LinkEnd end) {
        boolean any = false;
        for (int i = closingRails.size() - 1; i >= 0; i--) {
            Link link = i < closingRails.size() ? closingRails.get(i) : null;
            if (link != null && !link.rails.setup().closeFailed(now)) {
                any |= closingRails.remove(link);
            }
        }
        for (int i = ending.size() - 1; i >= 0; i--) {
            Link link = i < ending.size() ? ending.get(i) : null;
            if (link != null && link.isOver(now)) {
                ending.remove(link);
                if (link.state().isLost()) {
                    suspend(link, end);
                } else {
                    end(link, end);
                }
                any = true;
            }
        }
        return any;
    }

    private static void suspend(Link link, LinkEnd end) {
        end.release(link);
        if (link.recovery().suspend()) {
            end.suspended(link);
        }
    }

    private void end(Link link, LinkEnd end) {
        polled.remove(link);
        links.remove(link.id());
        end.close(link);
        link.end();
        end.ended(link);
    }

    /** Starts to revoke a window. */
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

    /** Ends all transfers, current and future ones. Connections notify their peers first. */
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
