/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import io.verbs4j.Errno;
import io.verbs4j.WcStatus;
import java.util.function.Consumer;

/**
 * More queue pairs of a connection, each between another port of this side's and another one of the peer's. Bytes of
 * long transfers are spread over them; messages go by the connection's first queue pair, and set the others up. A rail
 * that fails is closed on both sides before its bytes are posted again elsewhere, so that nothing late reaches memory.
 * By the thread that drives.
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

    /** How they come and go. */
    public RailSetup setup() {
        return setup;
    }

    /** What the two sides tell each other of memory. */
    RailMemory memory() {
        return memory;
    }

    /** Which transfers use them. */
    RailSpreader spreader() {
        return spreader;
    }

    /** What was under way by rails that are over. */
    ReturnedPieces returned() {
        return returned;
    }

    /** How many rails there are beside the first queue pair. Any thread may ask. */
    public int count() {
        return table.count();
    }

    /** The queue pair of a rail that is up, or null. */
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

    /** Whether bytes that were posted to rails, or are to be posted again, have not completed. */
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

    /** A request of a rail's has completed. */
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

    /** Fails those of a device. */
    public void fail(DeviceLoad device) {
        forEach(rail -> {
            if (rail.isOpen() && rail.lane.load() == device) {
                table.fail(rail);
            }
        });
    }

    /** Posts what was gathered. */
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

    /** The connection is lost or ends: fails all. */
    void failAll() {
        forEach(rail -> {
            if (rail.isOpen()) {
                table.failNow(rail);
            }
        });
    }

    /** Whether nothing that was posted has still to complete. */
    boolean areSettled() {
        for (int i = 1; i < table.size(); i++) {
            Rail rail = table.get(i);
            if (rail != null && rail.state == Rail.State.FAILING && !rail.lane.posted.isSettled()) {
                return false;
            }
        }
        return true;
    }

    /** The connection has no queue pairs any more, on this side: what was under way is posted again when it has. */
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

    /** The same, for good. */
    void end() {
        suspend();
        returned.clear();
    }
}
