/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.rdmacore;

import io.verbs4j.benchmarks.harness.Commands;
import io.verbs4j.benchmarks.harness.MissingException;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/**
 * The previous release: the frozen jars in {@code compat-tests/frozen}, and for other modules, classes that are built
 * once from the release's commit.
 *
 * @param name version number
 * @param classPath class path of this JVM, with the release's libraries instead of today's
 */
record Released(String name, String classPath) {
    private static final String FOLDER = "compat-tests/frozen/level-3";
    private static final List<String> FROZEN = List.of("verbs-spi", "verbs-core", "provider-rxe");
    private static final List<String> BUILT = List.of("verbs-rdma-core", "provider-mlx5");
    private static final String CLASSES = "target/quick/classes";

    /** Finds the release, and builds the missing parts unless an earlier run has built them. */
    static Released find() throws IOException, MissingException {
        Path root = Simulator.root();
        Properties provenance = new Properties();
        try (var in = Files.newBufferedReader(root.resolve(FOLDER).resolve("PROVENANCE"), StandardCharsets.UTF_8)) {
            provenance.load(in);
        }
        String release = provenance.getProperty("release");
        Path made = root.resolve("benchmarks/target/before").resolve(provenance.getProperty("commit"));
        if (!Files.exists(made)) {
            build(root, provenance.getProperty("commit"), made);
        }
        List<String> path = new ArrayList<>();
        int replaced = 0;
        for (String entry : System.getProperty(OnClassPath.PROPERTY).split(File.pathSeparator, -1)) {
            Path before =
                    before(root, made, release, Path.of(entry).toAbsolutePath().normalize());
            replaced += before == null ? 0 : 1;
            path.add(before == null ? entry : before.toString());
        }
        if (replaced != FROZEN.size() + BUILT.size()) {
            throw new IllegalStateException("the class path lacks some modules of " + root + ": " + path);
        }
        return new Released(release, String.join(File.pathSeparator, path));
    }

    private static Path before(Path root, Path made, String release, Path entry) {
        for (String module : FROZEN) {
            if (entry.startsWith(root.resolve(module))) {
                return root.resolve(FOLDER).resolve(module + "-" + release + ".jar");
            }
        }
        for (String module : BUILT) {
            if (entry.startsWith(root.resolve(module))) {
                return made.resolve(module);
            }
        }
        return null;
    }

    /** Builds in a temporary folder, which is moved to its final name when complete. */
    private static void build(Path root, String commit, Path made) throws IOException, MissingException {
        Commands.require("git", "git");
        Commands.require("tar", "tar");
        Path work = Files.createTempDirectory(Files.createDirectories(made.getParent()), "build");
        Path sources = Files.createDirectory(work.resolve("sources"));
        Path archive = work.resolve("sources.tar");
        try {
            Commands.output(List.of("git", "-C", root.toString(), "archive", "-o", archive.toString(), commit));
        } catch (IllegalStateException e) {
            throw new MissingException("the commit of the previous release, " + commit + ", is not in " + root
                    + "; clone the repository with its history (" + e.getMessage() + ")");
        }
        Commands.output(List.of("tar", "-xf", archive.toString(), "-C", sources.toString()));
        Commands.output(List.of(
                "env",
                "-C",
                sources.toString(),
                "./mvnw",
                "-q",
                "-ntp",
                "-Dquick",
                "-pl",
                String.join(",", BUILT),
                "-am",
                "process-classes"));
        Path all = Files.createDirectory(work.resolve("classes"));
        for (String module : BUILT) {
            Files.move(sources.resolve(module).resolve(CLASSES), all.resolve(module));
        }
        Files.move(all, made);
        Commands.output(List.of("rm", "-r", work.toString()));
    }
}
