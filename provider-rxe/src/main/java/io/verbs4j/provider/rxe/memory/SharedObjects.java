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
 * The objects shared by contexts of this process that were imported from one another, by the numbers that programs pass
 * on. An object gets a number when a program asks for one. Once a program creates a descriptor, the objects are also
 * published to other processes. Ends with the last of the contexts.
 */
public final class SharedObjects {
    /** The instances that have a descriptor, of all devices of this process, by the descriptor's file. */
    private static final Map<Object, SharedObjects> BY_FILE = new ConcurrentHashMap<>();

    private final Object device;
    private final Map<Integer, Object> objects = new HashMap<>();
    private final IdentityHashMap<Object, Integer> numbers = new IdentityHashMap<>();

    /** Number of handles that other contexts have of a domain. */
    private final IdentityHashMap<ProtectionDomain, Integer> imports = new IdentityHashMap<>();

    private int contexts = 1;
    private int last;

    /** Publishes the objects to other processes; null until there is a descriptor. */
    private ExportTable table;

    private Object file;

    /** Creates the objects of a context that was not imported. */
    public SharedObjects(Object device) {
        this.device = device;
    }

    /** Joins one more context to those of a descriptor's file; returns null if this device has none in this process. */
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

    /** Removes a context that closes. */
    public synchronized void leave() {
        contexts--;
        if (contexts == 0 && table != null) {
            BY_FILE.remove(file);
            table.close();
            table = null;
        }
    }

    /** A new table, and the key by which its descriptors are known. */
    public record NewTable(ExportTable table, Object file) {}

    /**
     * Creates a descriptor of the shared objects.
     *
     * @param maker creates the table if there is none yet
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

    /** Returns the number of an object, from 1; assigns one if it has none. */
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

    /** Publishes an object again after a change, if it has a number. */
    public synchronized void changed(Object object) {
        if (numbers.containsKey(object)) {
            publish(object);
        }
    }

    /** Publishes an object to other processes, if there is a descriptor. */
    private void publish(Object object) {
        if (table == null) {
            return;
        }
        int number = numbers.get(object);
        if (object instanceof RxeMr mr) {
            mr.export(table, number, number(Domains.root(mr.pd())));
        } else if (object instanceof RxeDm dm) {
            dm.export(table, number);
        } else {
            table.put(number, ExportTable.Entry.ofDomain());
        }
    }

    /** Returns the object with this number; throws if there is none of this type. */
    public synchronized <T> T find(String verb, int number, Class<T> type, String what) {
        Object found = objects.get(number);
        if (!type.isInstance(found)) {
            throw new VerbsException(
                    Errno.EINVAL,
                    verb,
                    "handle " + number + " does not name a " + what
                            + " of a context that shares a descriptor with this one; pass what exportHandle()"
                            + " returned");
        }
        return type.cast(found);
    }

    /** Removes an object that has ended. */
    public synchronized void remove(Object object) {
        Integer number = numbers.remove(object);
        if (number != null) {
            objects.remove(number);
        }
    }

    /** Counts a handle of a domain in another context, until {@link #release}. */
    public synchronized ProtectionDomain importDomain(String verb, int number) {
        ProtectionDomain pd = find(verb, number, ProtectionDomain.class, "protection domain");
        imports.merge(pd, 1, Integer::sum);
        return pd;
    }

    /** Uncounts a handle of a domain. */
    public synchronized void release(ProtectionDomain pd) {
        imports.computeIfPresent(Domains.root(pd), (domain, count) -> count == 1 ? null : count - 1);
    }

    /** Removes a domain that ends; throws if other contexts have handles of it. */
    public synchronized void end(ProtectionDomain pd) {
        Integer handles = imports.get(pd);
        if (handles != null) {
            throw new VerbsException(
                    Errno.EBUSY,
                    "dealloc_pd",
                    "the domain is imported " + handles + " time(s) by other contexts; close those handles first");
        }
        if (table != null && numbers.containsKey(pd)) {
            table.end("dealloc_pd", numbers.get(pd));
        }
        remove(pd);
    }
}
