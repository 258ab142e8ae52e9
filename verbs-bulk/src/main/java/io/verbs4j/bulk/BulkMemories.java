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
import java.nio.ByteBuffer;
import java.util.List;

/** Registers memory with all devices of an endpoint. */
final class BulkMemories {
    private static final int ALL_RIGHTS = BulkWindow.READ | BulkWindow.WRITE;

    private final List<Adapter> adapters;
    private final MemoryTable table;

    BulkMemories(List<Adapter> adapters, MemoryTable table) {
        this.adapters = adapters;
        this.table = table;
    }

    RegisteredMemory register(ByteBuffer bytes) {
        ByteBuffer memory = bytes.slice();
        int access = AccessFlags.REMOTE_READ | (bytes.isReadOnly() ? 0 : AccessFlags.LOCAL_WRITE);
        RegisteredMemory registered = new RegisteredMemory(table.reserve(), memory, regions(memory, access));
        table.add(registered);
        return registered;
    }

    private MemoryRegion[] regions(ByteBuffer memory, int access) {
        MemoryRegion[] regions = new MemoryRegion[adapters.size()];
        boolean done = false;
        try {
            for (int i = 0; i < regions.length; i++) {
                Adapter adapter = adapters.get(i);
                regions[i] = adapter.pd().regMr(memory, adapter.access(access));
            }
            done = true;
            return regions;
        } finally {
            for (int i = 0; !done && i < regions.length && regions[i] != null; i++) {
                regions[i].close();
            }
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
            throw refused(Errno.EINVAL, "buffer " + memory.index() + " is read-only; give the right to READ alone");
        }
        int access = (writes ? AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE : 0)
                | ((rights & BulkWindow.READ) != 0 ? AccessFlags.REMOTE_READ : 0);
        ByteBuffer part = memory.bytes().slice((int) offset, (int) length);
        return new LocalWindow(id, memory, offset, regions(part, access), rights);
    }

    private static VerbsException refused(int errno, String message) {
        return new VerbsException(errno, "bulk_window", message);
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
