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

/** The owner's side of objects that other processes import: see {@link ExportLayout}. */
public final class ExportedObjects implements ExportTable {
    /** How long a process may take to end a write, which takes microseconds unless it is stopped. */
    private static final long PATIENCE = 1_000_000_000;

    private static final int SPINS = 1000;
    private static final long NAP = 100_000;

    private final SystemUse system;
    private final SharedMemory memory;

    /** Who has opened this process's memory reads it here. */
    private final ByteBuffer nonce = ByteBuffer.allocateDirect(Processes.NONCE).order(ByteOrder.nativeOrder());

    /** Which entry a number has. Guarded by this, as what follows is. */
    private final Map<Integer, Integer> places = new HashMap<>();

    /** Entries that have a number. Not by what they hold: importers could write there. */
    private final BitSet taken = new BitSet(ExportLayout.ENTRIES);

    /** Numbers that have ended, but somebody may still write by them. */
    private final Set<Integer> ending = new HashSet<>();

    private int next;
    private long stamp;

    /** Makes it; it uses the system until it is closed. */
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

    /** When a process began, as a number; 0 where the system does not tell. */
    static long began(OwnProcess process) {
        try {
            return Long.parseLong(process.began());
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    /** What all its descriptors have in common. */
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

    /** An entry that has nothing; the one that has had nothing for longest is taken. */
    private int freePlace() {
        if (places.size() == ExportLayout.ENTRIES) {
            throw new VerbsException(
                    Errno.ENOMEM,
                    "export_handle",
                    "the context shares " + ExportLayout.ENTRIES + " objects already, which is the most that other"
                            + " processes can be told of; close some");
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
            refuseWhileHeld(verb, number); // who has come to hold it since looks at the entry again
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

    /** Whether a process lives; {@code began} is 0 while it writes that down. */
    static boolean isAlive(long pid, long began) {
        return pid > 0
                && (began == 0
                        ? Files.exists(Path.of("/proc/" + pid))
                        : new OwnProcess(pid, Long.toString(began)).isAlive());
    }

    /** Waits until no process writes by an entry that has ended. Who reads by one throws away what it has read. */
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
                                        + " in the midst of a write to it; its keys have ended, but the memory must"
                                        + " stay: try again when that process goes on or has ended");
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
