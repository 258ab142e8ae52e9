/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.progress;

import io.verbs4j.CompletionChannel;
import io.verbs4j.VerbsException;
import io.verbs4j.bulk.ring.EngineSide;
import io.verbs4j.bulk.transfer.LinkEnd;
import io.verbs4j.bulk.transfer.LinkTable;
import io.verbs4j.bulk.transfer.Submitter;
import io.verbs4j.bulk.transfer.Transfers;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** Takes submissions, polls completions and advances transfers. Driven by one thread at a time. */
public final class Engine {
    private static final int TAKEN_AT_A_TIME = 64;
    private static final long LONGEST_SLEEP = TimeUnit.SECONDS.toNanos(1);
    private static final long ENDING_SLEEP = TimeUnit.MILLISECONDS.toNanos(1);

    /** Initial and maximum sleep of an idle engine that must poll for something without an event. */
    private static final long FIRST_NAP = TimeUnit.MICROSECONDS.toNanos(50);

    private static final long LONGEST_NAP = TimeUnit.MILLISECONDS.toNanos(1);

    private final List<Adapter> adapters;
    private final LinkTable links;
    private final Transfers transfers;
    private final LinkEnd linkEnd;
    private final List<Submitter> rings = new CopyOnWriteArrayList<>();
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final Devices devices;
    private final boolean parks;
    private volatile Sleeper sleeper;

    /** Whether a device has no completion events. */
    private boolean silent;

    private long nap = FIRST_NAP;

    /**
     * Creates an engine.
     *
     * @param linkEnd handles the end of connections
     * @param parks whether the driving thread sleeps by parking, because it may be virtual
     */
    public Engine(Devices devices, LinkTable links, Transfers transfers, LinkEnd linkEnd, boolean parks) {
        this.devices = devices;
        this.parks = parks;
        adapters = devices.all();
        this.links = links;
        this.transfers = transfers;
        this.linkEnd = linkEnd;
        devicesChanged();
    }

    /** Called when a device is lost or replaced; by the driving thread. */
    void devicesChanged() {
        List<Adapter> live = devices.live();
        List<CompletionChannel> channels =
                live.stream().map(Adapter::channel).filter(Objects::nonNull).toList();
        silent = channels.size() < live.size();
        Sleeper before = sleeper;
        sleeper = parks || channels.size() != 1 ? new ParkSleeper(channels) : new ChannelSleeper(channels.get(0));
        if (before != null) {
            sleeper.wake(); // the old one may have been woken
        }
    }

    public Transfers transfers() {
        return transfers;
    }

    /** Runs a task in the driving thread. Any thread may call it. */
    public void execute(Runnable task) {
        tasks.add(task);
        sleeper.wake();
    }

    /** Wakes the driving thread. Any thread may call it. */
    public void wake() {
        sleeper.wake();
    }

    /** Adds a ring; by the driving thread. */
    public Submitter addRing(EngineSide side) {
        Submitter ring = transfers.addRing(side);
        rings.add(ring);
        return ring;
    }

    /**
     * Does all work that is due.
     *
     * @return whether there was any
     */
    public boolean turn() {
        boolean any = runTasks();
        any |= takeSubmissions();
        any |= transfers.startReady();
        for (int i = 0; i < adapters.size(); i++) {
            any |= adapters.get(i).poll(links, devices);
        }
        any |= transfers.poll();
        any |= transfers.startReady();
        any |= transfers.advance();
        if (transfers.hasDeadlines()) {
            any |= transfers.expire(System.nanoTime());
        }
        if (transfers.isRecovering()) {
            any |= transfers.expireRecoveries(System.nanoTime());
        }
        if (transfers.waitsForRails()) {
            any |= transfers.expireRails(System.nanoTime());
        }
        if (transfers.isEnding()) {
            any |= transfers.endLinks(System.nanoTime(), linkEnd);
        }
        for (int i = 0; i < rings.size(); i++) {
            rings.get(i).side().signal();
        }
        if (any) {
            nap = FIRST_NAP;
        }
        return any;
    }

    boolean runTasks() {
        boolean any = false;
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
            any = true;
        }
        return any;
    }

    private boolean takeSubmissions() {
        boolean any = false;
        for (int i = 0; i < rings.size(); i++) {
            Submitter ring = rings.get(i);
            any |= ring.side().writeBacklog();
            if (ring.side().hasSubmissions()) {
                long now = System.nanoTime();
                int taken = 0;
                while (taken < TAKEN_AT_A_TIME && ring.take(now)) {
                    taken++;
                }
                any |= taken > 0;
            }
        }
        return any;
    }

    /** Whether there is work that no event announces, so that the thread must not sleep. */
    boolean isBusy() {
        return transfers.isBusy() || !tasks.isEmpty();
    }

    /** Sleeps until there is work, at most {@code most} nanoseconds. */
    public void sleep(long most) {
        for (int i = 0; i < rings.size(); i++) {
            rings.get(i).side().needWakeup(true);
        }
        for (int i = 0; i < adapters.size(); i++) {
            adapters.get(i).arm(devices);
        }
        if (!turn() && !isBusy()) { // arrived before the queues were armed
            long nanos = transfers.untilDeadline(System.nanoTime(), Math.min(most, longestSleep()));
            doze(transfers.isEnding() ? Math.min(nanos, ENDING_SLEEP) : nanos);
        }
        for (int i = 0; i < rings.size(); i++) {
            rings.get(i).side().needWakeup(false);
        }
    }

    private void doze(long nanos) {
        try {
            sleeper.sleep(nanos);
        } catch (VerbsException e) {
            if (!DeviceEvents.isOfLostDevice(e.errno()) || !devices.check()) {
                throw e;
            }
        }
    }

    private long longestSleep() {
        if (!transfers.isPolled() && (!silent || links.isEmpty())) {
            return LONGEST_SLEEP;
        }
        long now = nap;
        nap = Math.min(2 * nap, LONGEST_NAP);
        return now;
    }

    /** Whether there are no connections and no tasks. */
    boolean isEmpty() {
        return links.isEmpty() && tasks.isEmpty();
    }
}
