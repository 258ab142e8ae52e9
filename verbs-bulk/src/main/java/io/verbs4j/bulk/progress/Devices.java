/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.progress;

import io.verbs4j.Context;
import io.verbs4j.bulk.transfer.DeviceCheck;
import io.verbs4j.bulk.transfer.DeviceLoad;
import io.verbs4j.bulk.transfer.Link;
import io.verbs4j.bulk.transfer.LinkTable;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;

/**
 * The devices of an endpoint. Notices that one is lost: by its event, or where it refuses something and does not answer
 * any more. Then its connections are lost at once, and another device may take its place.
 */
public final class Devices implements DeviceCheck, AutoCloseable {
    private static final System.Logger LOG = System.getLogger("io.verbs4j.bulk");

    /** Memory of the endpoint, as devices know it. */
    public interface Memory {
        /** A device is lost: takes from it what was registered. */
        void lose(int index);
    }

    private final List<Adapter> adapters = new CopyOnWriteArrayList<>();
    private final Map<Adapter, AutoCloseable> watches = new IdentityHashMap<>();

    /** Complete when the endpoint has no memory and no listener at a lost device any more. */
    private final Map<Adapter, CompletableFuture<Void>> lost = new IdentityHashMap<>();

    private final LinkTable links;
    private final LinkEvents events;
    private final Executor executor;
    private final Memory memory;
    private final Acceptors acceptors;
    private Engine engine;

    /**
     * Those of an endpoint, none yet.
     *
     * @param executor takes from lost devices what they have, which may block
     */
    public Devices(LinkTable links, LinkEvents events, Memory memory, Executor executor) {
        this.links = links;
        this.events = events;
        this.memory = memory;
        this.executor = executor;
        acceptors = new Acceptors(this);
    }

    /** All, in the order of the endpoint; also those that are lost and were not replaced. Any thread may read it. */
    public List<Adapter> all() {
        return adapters;
    }

    /** Those that are not lost. */
    public List<Adapter> live() {
        return adapters.stream().filter(adapter -> !adapter.isLost()).toList();
    }

    /** The listeners of the endpoint. */
    public Acceptors acceptors() {
        return acceptors;
    }

    /** Adds a device, before the endpoint is used. */
    public void add(Adapter adapter) {
        adapters.add(adapter);
    }

    /** Sets the engine that runs the connections, and begins to look after the devices. */
    public void engine(Engine value) {
        engine = value;
        engine.transfers().devices(this);
        adapters.forEach(this::watch);
    }

    private void watch(Adapter adapter) {
        adapter.whenLost(() -> lost(adapter));
        AutoCloseable watch = DeviceEvents.onLoss(adapter.context(), () -> lost(adapter));
        synchronized (watches) {
            watches.put(adapter, watch);
        }
    }

    private void unwatch(Adapter adapter) {
        AutoCloseable watch;
        synchronized (watches) {
            watch = watches.remove(adapter);
        }
        try {
            if (watch != null) {
                watch.close();
            }
        } catch (Exception e) {
            LOG.log(System.Logger.Level.DEBUG, "events of a lost device", e);
        }
    }

    /** The device of a context, or null. */
    public Adapter find(Context context) {
        return adapters.stream()
                .filter(adapter -> adapter.context() == context)
                .findFirst()
                .orElse(null);
    }

    /** A device is lost. Any thread may say so. */
    private void lost(Adapter adapter) {
        adapter.load().lose();
        engine.execute(() -> lose(adapter));
    }

    @Override
    public boolean isLost(DeviceLoad load, int errno) {
        for (Adapter adapter : adapters) {
            if (adapter.load() == load && adapter.isLost(errno)) {
                lose(adapter);
                return true;
            }
        }
        return load.isLost();
    }

    /** Looks whether devices are lost, by the thread that drives. Returns whether one is that was not known to be. */
    boolean check() {
        boolean any = false;
        for (Adapter adapter : adapters) {
            if (!lost.containsKey(adapter) && (adapter.isLost() || adapter.isDead())) {
                lose(adapter);
                any = true;
            }
        }
        return any;
    }

    /**
     * Its connections are lost with a device; by the thread that drives.
     *
     * @return complete when the endpoint has no memory and no listener there any more
     */
    public CompletableFuture<Void> lose(Adapter adapter) {
        CompletableFuture<Void> before = lost.get(adapter);
        if (before != null) {
            return before;
        }
        CompletableFuture<Void> released = new CompletableFuture<>();
        lost.put(adapter, released);
        LOG.log(System.Logger.Level.WARNING, adapter.context().device() + " is lost");
        adapter.load().lose();
        changed();
        for (Link link : links.all()) {
            if (link.isOf(adapter.load())) {
                link.deviceLost();
            } else {
                link.rails().fail(adapter.load());
            }
        }
        events.deviceLost(adapter.context());
        executor.execute(() -> release(adapter, released));
        return released;
    }

    private void release(Adapter adapter, CompletableFuture<Void> released) {
        try {
            unwatch(adapter);
            acceptors.lose(adapter);
            memory.lose(adapter.index());
            adapter.unuse();
        } finally {
            released.complete(null);
        }
    }

    private void changed() {
        engine.devicesChanged();
        engine.transfers().deviceless(live().isEmpty());
    }

    /** Puts a device in the place of a lost one, which has left everything; by any thread. */
    public void replace(Adapter adapter) {
        adapters.set(adapter.index(), adapter);
    }

    /** A device has taken the place of a lost one; by the thread that drives. */
    public void replaced(Adapter gone, Adapter adapter) {
        lost.remove(gone);
        watch(adapter);
        changed();
    }

    @Override
    public void close() {
        adapters.forEach(this::unwatch);
        acceptors.close();
    }
}
