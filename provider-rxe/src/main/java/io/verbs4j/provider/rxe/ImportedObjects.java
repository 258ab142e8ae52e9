/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe;

import io.verbs4j.AccessFlags;
import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.ExportedFd;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.VerbsException;
import io.verbs4j.provider.rxe.memory.Domains;
import io.verbs4j.provider.rxe.memory.ExportTable.Entry;
import io.verbs4j.provider.rxe.memory.ExportTable.Kind;
import io.verbs4j.provider.rxe.memory.ForeignMemory;
import io.verbs4j.provider.rxe.memory.MemoryKeys;
import io.verbs4j.provider.rxe.memory.RxeDm;
import io.verbs4j.provider.rxe.memory.RxeMr;
import io.verbs4j.provider.rxe.memory.RxeProtectionDomain;
import io.verbs4j.provider.rxe.port.Port;
import io.verbs4j.provider.rxe.share.ImportedProcess;
import io.verbs4j.provider.rxe.share.SystemUse;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;

/**
 * The objects that contexts of this process have imported from another process. All contexts that were opened with
 * descriptors of the same file share one instance; it ends when the last of them closes.
 */
final class ImportedObjects {
    /** Access rights that an imported region keeps. The others require memory of this process. */
    private static final int RIGHTS = AccessFlags.LOCAL_WRITE
            | AccessFlags.REMOTE_WRITE
            | AccessFlags.REMOTE_READ
            | AccessFlags.FLUSH_GLOBAL
            | AccessFlags.ZERO_BASED;

    /** All instances of this process. Also the lock for their context counts. */
    private static final Map<Place, ImportedObjects> ALL = new HashMap<>();

    /** Identifies an instance: the exporter's file and the device's port. */
    private record Place(Object file, Port port) {}

    /** An imported object and its number of handles. */
    private static final class Counted<T> {
        final T object;
        final int number;
        final ForeignMemory memory;
        int handles;

        Counted(T object, int number, ForeignMemory memory) {
            this.object = object;
            this.number = number;
            this.memory = memory;
        }
    }

    private final Place place;
    private final ImportedProcess process;
    private final MemoryKeys keys;
    private int contexts;

    // Guarded by this.
    private final Map<Integer, Counted<ProtectionDomain>> domains = new HashMap<>();
    private final Map<Integer, Counted<RxeMr>> regions = new HashMap<>();
    private final IdentityHashMap<Object, Counted<?>> byObject = new IdentityHashMap<>();

    private ImportedObjects(Place place, ImportedProcess process, MemoryKeys keys) {
        this.place = place;
        this.process = process;
        this.keys = keys;
    }

    /**
     * Returns the instance for another context. Throws if the descriptor is not an exported one, or if importing from
     * its process fails.
     */
    static ImportedObjects join(Object file, int fd, Context context, Port port) {
        Place place = new Place(file, port);
        synchronized (ALL) {
            ImportedObjects found = ALL.get(place);
            if (found == null) {
                SystemUse system = port.systemUse("open_device");
                ImportedProcess process = null;
                try {
                    process = ImportedProcess.open(system, fd, context.device().name());
                } finally {
                    if (process == null) {
                        system.close();
                    }
                }
                found = new ImportedObjects(place, process, port.keys());
                ALL.put(place, found);
            } else {
                found.process.requireOwner("open_device");
            }
            found.contexts++;
            return found;
        }
    }

    /** Drops a context; the last one closes the instance. */
    void leave() {
        synchronized (ALL) {
            contexts--;
            if (contexts == 0) {
                ALL.remove(place);
                process.close();
            }
        }
    }

    ExportedFd newDescriptor() {
        return process.newDescriptor();
    }

    /** Returns the number of an imported object, or 0 for any other object. */
    synchronized int number(Object object) {
        Counted<?> found = byObject.get(object);
        return found == null ? 0 : found.number;
    }

    /** Returns the local counterpart of the other process's domain, and counts one more handle. */
    synchronized ProtectionDomain importDomain(Context context, int number) {
        String verb = "import_pd";
        ImportedProcess.Found found = process.find(verb, number, Kind.DOMAIN);
        if (!process.hold(verb, found)) {
            throw ImportedProcess.notFound(verb, number, Kind.DOMAIN);
        }
        Counted<ProtectionDomain> domain = domains.computeIfAbsent(
                number, n -> new Counted<>(new RxeProtectionDomain(context), n, found.memory()));
        domain.handles++;
        byObject.put(domain.object, domain);
        return domain.object;
    }

    /** Drops a handle of a domain. */
    synchronized void releaseDomain(ProtectionDomain pd) {
        Counted<ProtectionDomain> domain = domains.get(number(Domains.root(pd)));
        process.release(domain.number);
        if (--domain.handles == 0) {
            domains.remove(domain.number);
            byObject.remove(domain.object);
        }
    }

    /** Returns the local counterpart of the other process's region, and counts one more handle. */
    synchronized RxeMr importRegion(ProtectionDomain pd, int number) {
        String verb = "import_mr";
        ImportedProcess.Found found = process.find(verb, number, Kind.REGION);
        ProtectionDomain root = Domains.root(pd);
        if (found.entry().domain() != number(root)) {
            throw new VerbsException(
                    Errno.EINVAL,
                    verb,
                    "the region of handle " + number + " belongs to another domain; import that domain");
        }
        Counted<RxeMr> region = regions.get(number);
        if (region == null || !region.memory.isValid()) { // the owner has changed it
            region = new Counted<>(make(verb, root, found), number, found.memory());
            regions.put(number, region);
            byObject.put(region.object, region);
        }
        region.handles++;
        return region.object;
    }

    private RxeMr make(String verb, ProtectionDomain pd, ImportedProcess.Found found) {
        Entry entry = found.entry();
        RxeMr made = RxeMr.imported(keys, pd, found.memory(), entry, entry.access() & RIGHTS);
        if (made == null) {
            throw new VerbsException(
                    Errno.EEXIST,
                    verb,
                    "a region imported from a third process already has this key; the owner must register it again");
        }
        return made;
    }

    /** Drops a handle of a region; the last one deregisters it. */
    synchronized void releaseRegion(RxeMr mr) {
        Counted<?> region = byObject.get(mr);
        if (--region.handles == 0) {
            byObject.remove(mr);
            regions.remove(region.number, region);
            mr.deregister();
        }
    }

    /** Imports device memory of the other process. */
    synchronized RxeDm importDeviceMemory(int number, long length) {
        String verb = "import_dm";
        ImportedProcess.Found found = process.find(verb, number, Kind.DEVICE_MEMORY);
        long all = found.entry().length();
        if (all < 1 || all > RxeDm.MOST) {
            throw ImportedProcess.notFound(verb, number, Kind.DEVICE_MEMORY);
        }
        if (length > all) {
            throw new VerbsException(
                    Errno.EINVAL, verb, "length is " + length + ", but the memory has " + all + " bytes");
        }
        RxeDm made = new RxeDm(process.deviceMemory(found), (int) all);
        byObject.put(made, new Counted<>(made, number, found.memory()));
        return made;
    }

    /** Forgets imported device memory. */
    synchronized void releaseDeviceMemory(RxeDm memory) {
        byObject.remove(memory);
    }
}
