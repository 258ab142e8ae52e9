/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import io.verbs4j.bulk.control.RailKeys;

/** The rails of a connection by their number, from 1. */
final class RailTable {
    private final Link link;
    private final Rail[] rails = new Rail[RailKeys.MOST + 1];
    private volatile int count;

    /** Counts the changes that make keys worthless. */
    private int version;

    RailTable(Link link) {
        this.link = link;
    }

    /** One above the largest number. */
    int size() {
        return rails.length;
    }

    /** The rail of a number, or null. */
    Rail get(int number) {
        return rails[number];
    }

    /** The rail of an identifier, if it is in that state. */
    Rail find(RailId id, Rail.State state) {
        Rail rail = rails[id.rail()];
        return rail != null && rail.id.equals(id) && rail.state == state ? rail : null;
    }

    /** The queue pair of a rail that is up, or null. */
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

    /** How many are up. Any thread may ask. */
    int count() {
        return count;
    }

    /** Of the keys: those of another version are of other queue pairs. */
    int version() {
        return version;
    }

    /** Old keys are worthless. */
    void change() {
        version++;
    }

    /** Bytes may go by a rail. */
    void up(Rail rail) {
        rail.state = Rail.State.UP;
        rail.lane.posts().connected();
        recount();
        link.activate();
    }

    /** Has the queue pair of a rail complete what is under way, and closed afterwards. */
    void fail(Rail rail) {
        failNow(rail);
        rail.failingSince = System.nanoTime();
        link.transfers.addClosingRails(link);
    }

    /** The same, where the connection is closed with it. */
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
