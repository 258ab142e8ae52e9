/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.progress;

import io.verbs4j.Context;
import io.verbs4j.bulk.transfer.DeviceCheck;
import io.verbs4j.bulk.transfer.DeviceLoad;
import io.verbs4j.bulk.transfer.Link;
import io.verbs4j.bulk.transfer.LinkTable;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * The devices of an endpoint. Detects a lost device by its event, or when it refuses an operation and no longer
 * answers. Its connections are then lost immediately, and another device may replace it.
 */
public final class Devices implements DeviceCheck, AutoCloseable {
    private static final System.Logger LOG = System.getLogger("io.verbs4j.bulk");

    /** Creates an endpoint's adapters. */
    @FunctionalInterface
    public interface Maker {
        /** Creates the adapter of a device that can be used, with its index in the endpoint. */
        Adapter make(Context context, int index);
    }

    /** Memory of the endpoint that is registered with devices. */
    public interface Memory {
        /** Drops the registrations with a lost device. */
        void lose(int index);
    }

    private final List<Adapter> adapters = new CopyOnWriteArrayList<>();
    private final Map<Adapter, AutoCloseable> watches = new HashMap<>();

    /** Devices known to be lost; for the driving thread. */
    private final Set<Adapter> lost = Collections.newSetFromMap(new WeakHashMap<>());

    /** Indices in use, including that of a lost device until it has left. */
    private final BitSet indices = new BitSet();

    /** Adapters that are not closed. */
    private final Set<Adapter> open = new HashSet<>();

    private final Maker maker;
    private final LinkTable links;
    private final LinkEvents events;
    private final Executor executor;
    private final Memory memory;
    private final Acceptors acceptors;
    private Engine engine;

    /**
     * Creates an empty set of devices for an endpoint.
     *
     * @param maker creates the adapter of a context with an index
     * @param executor releases resources on lost devices, which may block
     */
    public Devices(Maker maker, LinkTable links, LinkEvents events, Memory memory, Executor executor) {
        this.maker = maker;
        this.links = links;
        this.events = events;
        this.memory = memory;
        this.executor = executor;
        acceptors = new Acceptors(this);
    }

    /**
     * All devices, in the order of the endpoint, including lost ones that were not replaced. Any thread may read it.
     */
    public List<Adapter> all() {
        return adapters;
    }

    /** Devices that are not lost. */
    public List<Adapter> live() {
        return adapters.stream().filter(adapter -> !adapter.isLost()).toList();
    }

    /** The listeners of the endpoint. */
    public Acceptors acceptors() {
        return acceptors;
    }

    /** Adds a device, before the endpoint is used. */
    public void add(Context context) {
        adapters.add(make(context));
    }

    /** Creates an adapter of a device, which is not used before {@link #replace}. */
    public Adapter make(Context context) {
        synchronized (open) {
            int index = indices.nextClearBit(0);
            Adapter adapter = maker.make(context, index);
            indices.set(index);
            open.add(adapter);
            return adapter;
        }
    }

    /** Sets the engine that runs the connections, and starts to watch the devices. */
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
            LOG.log(System.Logger.Level.DEBUG, "closing the events of a lost device failed", e);
        }
    }

    /** Returns the device of a context, or null. */
    public Adapter find(Context context) {
        return adapters.stream()
                .filter(adapter -> adapter.context() == context)
                .findFirst()
                .orElse(null);
    }

    /** Marks a device as lost. Any thread may call it. */
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

    /** Checks for lost devices; by the driving thread. Returns whether it found a new one. */
    boolean check() {
        boolean any = false;
        for (Adapter adapter : adapters) {
            if (!lost.contains(adapter) && (adapter.isLost() || adapter.isDead())) {
                lose(adapter);
                any = true;
            }
        }
        return any;
    }

    /** Loses a device and its connections; by the driving thread. */
    public void lose(Adapter adapter) {
        if (!lost.add(adapter)) {
            return;
        }
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
        execute(() -> {
            unwatch(adapter);
            acceptors.lose(adapter);
        });
        adapter.release(() -> execute(() -> leave(adapter)));
    }

    /** Deregisters the memory when no queue pair needs it any more. */
    private void leave(Adapter adapter) {
        memory.lose(adapter.index());
        discard(adapter);
    }

    /** Closes a device that is not in use and frees its index. */
    public void discard(Adapter adapter) {
        synchronized (open) {
            open.remove(adapter);
            indices.clear(adapter.index());
        }
        adapter.close();
    }

    private void execute(Runnable task) {
        try {
            executor.execute(task);
        } catch (RejectedExecutionException e) {
            LOG.log(System.Logger.Level.DEBUG, "the endpoint is closed, and closes everything", e);
        }
    }

    private void changed() {
        engine.devicesChanged();
        engine.transfers().deviceless(live().isEmpty());
    }

    /** Replaces a lost device; by any thread. */
    public void replace(Adapter gone, Adapter adapter) {
        adapters.set(adapters.indexOf(gone), adapter);
    }

    /** Starts to use a device that replaces a lost one; by the driving thread. */
    public void replaced(Adapter adapter) {
        watch(adapter);
        changed();
    }

    @Override
    public void close() {
        adapters.forEach(this::unwatch);
        acceptors.close();
        List<Adapter> all;
        synchronized (open) {
            all = List.copyOf(open);
        }
        all.forEach(this::discard);
    }
}
