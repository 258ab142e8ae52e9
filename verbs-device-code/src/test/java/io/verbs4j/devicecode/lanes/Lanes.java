/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.devicecode.lanes;

import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import io.verbs4j.devicecode.DeviceCode;
import io.verbs4j.devicecode.DevicePeer;
import io.verbs4j.devicecode.DeviceRing;
import io.verbs4j.devicecode.RingPart;
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

/**
 * Lanes on CPU threads: a library of C that was compiled with a vendor's text, and knows nothing of verbs. With the
 * property {@link #KIND}, kernels on a GPU instead.
 */
public final class Lanes {
    /** Property: {@code gpu} for lanes on the first GPU, which takes nvcc, or a library that nvcc made before. */
    public static final String KIND = "verbs4j.lanes";

    /** Property: folder with {@code HEADER.so} or {@code HEADER.gpu.so}, for a machine where one compiled before. */
    public static final String COMPILED = "verbs4j.lanes.compiled";

    private static final boolean GPU = "gpu".equals(System.getProperty(KIND));

    /** How kernels are compiled; {@code native} is the GPU that is there. */
    static final List<String> CUDA = List.of(
            "nvcc",
            "--std=c++17",
            "-Werror",
            "all-warnings",
            "-arch",
            "native",
            "-O2",
            "-shared",
            "-Xcompiler",
            "-fPIC");

    private static final List<String> STRICT =
            List.of("-std=gnu11", "-O2", "-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Werror", "-shared", "-fPIC");

    /** How long a mutant may hang: the lanes themselves need less than a second. */
    private static final long MUTANT_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final NativeLibrary library;
    private final boolean isMutant;
    private final Set<DeviceRing> mapped = new HashSet<>();

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
        return new Lanes(compiled(code, folder), !edits.isEmpty());
    }

    private static Path compiled(DeviceCode code, Path folder) throws IOException, InterruptedException {
        String before = System.getProperty(COMPILED);
        if (before != null) {
            return Path.of(before, code.header() + (GPU ? ".gpu.so" : ".so"));
        }
        Files.writeString(folder.resolve("job.h"), resource("job.h"));
        Path source = folder.resolve(GPU ? "lanes.cu" : "lanes.c");
        Files.writeString(source, resource(source.getFileName().toString()));
        Path library = folder.resolve("liblanes.so");
        List<String> command = new ArrayList<>(GPU ? CUDA : List.of("gcc"));
        if (!GPU) {
            command.addAll(STRICT);
        }
        command.add("-DV4J_TEXT=\"" + code.header() + "\"");
        command.addAll(List.of("-o", library.toString(), source.toString(), "-lpthread"));
        Program.Result compiler = Program.run(command, TextCompilers.SECONDS);
        if (compiler.status() != 0) {
            throw new IllegalStateException(
                    command.get(0) + " refuses the lanes:\n" + String.join("\n", compiler.lines()));
        }
        return library;
    }

    static String resource(String name) {
        try (InputStream in = Lanes.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@return whether the lanes run on a GPU} */
    public static boolean onGpu() {
        return GPU;
    }

    /** Runs a job to its end on connected queue pairs. */
    public void run(DeviceRing ring, LaneJob job) {
        run(ring, null, job);
    }

    /** Runs a job to its end; {@code to} is the peer of datagrams, or null. */
    public void run(DeviceRing ring, DevicePeer to, LaneJob job) {
        call("lanes_run", ring, to, job);
    }

    /** The same with all lanes in one warp of a GPU, where threads wait for each other. */
    public void runWarp(DeviceRing ring, LaneJob job) {
        call("lanes_run_warp", ring, null, job);
    }

    /** Has one lane post and wait for the completion, again and again. Returns the nanoseconds; 0 if it failed. */
    public long turns(DeviceRing ring, LaneJob job) {
        return library.getFunction("lanes_turns").invokeLong(new Object[] {block(ring), null, job.memory()});
    }

    /** {@return the name of the GPU} */
    public String gpu() {
        ByteBuffer name = ByteBuffer.allocateDirect(256);
        if (call("lanes_gpu", name, name.capacity()) == 0) {
            throw new IllegalStateException("no GPU: " + text(name));
        }
        return text(name);
    }

    private static String text(ByteBuffer name) {
        return StandardCharsets.US_ASCII.decode(name).toString().split("\0", 2)[0];
    }

    /** Maps the parts of a ring for the GPU, if lanes run there. */
    private void map(DeviceRing ring) {
        for (RingPart part : GPU && mapped.add(ring) ? ring.parts() : List.<RingPart>of()) {
            long there = library.getFunction("lanes_map").invokeLong(new Object[] {part.address(), part.length()});
            if (there == 0) {
                throw new IllegalStateException("the GPU can't use the " + RingPart.toString(part.kind()));
            }
            if (part.kind() != RingPart.BLOCK) {
                ring.map(part.kind(), there);
            }
        }
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

    private Pointer block(DeviceRing ring) {
        map(ring);
        return new Pointer(ring.address());
    }

    private int call(String function, Object... arguments) {
        return library.getFunction(function).invokeInt(arguments);
    }
}
