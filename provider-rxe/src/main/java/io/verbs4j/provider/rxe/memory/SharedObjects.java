/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.memory;

import io.verbs4j.Errno;
import io.verbs4j.ExportedFd;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.VerbsException;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * What contexts of this process share that were imported from one another: their objects by the numbers that programs pass on. Objects get
 * a number when a program asks for one. When a program makes a descriptor, other processes are told of them, too. Ends with the last of the
 * contexts.
 */
public final class SharedObjects {
    /** Those that have a descriptor, of all devices of this process, by the file that it is of. */
    private static final Map<Object, SharedObjects> BY_FILE = new ConcurrentHashMap<>();

    private final Object device;
    private final Map<Integer, Object> objects = new HashMap<>();
    private final IdentityHashMap<Object, Integer> numbers = new IdentityHashMap<>();

    /** How many handles other contexts have of a domain. */
    private final IdentityHashMap<ProtectionDomain, Integer> imports = new IdentityHashMap<>();

    private int contexts = 1;
    private int last;

    /** Tells other processes; null until there is a descriptor. */
    private ExportTable table;

    private Object file;

    /** Of a context that was not imported. */
    public SharedObjects(Object device) {
        this.device = device;
    }

    /** Those of a descriptor's file, for one more context; null where there are none of that device in this process. */
    public static SharedObjects join(Object file, Object device) {
        SharedObjects found = BY_FILE.get(file);
        return found != null && found.device == device && found.enter() ? found : null;
    }

    private synchronized boolean enter() {
        if (contexts == 0) {
            return false;
        }
        contexts++;
        return true;
    }

    /** A context closes. */
    public synchronized void leave() {
        contexts--;
        if (contexts == 0 && table != null) {
            BY_FILE.remove(file);
            table.close();
            table = null;
        }
    }

    /** A table that is new, and by what its descriptors are known. */
    public record NewTable(ExportTable table, Object file) {}

    /**
     * A new descriptor of what is shared.
     *
     * @param maker makes the table where there is none
     */
    public synchronized ExportedFd newDescriptor(Supplier<NewTable> maker) {
        if (table == null) {
            NewTable made = maker.get();
            table = made.table();
            file = made.file();
            BY_FILE.put(file, this);
            List.copyOf(numbers.keySet()).forEach(this::publish);
        }
        return table.newDescriptor();
    }

    /** The number of an object, from 1. */
    public synchronized int number(Object object) {
        Integer number = numbers.get(object);
        if (number == null) {
            number = ++last;
            numbers.put(object, number);
            objects.put(number, object);
        }
        publish(object);
        return number;
    }

    /** An object that has a number, if it has one, is another one now. */
    public synchronized void changed(Object object) {
        if (numbers.containsKey(object)) {
            publish(object);
        }
    }

    /** Tells other processes of an object, if there is a descriptor. */
    private void publish(Object object) {
        if (table == null) {
            return;
        }
        int number = numbers.get(object);
        if (object instanceof RxeMemoryRegion mr) {
            mr.export(table, number, number(Domains.root(mr.pd())));
        } else if (object instanceof RxeDeviceMemory dm) {
            dm.export(table, number);
        } else {
            table.put(number, ExportTable.Entry.ofDomain());
        }
    }

    /** The object of a number. */
    public synchronized <T> T find(String verb, int number, Class<T> type, String what) {
        Object found = objects.get(number);
        if (!type.isInstance(found)) {
            throw new VerbsException(
                    Errno.EINVAL,
                    verb,
                    "handle " + number + " is not that of a " + what
                            + " of a context that shares a descriptor with this one; pass what exportHandle() returned");
        }
        return type.cast(found);
    }

    /** An object has ended. */
    public synchronized void remove(Object object) {
        Integer number = numbers.remove(object);
        if (number != null) {
            objects.remove(number);
        }
    }

    /** Counts a handle of a domain that another context is to have, until {@link #release}. */
    public synchronized ProtectionDomain importDomain(String verb, int number) {
        ProtectionDomain pd = find(verb, number, ProtectionDomain.class, "protection domain");
        imports.merge(pd, 1, Integer::sum);
        return pd;
    }

    /** A handle less. */
    public synchronized void release(ProtectionDomain pd) {
        imports.computeIfPresent(Domains.root(pd), (domain, count) -> count == 1 ? null : count - 1);
    }

    /** A domain ends; throws where other contexts have handles of it. */
    public synchronized void end(ProtectionDomain pd) {
        Integer handles = imports.get(pd);
        if (handles != null) {
            throw new VerbsException(
                    Errno.EBUSY,
                    "dealloc_pd",
                    "the domain is imported " + handles + " time(s) in other contexts; close those handles first");
        }
        if (table != null && numbers.containsKey(pd)) {
            table.end("dealloc_pd", numbers.get(pd));
        }
        remove(pd);
    }
}
