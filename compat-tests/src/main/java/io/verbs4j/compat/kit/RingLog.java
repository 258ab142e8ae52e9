/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import io.verbs4j.MemoryRegion;
import io.verbs4j.ParentDomain;
import io.verbs4j.RingAllocator;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** An allocator that records what it was asked. It allocates from a registered region, which gives it the address. */
final class RingLog implements RingAllocator {
    private final MemoryRegion arena;
    private long used;

    /** The requests, in order. */
    final List<String> asked = new ArrayList<>();

    /** What was allocated and not freed, with its purpose. */
    final Map<Long, Long> given = new HashMap<>();

    /** Violations of the contract by calls. */
    final List<String> wrong = new ArrayList<>();

    /** The result of all calls, if not null. */
    Long answer;

    /** Thrown by all calls, if not null. */
    RuntimeException thrown;

    /** What calls must pass. */
    ParentDomain pd;

    Object pdContext;
    private final Thread thread = Thread.currentThread();

    RingLog(MemoryRegion arena) {
        this.arena = arena;
    }

    private void look(String call, ParentDomain domain, Object object) {
        if (domain != pd || object != pdContext) {
            wrong.add(call + " with another domain or another program object");
        }
        if (Thread.currentThread() != thread) {
            wrong.add(call + " in another thread than the one that creates and destroys");
        }
    }

    @Override
    public long alloc(ParentDomain domain, Object object, long size, long alignment, long resourceType) {
        asked.add(size + " bytes, aligned to " + alignment + ", for " + resourceType);
        look("alloc", domain, object);
        if (size <= 0 || alignment <= 0 || (alignment & alignment - 1) != 0) {
            wrong.add("alloc of " + size + " bytes aligned to " + alignment);
        }
        if (thrown != null) {
            throw thrown;
        }
        if (answer != null) {
            return answer;
        }
        long first = arena.addr() + used;
        long addr = first + (-first & alignment - 1);
        if (addr + size > arena.addr() + arena.length()) {
            return USE_DEFAULT;
        }
        used = addr + size - arena.addr();
        given.put(addr, resourceType);
        return addr;
    }

    @Override
    public void free(ParentDomain domain, Object object, long addr, long resourceType) {
        look("free", domain, object);
        Long type = given.remove(addr);
        if (type == null || type != resourceType) {
            wrong.add("free of an address that was not allocated, or for another resource: " + addr + " for "
                    + resourceType);
        }
    }
}
