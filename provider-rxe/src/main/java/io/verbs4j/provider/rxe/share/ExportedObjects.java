/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.share;

import io.verbs4j.Errno;
import io.verbs4j.ExportedFd;
import io.verbs4j.VerbsException;
import io.verbs4j.natives.lock.Nap;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.rxe.base.OwnProcess;
import io.verbs4j.provider.rxe.files.OwnNamespaces;
import io.verbs4j.provider.rxe.memory.ExportTable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The owner's side of objects that other processes import; see {@link ExportLayout}. */
public final class ExportedObjects implements ExportTable {
    /** Maximum time for another process's write, which takes microseconds unless the process is stopped. */
    private static final long PATIENCE = 1_000_000_000;

    private static final int SPINS = 1000;
    private static final long NAP = 100_000;

    private final SystemUse system;
    private final SharedMemory memory;

    /** Importers read it in this process's memory to identify the process. */
    private final ByteBuffer nonce = ByteBuffer.allocateDirect(Processes.NONCE).order(ByteOrder.nativeOrder());

    /** Entry of each number. Guarded by this, as are the fields below. */
    private final Map<Integer, Integer> places = new HashMap<>();

    /** Entries in use. Not derived from their content, which importers could overwrite. */
    private final BitSet taken = new BitSet(ExportLayout.ENTRIES);

    /** Numbers that have ended, although writes through them may still be in progress. */
    private final Set<Integer> ending = new HashSet<>();

    private int next;
    private long stamp;

    /** Creates the table. It uses the system until it is closed. */
    public ExportedObjects(SystemUse system, String device) throws IOException {
        this.system = system;
        byte[] name = device.getBytes(StandardCharsets.UTF_8);
        if (name.length >= ExportLayout.DEVICE_BYTES) {
            throw new IOException("the device's name is longer than " + ExportLayout.DEVICE_BYTES + " bytes");
        }
        memory = SharedMemory.create(system.kernel(), ExportLayout.SIZE);
        SecureRandom random = new SecureRandom();
        nonce.putLong(0, random.nextLong() | 1).putLong(8, random.nextLong());
        OwnProcess me = OwnProcess.find();
        memory.put(ExportLayout.PID, me.pid());
        memory.put(ExportLayout.BEGAN, began(me));
        memory.put(ExportLayout.NONCE, nonce.getLong(0));
        memory.put(ExportLayout.NONCE + Long.BYTES, nonce.getLong(8));
        memory.put(ExportLayout.NONCE_ADDRESS, NativeMemory.address(nonce));
        memory.put(ExportLayout.NAMESPACE, OwnNamespaces.ofProcesses());
        memory.buffer().put(ExportLayout.DEVICE, name);
        memory.put(ExportLayout.STATE, ExportLayout.OPEN);
        memory.put(0, ExportLayout.MAGIC);
    }

