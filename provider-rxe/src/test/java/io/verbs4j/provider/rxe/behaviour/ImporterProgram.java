/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import io.verbs4j.AccessFlags;
import io.verbs4j.Context;
import io.verbs4j.DeviceMemory;
import io.verbs4j.MemoryRegion;
import io.verbs4j.OpenAttr;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsLevel;
import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;
import io.verbs4j.core.Verbs;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Imports a context of another process and carries out commands line by line. */
public final class ImporterProgram {
    private static final int WRITTEN = 65_536;

    private OpenedFile file;
    private Side side;
    private MemoryRegion own;

    private ImporterProgram() {}

    /** Runs until its input ends. */
    public static void main(String[] args) throws IOException {
        ImporterProgram importer = new ImporterProgram();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            System.out.println(importer.answer(line.split(" ", -1)));
        }
    }

    private String answer(String[] words) throws IOException {
        try {
            switch (words[0]) {
                case "hold" -> file = new OpenedFile(words[1]);
                case "open" -> open().close();
                case "import" -> importAll(number(words[1]), number(words[2]), number(words[3]));
                case "cycles" -> {
                    return cycles(number(words[1]), number(words[2]), number(words[3]), number(words[4]));
                }
                case "loop" -> {
                    new Thread(this::loop).start();
                    return "begun";
                }
                default -> {
                    return write();
                }
            }
            return "ok";
        } catch (VerbsException e) {
            return "errno " + e.errno() + " " + e.getMessage();
        }
    }

    private static int number(String word) {
        return Integer.parseInt(word);
    }

    private Context open() {
        return Verbs.open(Verbs.devices().get(0), VerbsLevel.CURRENT, new OpenAttr().importFd(file.fd));
    }

    private void importAll(int pd, int mr, int dmHandle) {
        if (side != null) {
            side.close();
        }
        side = new Side(open(), pd, mr);
        DeviceMemory dm = side.opened(side.context.importDm(dmHandle, 64));
        side.opened(side.pd.regDmMr(dm, 0, 64, AccessFlags.ZERO_BASED));
        ByteBuffer bytes = ByteBuffer.allocateDirect(WRITTEN);
        while (bytes.hasRemaining()) {
            bytes.put((byte) 99);
        }
        own = side.opened(side.pd.regMr(bytes.clear(), 0));
        side.create();
        Side.connectToItself(side);
    }

    /** Writes to the other process's region; returns the status. */
    private String write() {
        side.post(side.to(Side.wr(WrOpcode.RDMA_WRITE, 1, ScatterGatherElement.of(own, 0, WRITTEN)), side, 0));
        return WcStatus.toString(side.next().status());
    }

    private void loop() {
        String status = WcStatus.toString(WcStatus.SUCCESS);
        while (status.equals(WcStatus.toString(WcStatus.SUCCESS))) {
            status = write();
        }
        System.out.println(status);
    }

    /**
     * Imports and releases everything many times; returns how many descriptors and mappings are left beyond those of
     * the first rounds.
     */
    private String cycles(int count, int pdHandle, int mrHandle, int dmHandle) throws IOException {
        String before = "";
        for (int i = 0; i < count; i++) {
            try (Context context = open();
                    ProtectionDomain pd = context.importPd(pdHandle);
                    MemoryRegion mr = pd.importMr(mrHandle);
                    DeviceMemory memory = context.importDm(dmHandle, 64);
                    MemoryRegion ofMemory = pd.regDmMr(memory, 0, 64, AccessFlags.ZERO_BASED)) {
                if (mr.lkey() == ofMemory.lkey()) {
                    return "two regions have the same key";
                }
            }
            if (i == count / 10) {
                before = held();
            }
        }
        return before.equals(held()) ? "ok" : "before " + before + ", after " + held();
    }

    private String held() throws IOException {
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            return descriptors.count() + " descriptors";
        }
    }
}
