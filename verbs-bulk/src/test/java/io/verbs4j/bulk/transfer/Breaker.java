/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import io.verbs4j.bulk.control.ControlKind;
import io.verbs4j.bulk.control.Hello;

/** Has queue pairs fail, as a device does that has lost its peer. */
public final class Breaker {
    private Breaker() {}

    /** Moves the queue pair of a connection to state ERR; nothing else is told. */
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

    /** Requests that were posted to a rail which is up; 0 where it is not. */
    public static int railRequests(Link link, int rail) {
        RailLane lane = link.rails.lane(rail);
        return lane == null ? 0 : lane.posted.next();
    }

    /** Has the owner of windows believe that the peer knows none. */
    public static void forgetWindows(Link link) {
        link.transfers.windows.forget(link.id());
    }

    /** Has the connection's peer be one of an older release, which goes by one device alone. */
    public static void makeOld(Link link) {
        link.recovery().met(new Hello(Hello.VERSION, 16, 1, 7, 0, 0, 64, 0).recovering(1, 0));
    }

    /** Whether the connection has a queue pair and is up. */
    public static boolean isUp(Link link) {
        return link.state().isUp();
    }

    /**
     * Posts messages that say nothing new, the last of which has a completion. The connection does not notice meanwhile
     * that its peer has gone.
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
