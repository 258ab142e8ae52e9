/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import io.verbs4j.bulk.control.ControlKind;
import io.verbs4j.bulk.control.Hello;

/** Makes queue pairs fail, like a device that has lost its peer. */
public final class Breaker {
    private Breaker() {}

    /** Moves the queue pair of a connection to state ERR, without any report. */
    public static void breakQueuePair(Link link) {
        link.posts().fail();
    }

    /** Moves the queue pair of a rail to state ERR, if it is up. Returns whether it was. */
    public static boolean breakRail(Link link, int rail) {
        RailLane lane = link.rails.lane(rail);
        if (lane != null) {
            lane.posts().fail();
        }
        return lane != null;
    }

    /** Number of requests that were posted to a rail; 0 if it is not up. */
    public static int railRequests(Link link, int rail) {
        RailLane lane = link.rails.lane(rail);
        return lane == null ? 0 : lane.posted.next();
    }

    /** Makes the owner of windows believe that the peer knows none. */
    public static void forgetWindows(Link link) {
        link.transfers.windows.forget(link.id());
    }

    /** Turns the connection's peer into one of an older release, which can't move to another device. */
    public static void makeOld(Link link) {
        link.recovery().met(new Hello(Hello.VERSION, 16, 1, 7, 0, 0, 64, 0).recovering(1, 0));
    }

    /** Whether the connection has a queue pair and is up. */
    public static boolean isUp(Link link) {
        return link.state().isUp();
    }

    /**
     * Posts messages without new content, the last of which has a completion. The connection does not notice meanwhile
     * that its peer is gone.
     */
    public static void post(Link link) {
        boolean last = false;
        while (!last) {
            last = link.posted.mustSignal();
            link.message(ControlKind.CREDIT, 0, 0);
            boolean unused = link.transfers.advance();
        }
    }
}
