/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.devicecode.lanes;

import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import io.verbs4j.devicecode.DeviceCode;
import io.verbs4j.devicecode.DevicePeer;
import io.verbs4j.devicecode.DeviceRing;
import io.verbs4j.testsupport.program.Program;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Lanes on CPU threads: a library of C that was compiled with a vendor's text, and knows nothing of verbs. */
public final class Lanes {
    private static final List<String> STRICT =
            List.of("-std=gnu11", "-O2", "-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Werror", "-shared", "-fPIC");

    /** How long a mutant may hang: the lanes themselves need less than a second. */
    private static final long MUTANT_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final NativeLibrary library;
    private final boolean isMutant;

    private Lanes(Path library, boolean isMutant) {
        this.library = NativeLibrary.getInstance(library.toString());
        this.isMutant = isMutant;
    }

    /**
     * Compiles lanes for a device.
     *
     * @param code the device's code
     * @param edits pieces of the texts and what replaces them, for a mutant; each must occur
     */
    public static Lanes of(DeviceCode code, Map<String, String> edits) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("lanes");
        try {
            return of(code, folder, edits);
        } finally {
            for (File file : folder.toFile().listFiles()) {
                Files.delete(file.toPath());
            }
            Files.delete(folder);
        }
    }

    /** Compiles lanes for a device in a folder. */
    public static Lanes of(DeviceCode code, Path folder, Map<String, String> edits)
            throws IOException, InterruptedException {
        Set<String> missing = new HashSet<>(edits.keySet());
        for (Map.Entry<String, String> text : code.texts().entrySet()) {
            String changed = text.getValue();
            for (Map.Entry<String, String> edit : edits.entrySet()) {
                if (changed.contains(edit.getKey())) {
                    missing.remove(edit.getKey());
                    changed = changed.replace(edit.getKey(), edit.getValue());
                }
            }
            Files.writeString(folder.resolve(text.getKey()), changed);
        }
        if (!missing.isEmpty()) {
            throw new IllegalStateException("no text contains " + missing);
        }
        Path source = folder.resolve("lanes.c");
        Files.writeString(source, source());
        Path library = folder.resolve("liblanes.so");
        List<String> command = new ArrayList<>(List.of("gcc"));
        command.addAll(STRICT);
        command.add("-DV4J_TEXT=\"" + code.header() + "\"");
        command.addAll(List.of("-o", library.toString(), source.toString(), "-lpthread"));
        Program.Result gcc = Program.run(command, TextCompilers.SECONDS);
        if (gcc.status() != 0) {
            throw new IllegalStateException("gcc refuses the lanes:\n" + String.join("\n", gcc.lines()));
        }
        return new Lanes(library, !edits.isEmpty());
    }

    private static String source() {
        try (InputStream in = Lanes.class.getResourceAsStream("lanes.c")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs a job to its end on connected queue pairs. */
    public void run(DeviceRing ring, LaneJob job) {
        run(ring, null, job);
    }

    /** Runs a job to its end; {@code to} is the peer of datagrams, or null. */
    public void run(DeviceRing ring, DevicePeer to, LaneJob job) {
        call("lanes_run", ring, to, job);
    }

    /** Posts two requests by two lanes, the first of which is late. */
    public void runLate(DeviceRing ring, DevicePeer to, LaneJob job) {
        call("lanes_late", ring, to, job);
    }

    private void call(String function, DeviceRing ring, DevicePeer to, LaneJob job) {
        ByteBuffer peer = null;
        if (to != null) {
            peer = ByteBuffer.allocateDirect(DevicePeer.SIZEOF);
            to.putInto(peer);
            peer.flip();
        }
        if (isMutant) {
            job.atMost(MUTANT_NANOS);
        }
        int error = call(function, block(ring), peer, job.memory());
        if (error != 0) {
            throw new AssertionError("v4j_dev_check returned " + error);
        }
    }

    /** Returns what {@code v4j_dev_check} returns. */
    public int check(DeviceRing ring) {
        return call("lanes_check", block(ring));
    }

    /** Takes one completion, {@code struct v4j_completion}; returns 1 if there was one. */
    public int poll(DeviceRing ring, ByteBuffer completion) {
        return call("lanes_poll", block(ring), completion);
    }

    /** Writes raw descriptors: announces {@code count} places without writing them. */
    public void announce(DeviceRing ring, int count) {
        call("lanes_announce", block(ring), count);
    }

    private static Pointer block(DeviceRing ring) {
        return new Pointer(ring.address());
    }

    private int call(String function, Object... arguments) {
        return library.getFunction(function).invokeInt(arguments);
    }
}
