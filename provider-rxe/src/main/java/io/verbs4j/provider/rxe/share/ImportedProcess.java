/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.share;

import io.verbs4j.Errno;
import io.verbs4j.ExportedFd;
import io.verbs4j.VerbsException;
import io.verbs4j.natives.lock.Nap;
import io.verbs4j.provider.rxe.base.OwnProcess;
import io.verbs4j.provider.rxe.memory.ExportTable.Entry;
import io.verbs4j.provider.rxe.memory.ExportTable.Kind;
import io.verbs4j.provider.rxe.memory.ForeignMemory;
import io.verbs4j.provider.rxe.memory.RxeDm;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * The importer's side of objects that another process has exported; see {@link ExportLayout}. Accesses the owner's
 * memory through {@code /proc/<pid>/mem}, which stays bound to the process that had the number when it was opened.
 * Thread-safe.
 */
public final class ImportedProcess implements AutoCloseable {
    private static final String OPEN = "open_device";
    private static final int SPINS = 100;
    private static final long NAP = 10_000;

    private final SystemUse system;
    private final Kernel kernel;
    private final SharedMemory memory;
    private final ExportOwner owner;

    /** Descriptor of the owner's memory. */
    private final int opened;

    /** Index of this importer. */
    private final int importer;

    private final int file;
    private final CopyStep step = new CopyStep();

    /** An object that was found. */
    public record Found(int number, Entry entry, ForeignMemory memory) {}

    private ImportedProcess(
            SystemUse system, SharedMemory memory, ExportOwner owner, int opened, int file, int importer) {
        this.system = system;
        this.kernel = system.kernel();
        this.memory = memory;
        this.owner = owner;
        this.opened = opened;
        this.file = file;
        this.importer = importer;
    }

