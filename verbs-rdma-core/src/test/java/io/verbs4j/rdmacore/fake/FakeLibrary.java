/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.fake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbs4j.natives.call.NativeBinding;
import io.verbs4j.rdmacore.call.Libibverbs;
import io.verbs4j.testsupport.program.Jdk;
import io.verbs4j.testsupport.program.Program;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Compiles {@code src/test/c/fakeverbs.c} to a shared library, with a stub for each function it lacks. */
final class FakeLibrary {
    private static final Path FOLDER = Path.of("src", "test", "c").toAbsolutePath();
    private static final Path SOURCE = FOLDER.resolve("fakeverbs.c");

    private FakeLibrary() {}

    /**
     * Skips the test if there is no C compiler or header.
     *
     * @param more further sources, for later releases
     */
    static Path make(Path scratch, String... more) throws IOException, InterruptedException {
        Program.assumeOnPath("gcc");
        assumeTrue(
                Files.isRegularFile(Path.of("/usr/include/infiniband/verbs.h")),
                "no infiniband/verbs.h here: .ci/run installs libibverbs-dev");
        StringBuilder stubs = new StringBuilder("int puts(const char *);\nvoid _exit(int);\nint fflush(void *);\n");
        String source = Files.readString(SOURCE);
        List<String> command = new ArrayList<>();
        for (String name : more) {
            source += Files.readString(FOLDER.resolve(name));
            command.add("" + FOLDER.resolve(name));
        }
        for (Method method : Libibverbs.class.getDeclaredMethods()) {
            if (method.getName().startsWith("ibv_") && !source.contains(method.getName() + "(")) {
                stubs.append("long " + method.getName() + "(void) { puts(\"" + method.getName()
                        + " was called\"); fflush(0); _exit(99); }\n");
            }
        }
        Path stubFile = Files.writeString(scratch.resolve("stubs.c"), stubs);
        Path library = scratch.resolve("libfakeverbs.so");
        command.addAll(0, List.of("gcc", "-shared", "-fPIC", "-w", "-o", "" + library, "" + SOURCE, "" + stubFile));
        ProgramRun gcc = ProgramRun.of(scratch, Map.of(), command);
        assertThat(gcc.status()).as(gcc.output()).isZero();
        return library;
    }

    /** Creates the part of sysfs that is read before a library is loaded, with that many RDMA devices. */
    static Path sysfs(Path scratch, int devices) throws IOException {
        Path folder = Files.createTempDirectory(scratch, "sys");
        Path verbs = Files.createDirectories(folder.resolve("class").resolve("infiniband_verbs"));
        for (int i = 0; i < devices; i++) {
            Files.createDirectory(verbs.resolve("uverbs" + i));
        }
        return folder;
    }

    /** Registers services in a folder for the class path. */
    static Path services(Path scratch, Class<?> service, String... names) throws IOException {
        Path folder = Files.createTempDirectory(scratch, "services");
        Path file = folder.resolve("META-INF/services").resolve(service.getName());
        Files.createDirectories(file.getParent());
        Files.write(file, List.of(names));
        return folder;
    }

    /**
     * Runs a test program in a JVM.
     *
     * @param without types whose jars are left out of the class path
     */
    static ProgramRun java(
            Path scratch,
            Map<String, String> environment,
            List<String> options,
            List<Path> more,
            Set<Class<?>> without,
            Class<?> main)
            throws IOException, InterruptedException {
        List<String> path = new ArrayList<>();
        more.forEach(entry -> path.add(entry.toString()));
        Stream.of(
                        main,
                        io.verbs4j.Context.class,
                        io.verbs4j.core.Verbs.class,
                        NativeBinding.class,
                        Libibverbs.class,
                        com.sun.jna.Native.class)
                .filter(type -> !without.contains(type))
                .map(FakeLibrary::location)
                .forEach(path::add);
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC"));
        command.addAll(Jdk.own().permissions());
        String binding = System.getProperty(NativeBinding.PROPERTY);
        if (binding != null) {
            command.add("-D" + NativeBinding.PROPERTY + "=" + binding);
        }
        command.addAll(options);
        command.addAll(List.of("-cp", String.join(":", path), main.getName()));
        return ProgramRun.of(scratch, environment, command);
    }

    private static String location(Class<?> type) {
        return Path.of(java.net.URI.create(
                        type.getProtectionDomain().getCodeSource().getLocation().toString()))
                .toString();
    }
}
