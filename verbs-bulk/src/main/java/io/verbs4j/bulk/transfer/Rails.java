/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import io.verbs4j.Errno;
import io.verbs4j.WcStatus;
import java.util.function.Consumer;

/**
 * The additional queue pairs of a connection, each between a different pair of ports of the two sides. Bytes of long
 * transfers are spread over them. Messages use the connection's own queue pair, and set the others up. A failed rail is
 * closed on both sides before its bytes are posted elsewhere, so that nothing reaches memory late. For the driving
 * thread.
 */
public final class Rails {
    private final Link link;
    private final RailTable table;
    private final ReturnedPieces returned = new ReturnedPieces();
    private final RailSetup setup;
    private final RailMemory memory;
    private final RailSpreader spreader;

    Rails(Link link) {
        this.link = link;
        table = new RailTable(link);
        setup = new RailSetup(link, table, returned);
        memory = new RailMemory(link, table);
        spreader = new RailSpreader(link, table);
    }

    /** Their setup and end. */
    public RailSetup setup() {
        return setup;
    }

    /** The keys that the two sides exchange for memory. */
    RailMemory memory() {
        return memory;
    }

    /** Decides which transfers use them. */
    RailSpreader spreader() {
        return spreader;
    }

    /** The pieces that were in flight on rails that are over. */
    ReturnedPieces returned() {
        return returned;
    }

    /** Number of rails besides the first queue pair. Any thread may ask. */
    public int count() {
        return table.count();
    }

    /** Returns the queue pair of a rail that is up, or null. */
    RailLane lane(int rail) {
        return table.lane(rail);
    }

    private void forEach(Consumer<Rail> action) {
        for (int i = 1; i < table.size(); i++) {
            Rail rail = table.get(i);
            if (rail != null) {
                action.accept(rail);
            }
        }
    }

    /** Whether bytes posted to rails, or to be posted again, have not completed. */
    boolean areBusy() {
        if (!returned.isEmpty()) {
            return true;
        }
        for (int i = 1; i < table.size(); i++) {
            Rail rail = table.get(i);
            if (rail != null && rail.lane != null && !rail.lane.posted.isEmpty()) {
                return true;
            }
        }
        return false;
    }

    /** Handles a completed request of a rail. */
    void completed(int number, int status) {
        Rail rail = RailLane.railOf(number) < table.size() ? table.get(RailLane.railOf(number)) : null;
        if (rail == null || rail.lane == null || !RailLane.isOf(rail.id, number)) {
            return;
        }
        int of = rail.lane.posted.number(number & PostedQueue.NUMBER_MASK);
        boolean dead = status == WcStatus.FATAL_ERR && link.transfers.isLost(rail.lane.load(), Errno.EIO);
        if (dead || WireError.isLoss(status)) {
            rail.lane.posted.failed(of);
            if (rail.isOpen()) {
                table.fail(rail);
            }
        } else {
            link.ends().completed(rail.lane, of, status);
        }
    }

    /** Fails the rails of a device. */
    public void fail(DeviceLoad device) {
        forEach(rail -> {
            if (rail.isOpen() && rail.lane.load() == device) {
                table.fail(rail);
            }
        });
    }

    /** Posts the gathered requests. */
    void flush() {
        for (int i = 1; table.count() > 0 && i < table.size(); i++) {
            RailLane lane = table.lane(i);
            int errno = lane == null ? 0 : lane.posts().flush();
            if (errno != 0) {
                table.fail(table.get(i));
                boolean unused = link.transfers.isLost(lane.load(), errno);
            }
        }
    }

    /** Fails all rails when the connection is lost or ends. */
    void failAll() {
        forEach(rail -> {
            if (rail.isOpen()) {
                table.failNow(rail);
            }
        });
    }

    /** Whether no posted request still has to complete. */
    boolean areSettled() {
        for (int i = 1; i < table.size(); i++) {
            Rail rail = table.get(i);
            if (rail != null && rail.state == Rail.State.FAILING && !rail.lane.posted.isSettled()) {
                return false;
            }
        }
        return true;
    }

    /** Removes all rails when this side has closed its queue pairs; pieces in flight will be posted again. */
    void suspend() {
        forEach(rail -> {
            table.remove(rail.id.rail());
            if (rail.lane != null) {
                rail.lane.leaveLoad();
                returned.addAll(rail.lane.posted);
            }
        });
        table.change();
    }

    /** Removes all rails for good. */
    void end() {
        suspend();
        returned.clear();
    }
}