    /**
     * Imports from the process that exported a descriptor.
     *
     * @param system used until this object is closed; if this method throws, the caller must close it
     */
    public static ImportedProcess open(SystemUse system, int fd, String device) {
        SharedMemory memory;
        try {
            memory = SharedMemory.open(system.kernel(), fd, ExportLayout.SIZE);
        } catch (IOException e) {
            throw notOne(fd, e);
        }
        if (memory.get(0) != ExportLayout.MAGIC) {
            throw notOne(fd, null);
        }
        if (memory.get(ExportLayout.STATE) != ExportLayout.OPEN) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP, OPEN, "importFd " + fd + " belongs to a context that has been closed");
        }
        byte[] name = new byte[ExportLayout.DEVICE_BYTES];
        memory.buffer().get(ExportLayout.DEVICE, name);
        String theirs = new String(name, StandardCharsets.UTF_8);
        if (!theirs.substring(0, Math.max(0, theirs.indexOf('\0'))).equals(device)) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    OPEN,
                    "importFd " + fd + " belongs to a context of another device, not of " + device
                            + "; open the device that it was exported from");
        }
        ExportOwner owner = ExportOwner.of(memory, fd);
        int opened = system.keep(owner.open(system.kernel()));
        int file = system.keep(system.copy(OPEN, fd));
        return new ImportedProcess(system, memory, owner, opened, file, enter(memory));
    }

    /** Claims an importer slot, if necessary that of a process that has ended. */
    private static int enter(SharedMemory memory) {
        OwnProcess me = OwnProcess.find();
        for (int i = 0; i < ExportLayout.IMPORTERS; i++) {
            if (memory.compareAndExchange(ExportLayout.importer(i), 0, me.pid()) == 0) {
                return entered(memory, i, me);
            }
        }
        for (int i = 0; i < ExportLayout.IMPORTERS; i++) {
            int at = ExportLayout.importer(i);
            long before = memory.get(at);
            if (!ExportedObjects.isAlive(before, memory.get(at + ExportLayout.IMPORTER_BEGAN))
                    && memory.compareAndExchange(at, before, me.pid()) == before) {
                return entered(memory, i, me);
            }
        }
        throw new VerbsException(
                Errno.ENOMEM,
                OPEN,
                ExportLayout.IMPORTERS + " processes have already imported the context; close it in some of them");
    }

    private static int entered(SharedMemory memory, int i, OwnProcess me) {
        clear(memory, i);
        memory.put(ExportLayout.importer(i) + ExportLayout.IMPORTER_BEGAN, ExportedObjects.began(me));
        return i;
    }

    private static void clear(SharedMemory memory, int importer) {
        for (int j = 0; j < ExportLayout.WRITES; j++) {
            memory.put(ExportLayout.write(importer, j), 0);
        }
        for (int j = 0; j < ExportLayout.HOLDS; j++) {
            memory.put(ExportLayout.hold(importer, j), 0);
        }
    }

    private static VerbsException notOne(int fd, IOException cause) {
        return new VerbsException(
                Errno.EINVAL,
                OPEN,
                "importFd " + fd + " is not the descriptor of a context of an embedded device of this release; pass one"
                        + " from Context.exportDevice()",
                cause);
    }

    /** Throws if the process or its context has ended. */
    public void requireOwner(String verb) {
        if (!owner.isThere(kernel, opened)) {
            throw owner.gone(verb);
        }
    }

    /** Finds an object; throws if it does not exist. */
    public Found find(String verb, int number, Kind kind) {
        requireOwner(verb);
        for (int place = 0; place < ExportLayout.ENTRIES; place++) {
            long head = head(place);
            if (head != 0 && ExportLayout.number(head) == number && ExportLayout.kind(head) == kind.number) {
                Entry entry = entry(place, kind);
                ImportedMemory found = new ImportedMemory(this, place, head);
                if (found.isValid()) { // otherwise it changed while it was read
                    return new Found(number, entry, found);
                }
            }
        }
        throw notFound(verb, number, kind);
    }

    /** Creates the exception for an object that does not exist. */
    public static VerbsException notFound(String verb, int number, Kind kind) {
        return new VerbsException(
                Errno.EINVAL,
                verb,
                "handle " + number + " does not name a " + kind.text
                        + " that the exporting process shares; pass what exportHandle() returned there");
    }

    private Entry entry(int place, Kind kind) {
        int at = ExportLayout.entry(place);
        long access = memory.get(at + ExportLayout.ACCESS);
        return new Entry(
                kind,
                (int) memory.get(at + ExportLayout.DOMAIN),
                memory.get(at + ExportLayout.ADDRESS),
                memory.get(at + ExportLayout.NAME),
                memory.get(at + ExportLayout.LENGTH),
                (int) (access >>> Integer.SIZE),
                (int) access,
                (int) memory.get(at + ExportLayout.RKEY));
    }

    /** Returns the exported device memory in the form that can be registered. */
    public RxeDm.Foreign deviceMemory(Found found) {
        return new ImportedDeviceMemory(
                this,
                (ImportedMemory) found.memory(),
                found.number(),
                found.entry().address());
    }

    /** Returns another descriptor of the imported context, for the program. */
    public ExportedFd newDescriptor() {
        return system.duplicate("export_device", file);
    }

    // ---- objects that the owner must not end

    /**
     * Keeps an object alive until {@link #release}. Throws if no hold slot is free.
     *
     * @return false if the object has ended
     */
    public synchronized boolean hold(String verb, Found found) {
        return hold(verb, found.number(), (ImportedMemory) found.memory());
    }

    synchronized boolean hold(String verb, int number, ImportedMemory object) {
        int at = holdOf(number);
        at = at != 0 ? at : holdOf(0);
        if (at == 0) {
            throw new VerbsException(
                    Errno.ENOMEM,
                    verb,
                    "this process holds " + ExportLayout.HOLDS + " domains and device memories of process "
                            + owner.pid() + " already; close some");
        }
        int count = (int) memory.get(at);
        memory.put(at, (long) number << Integer.SIZE | count + 1);
        if (object.isValid()) { // checked after taking hold: either the owner sees the hold, or this sees the end
            return true;
        }
        release(number);
        return false;
    }

    /** Drops one {@link #hold}. */
    public synchronized void release(int number) {
        int at = holdOf(number);
        if (at != 0) {
            int count = (int) memory.get(at);
            memory.put(at, count <= 1 ? 0 : (long) number << Integer.SIZE | count - 1);
        }
    }

    /** Returns the offset of a number's hold slot, or 0 if the number is not held. */
    private int holdOf(int number) {
        for (int j = 0; j < ExportLayout.HOLDS; j++) {
            int at = ExportLayout.hold(importer, j);
            if (memory.get(at) >>> Integer.SIZE == number) {
                return at;
            }
        }
        return 0;
    }

    // ---- memory

    long head(int place) {
        return memory.get(ExportLayout.entry(place));
    }

    CopyStep step() {
        return step;
    }

    /** Announces a write through an entry to the owner. Returns the token for {@link #endWrite}. */
    int beginWrite(int place) {
        int j = (int) (Thread.currentThread().getId() % ExportLayout.WRITES);
        for (int i = 0; ; i++) {
            int at = ExportLayout.write(importer, j);
            if (memory.compareAndExchange(at, 0, place + 1) == 0) {
                return at;
            }
            j = (j + 1) % ExportLayout.WRITES;
            if (i >= ExportLayout.WRITES) {
                Nap.spin(i, SPINS, NAP);
            }
        }
    }

    void endWrite(int announced) {
        memory.put(announced, 0);
    }

    boolean canRead(long address) {
        return kernel.pread(opened, step.probe(), 1, address) == 1;
    }

    boolean read(long address, long to, long bytes) {
        for (long done = 0; done < bytes; ) {
            long n = kernel.pread(opened, to + done, bytes - done, address + done);
            if (n <= 0) {
                return false;
            }
            done += n;
        }
        return true;
    }

    boolean write(long from, long address, long bytes) {
        for (long done = 0; done < bytes; ) {
            long n = kernel.pwrite(opened, from + done, bytes - done, address + done);
            if (n <= 0) {
                return false;
            }
            done += n;
        }
        return true;
    }

    @Override
    public void close() {
        clear(memory, importer);
        memory.put(ExportLayout.importer(importer) + ExportLayout.IMPORTER_BEGAN, 0);
        memory.put(ExportLayout.importer(importer), 0);
        system.close();
    }
}
