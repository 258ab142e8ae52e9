/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.packaging;

import io.verbs4j.compat.built.BuiltModules;
import io.verbs4j.compat.built.JarContent;
import io.verbs4j.compat.built.Javac;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The packaged program: prints the report, and connects to itself by address. */
final class PackagedProgram {
    static final String MAIN = "com.example.Main";
    static final String MODULE = "com.example";

    private static final String SOURCE = """
            package com.example;

            import io.verbs4j.*;
            import io.verbs4j.cm.*;
            import io.verbs4j.core.Verbs;
            import java.net.InetSocketAddress;
            import java.util.concurrent.*;

            public final class Main {
                public static void main(String[] args) throws Exception {
                    System.out.println(Verbs.report());
                    try (Context context = Verbs.open(Verbs.defaultDevice(), VerbsLevel.CURRENT);
                            ProtectionDomain pd = context.allocPd();
                            CompletionQueue cq = context.createCq(16);
                            CmListener listener = CmListener.listen(context, new InetSocketAddress(0), 1)) {
                        QpInitAttr attr = new QpInitAttr().qpType(QpType.RC).sendCq(cq).recvCq(cq)
                                .cap(new QpCap().maxSendWr(4).maxSendSge(1).maxRecvWr(4).maxRecvSge(1));
                        CompletableFuture<CmConnection> client = CmConnection.connectAsync(pd, listener.address(), attr,
                                ConnParam.DEFAULT, qp -> {}, 30, TimeUnit.SECONDS, task -> new Thread(task).start());
                        try (CmConnection server = listener.accept(pd, attr, 30, TimeUnit.SECONDS);
                                CmConnection connected = client.get()) {
                            System.out.println("connected by " + context.device().name());
                        }
                    } catch (VerbsException e) {
                        System.out.println("failed: " + e.getMessage());
                    }
                }
            }
            """;

    private static final String DESCRIPTOR = "module com.example { requires io.verbs4j.core; requires io.verbs4j.cm; }";

    private static final Map<String, String> SOURCES =
            Map.of("module-info.java", DESCRIPTOR, "com/example/Main.java", SOURCE);

    private PackagedProgram() {}

    /** {@return the jars that every program needs, without a provider} */
    static List<Path> library() {
        return Stream.of(BuiltModules.SPI, BuiltModules.CORE, "io.verbs4j.cm")
                .map(BuiltModules::location)
                .toList();
    }

    /** Compiles the program as a module. */
    static Path compile(Path folder) {
        Path classes = folder.resolve("program");
        String path = library().stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
        Javac.compile(SOURCES, classes, List.of("-p", path));
        return classes;
    }

    /** Writes the sources of the program, for another compiler. */
    static void writeSources(Path folder) throws IOException {
        for (Map.Entry<String, String> source : SOURCES.entrySet()) {
            Path file = folder.resolve(source.getKey());
            Files.createDirectories(file.getParent());
            Files.writeString(file, source.getValue());
        }
    }

    /** Puts the program and jars into a folder, each as a jar. */
    static Path lib(Path folder, Path program, List<Path> parts) throws IOException {
        Path lib = Files.createDirectories(folder.resolve("lib"));
        List<Path> all = new ArrayList<>(parts);
        all.add(program);
        for (int i = 0; i < all.size(); i++) {
            JarContent.of(all.get(i)).writeTo(lib.resolve("part-" + i + ".jar"));
        }
        return lib;
    }

    /** {@return the jar or folder of a class on the test class path} */
    static Path location(Class<?> type) {
        try {
            URI place = type.getProtectionDomain().getCodeSource().getLocation().toURI();
            return Path.of(place);
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
