/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.fake.programs;

import io.verbs4j.Context;
import io.verbs4j.ContextSlot;
import io.verbs4j.Device;
import io.verbs4j.DeviceMemory;
import io.verbs4j.ExportedFd;
import io.verbs4j.MemoryRegion;
import io.verbs4j.OpenAttr;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsLevel;
import io.verbs4j.core.Verbs;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Exports a context of the first device, and imports it and its objects. */
public final class ImportProgram {
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
    private static final int NOBODYS = 404;

    private ImportProgram() {}

    public static void main(String[] args) throws IOException {
        List<Device> devices = Verbs.devices();
        try (Context owner = Verbs.open(devices.get(0), VerbsLevel.CURRENT)) {
            for (int slot = ContextSlot.IMPORT_PD; slot <= ContextSlot.EXPORT_HANDLE; slot++) {
                if (owner.queryContext().hasVerb(slot)) {
                    System.out.println("has " + ContextSlot.verb(slot));
                }
            }
            for (String file : List.of("/proc/version", "/dev/full", "/dev/urandom", "/dev/random", "/dev/zero")) {
                refused(devices.get(0), file);
            }
            failing("no descriptor", () -> open(devices.get(0), 1 << 20));
            if (owner.queryContext().hasVerb(ContextSlot.EXPORT_DEVICE)) {
                share(owner);
            }
        }
    }

    private static void share(Context owner) throws IOException {
        long before = descriptors();
        try (ExportedFd fd = owner.exportDevice()) {
            System.out.println("exported " + Files.readSymbolicLink(DESCRIPTORS.resolve("" + fd.fd())));
            try (Context imported = Verbs.open(owner.device(), VerbsLevel.CURRENT, new OpenAttr().importFd(fd.fd()));
                    ProtectionDomain own = owner.allocPd();
                    ProtectionDomain pd = imported.importPd(own.exportHandle());
                    MemoryRegion mr = pd.importMr(-2);
                    DeviceMemory dm = imported.importDm(52, 128)) {
                System.out.println("numbers " + pd.exportHandle() + " " + mr.exportHandle() + " " + dm.exportHandle());
                System.out.println("region " + mr.addr() + " " + mr.length() + " " + mr.access() + " " + mr.lkey() + " "
                        + mr.rkey());
                System.out.println("imported " + pd.isImported() + " " + mr.isImported() + " " + dm.isImported()
                        + ", the owner's " + own.isImported());
                copy(dm);
                failing("a domain of nobody", () -> imported.importPd(NOBODYS));
                failing("a driver without", () -> pd.importMr(NOBODYS));
                System.out.println("closing");
            }
        }
        System.out.println("left open " + (descriptors() - before));
    }

    private static void copy(DeviceMemory dm) {
        ByteBuffer bytes = ByteBuffer.allocateDirect(8).putLong(0, 77);
        int to = dm.copyTo(120, bytes);
        ByteBuffer read = ByteBuffer.allocateDirect(8);
        int from = dm.copyFrom(read, 120);
        System.out.println("copied " + to + " " + from + " " + read.getLong(0) + " " + dm.copyTo(121, bytes));
    }

    private static Context open(Device device, int fd) {
        return Verbs.open(device, VerbsLevel.CURRENT, new OpenAttr().importFd(fd));
    }

    /** Opens a device by the descriptor of a file, and counts the remaining descriptors. */
    private static void refused(Device device, String file) throws IOException {
        try (FileInputStream open = new FileInputStream(file);
                Stream<Path> all = Files.list(DESCRIPTORS)) {
            int fd = all.filter(candidate -> isOf(candidate, Path.of(file)))
                    .mapToInt(candidate -> Integer.parseInt(candidate.toFile().getName()))
                    .max()
                    .orElseThrow();
            long before = descriptors();
            failing(file, () -> open(device, fd));
            System.out.println("left open " + (descriptors() - before) + ", "
                    + open.getFD().valid());
        }
    }

    private static boolean isOf(Path descriptor, Path file) {
        try {
            return Files.readSymbolicLink(descriptor).equals(file);
        } catch (IOException e) {
            return false; // the descriptor of the listing itself
        }
    }

    private static long descriptors() throws IOException {
        try (Stream<Path> all = Files.list(DESCRIPTORS)) {
            return all.count();
        }
    }

    private static void failing(String what, Runnable verb) {
        try {
            verb.run();
            System.out.println(what + ": nothing failed");
        } catch (VerbsException e) {
            System.out.println(what + ": " + e.getMessage());
        }
    }
}