    /** Returns a process's start time as a number, or 0 if the system does not provide it. */
    static long began(OwnProcess process) {
        try {
            return Long.parseLong(process.began());
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    /** Returns the key that all its descriptors have in common. */
    public Object file() throws IOException {
        return DescriptorFile.key(memory.fd());
    }

    @Override
    public ExportedFd newDescriptor() {
        return system.duplicate("export_device", memory.fd());
    }

    @Override
    public synchronized void put(int number, Entry entry) {
        if (places.containsKey(number)) {
            return;
        }
        int place = freePlace();
        int at = ExportLayout.entry(place);
        memory.put(at + ExportLayout.DOMAIN, entry.domain());
        memory.put(at + ExportLayout.ADDRESS, entry.address());
        memory.put(at + ExportLayout.NAME, entry.name());
        memory.put(at + ExportLayout.LENGTH, entry.length());
        memory.put(
                at + ExportLayout.ACCESS, (long) entry.access() << Integer.SIZE | Integer.toUnsignedLong(entry.lkey()));
        memory.put(at + ExportLayout.RKEY, Integer.toUnsignedLong(entry.rkey()));
        memory.put(at, ExportLayout.head(++stamp, entry.kind().number, number));
        places.put(number, place);
    }

    /** Finds a free entry and reserves it; the entry that has been free for longest comes first. */
    private int freePlace() {
        if (places.size() == ExportLayout.ENTRIES) {
            throw new VerbsException(
                    Errno.ENOMEM,
                    "export_handle",
                    "the context shares " + ExportLayout.ENTRIES + " objects already, which is the limit; close some");
        }
        int free = taken.nextClearBit(next);
        free = free < ExportLayout.ENTRIES ? free : taken.nextClearBit(0);
        taken.set(free);
        next = (free + 1) % ExportLayout.ENTRIES;
        return free;
    }

    @Override
    public void end(String verb, int number) {
        int place;
        synchronized (this) {
            Integer found = places.get(number);
            if (found == null) {
                return;
            }
            place = found;
            if (!ending.contains(number)) {
                takeBack(verb, number, ExportLayout.entry(place));
            }
        }
        waitForWrites(verb, place);
        synchronized (this) {
            if (ending.remove(number)) {
                places.remove(number);
                taken.clear(place);
            }
        }
    }

    private void takeBack(String verb, int number, int entry) {
        refuseWhileHeld(verb, number);
        long head = memory.get(entry);
        memory.put(entry, 0);
        boolean ended = false;
        try {
            refuseWhileHeld(verb, number); // an importer that has taken hold since checks the entry again
            ending.add(number);
            ended = true;
        } finally {
            if (!ended) {
                memory.put(entry, head);
            }
        }
    }

    private void refuseWhileHeld(String verb, int number) {
        for (int i = 0; i < ExportLayout.IMPORTERS; i++) {
            for (int j = 0; isUsed(i) && j < ExportLayout.HOLDS; j++) {
                long held = memory.get(ExportLayout.hold(i, j));
                if (held != 0 && (int) (held >>> Integer.SIZE) == number && isAlive(i)) {
                    throw new VerbsException(
                            Errno.EBUSY,
                            verb,
                            "process " + memory.get(ExportLayout.importer(i)) + " has imported it " + (int) held
                                    + " time(s); it must close those handles first");
                }
            }
        }
    }

    private boolean isUsed(int importer) {
        return memory.get(ExportLayout.importer(importer)) != 0;
    }

    private boolean isAlive(int importer) {
        int at = ExportLayout.importer(importer);
        return isAlive(memory.get(at), memory.get(at + ExportLayout.IMPORTER_BEGAN));
    }

    /** Returns whether a process lives; {@code began} is 0 while the process is still writing it. */
    static boolean isAlive(long pid, long began) {
        return pid > 0
                && (began == 0
                        ? Files.exists(Path.of("/proc/" + pid))
                        : new OwnProcess(pid, Long.toString(began)).isAlive());
    }

    /**
     * Waits until no process writes through an entry that has ended. Readers need no wait: they discard what they read.
     */
    private void waitForWrites(String verb, int place) {
        long began = System.nanoTime();
        for (int i = 0; i < ExportLayout.IMPORTERS; i++) {
            for (int j = 0; isUsed(i) && j < ExportLayout.WRITES; j++) {
                for (int n = 0; memory.get(ExportLayout.write(i, j)) == place + 1; n++) {
                    if (n >= SPINS && !isAlive(i)) {
                        break;
                    }
                    if (System.nanoTime() - began > PATIENCE) {
                        throw new VerbsException(
                                Errno.EBUSY,
                                verb,
                                "process " + memory.get(ExportLayout.importer(i)) + " has imported it, and was stopped"
                                        + " while writing to it; its keys are no longer valid, but the memory must"
                                        + " stay: try again when that process continues or has ended");
                    }
                    Nap.spin(n, SPINS, NAP);
                }
            }
        }
    }

    @Override
    public synchronized void close() {
        memory.put(ExportLayout.STATE, 0);
        for (int i = 0; i < ExportLayout.ENTRIES; i++) {
            memory.put(ExportLayout.entry(i), 0);
        }
        nonce.putLong(0, 0).putLong(8, 0);
        memory.close();
        system.close();
    }
}
