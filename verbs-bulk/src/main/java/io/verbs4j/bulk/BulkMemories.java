/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk;

import io.verbs4j.AccessFlags;
import io.verbs4j.Errno;
import io.verbs4j.MemoryRegion;
import io.verbs4j.VerbsException;
import io.verbs4j.bulk.memory.LocalWindow;
import io.verbs4j.bulk.memory.MemoryTable;
import io.verbs4j.bulk.memory.RegisteredMemory;
import io.verbs4j.bulk.progress.Adapter;
import io.verbs4j.bulk.progress.Devices;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Registers memory with all devices of an endpoint that are not lost. */
final class BulkMemories implements Devices.Memory {
    private static final int ALL_RIGHTS = BulkWindow.READ | BulkWindow.WRITE;

    private final MemoryTable table;

    /** Windows that are not revoked. */
    private final Set<LocalWindow> windows = new HashSet<>();

    private List<Adapter> adapters = List.of();

    BulkMemories(MemoryTable table) {
        this.table = table;
    }

    /** Sets the devices of the endpoint; called before any memory is registered. */
    synchronized void devices(List<Adapter> value) {
        adapters = value;
    }

    synchronized RegisteredMemory register(ByteBuffer bytes) {
        ByteBuffer memory = bytes.slice();
        int access = AccessFlags.REMOTE_READ | (bytes.isReadOnly() ? 0 : AccessFlags.LOCAL_WRITE);
        RegisteredMemory registered = new RegisteredMemory(table.reserve(), memory, regions(memory, access));
        table.add(registered);
        return registered;
    }

    private MemoryRegion[] regions(ByteBuffer memory, int access) {
        int indices = adapters.stream().mapToInt(Adapter::index).max().orElse(0) + 1;
        MemoryRegion[] regions = new MemoryRegion[indices];
        boolean done = false;
        try {
            for (Adapter adapter : adapters) {
                regions[adapter.index()] = region(adapter, memory, access);
            }
            done = true;
            return regions;
        } finally {
            for (int i = 0; !done && i < regions.length; i++) {
                if (regions[i] != null) {
                    regions[i].close();
                }
            }
        }
    }

    /** Registers a region; returns null if the device is lost. */
    private static MemoryRegion region(Adapter adapter, ByteBuffer memory, int access) {
        if (adapter.isLost()) {
            return null;
        }
        try {
            return adapter.pd().regMr(memory, adapter.access(access));
        } catch (VerbsException e) {
            if (!adapter.isLost(e.errno())) {
                throw e;
            }
            return null;
        }
    }

    LocalWindow window(long id, RegisteredMemory memory, long offset, long length, int rights) {
        if (length < 1 || !memory.contains(offset, length)) {
            throw refused(
                    Errno.ERANGE,
                    length + " bytes at " + offset + " are not inside buffer " + memory.index() + " of "
                            + memory.length() + " bytes");
        }
        if (rights == 0 || (rights & ~ALL_RIGHTS) != 0) {
            throw refused(Errno.EINVAL, "rights are " + rights + "; they must be READ, WRITE or both");
        }
        boolean writes = (rights & BulkWindow.WRITE) != 0;
        if (writes && !memory.isWritable()) {
            throw refused(Errno.EINVAL, "buffer " + memory.index() + " is read-only; grant only READ");
        }
        ByteBuffer part = memory.bytes().slice((int) offset, (int) length);
        synchronized (this) {
            LocalWindow window =
                    new LocalWindow(id, memory, offset, length, regions(part, LocalWindow.access(rights)), rights);
            windows.add(window);
            var unused = window.revoked().whenComplete((nothing, failure) -> forget(window));
            return window;
        }
    }

    private static VerbsException refused(int errno, String message) {
        return new VerbsException(errno, "bulk_window", message);
    }

    /** Removes a window that is revoked or was never opened. */
    synchronized void forget(LocalWindow window) {
        windows.remove(window);
    }

    @Override
    public synchronized void lose(int index) {
        for (RegisteredMemory memory : table.all()) {
            if (memory != null) {
                memory.lose(index);
            }
        }
        windows.forEach(window -> window.lose(index));
    }

    /**
     * Registers all memory with a device that replaces a lost one. Concurrent registrations wait.
     *
     * @param next the next step, which may fail
     * @param last the last step, which must not fail
     */
    synchronized void renew(Adapter adapter, Runnable next, Runnable last) {
        for (RegisteredMemory memory : table.all()) {
            if (memory != null) {
                MemoryRegion region = adapter.pd().regMr(memory.bytes(), adapter.access(memory.access()));
                if (!memory.renew(adapter.index(), region)) {
                    region.close();
                }
            }
        }
        for (LocalWindow window : windows) {
            MemoryRegion region = adapter.pd().regMr(window.bytes(), adapter.access(window.access()));
            if (!window.renew(adapter.index(), region)) {
                region.close();
            }
        }
        next.run();
        last.run();
    }

    void close(RegisteredMemory memory) {
        if (table.remove(memory)) {
            memory.deregister();
        }
    }

    void closeAll() {
        for (RegisteredMemory memory : table.all()) {
            if (memory != null) {
                close(memory);
            }
        }
    }
}
