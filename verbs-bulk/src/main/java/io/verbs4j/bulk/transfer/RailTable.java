/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import io.verbs4j.bulk.control.RailKeys;

/** The rails of a connection by number, from 1. */
final class RailTable {
    private final Link link;
    private final Rail[] rails = new Rail[RailKeys.MOST + 1];
    private volatile int count;

    /** Counts the changes that make keys invalid. */
    private int version;

    RailTable(Link link) {
        this.link = link;
    }

    /** The largest number plus 1. */
    int size() {
        return rails.length;
    }

    /** Returns the rail with this number, or null. */
    Rail get(int number) {
        return rails[number];
    }

    /** Returns the rail with this identifier if it is in this state, or null. */
    Rail find(RailId id, Rail.State state) {
        Rail rail = rails[id.rail()];
        return rail != null && rail.id.equals(id) && rail.state == state ? rail : null;
    }

    /** Returns the queue pair of a rail that is up, or null. */
    RailLane lane(int number) {
        return rails[number] != null && rails[number].isUp() ? rails[number].lane : null;
    }

    Rail add(RailId id) {
        Rail rail = new Rail(id);
        rails[id.rail()] = rail;
        return rail;
    }

    void remove(int number) {
        rails[number] = null;
        recount();
    }

    /** Number of rails that are up. Any thread may ask. */
    int count() {
        return count;
    }

    /** Version of the keys; those of another version belong to other queue pairs. */
    int version() {
        return version;
    }

    /** Makes old keys invalid. */
    void change() {
        version++;
    }

    /** Opens a rail for bytes. */
    void up(Rail rail) {
        rail.state = Rail.State.UP;
        rail.lane.posts().connected();
        recount();
        link.activate();
    }

    /** Fails the queue pair of a rail, to be closed when its requests have completed. */
    void fail(Rail rail) {
        failNow(rail);
        rail.failingSince = System.nanoTime();
        link.transfers.addClosingRails(link);
    }

    /** Does the same if the connection is closed with it. */
    void failNow(Rail rail) {
        boolean was = rail.isUp();
        rail.state = Rail.State.FAILING;
        rail.lane.posts().fail();
        if (was) {
            recount();
            change();
        }
    }

    private void recount() {
        int up = 0;
        for (Rail rail : rails) {
            up += rail != null && rail.isUp() ? 1 : 0;
        }
        count = up;
    }
}
