/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.packaging;

import io.verbs4j.testsupport.program.Program;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The staged output of {@code ./mvnw -Prelease}, built from a copy of these sources in another folder, with another
 * umask, locale and time zone.
 */
final class Staging {
    static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    private static final int SECONDS = 1200;
    private static final Set<String> LEFT_OUT = Set.of("target", ".git", ".idea", ".vscode");

    /** Skips the gates, which the surrounding build has passed. */
    private static final List<String> NO_GATES = List.of(
            "-Dverbs4j.errorprone=-XDverbs4j.none", "-Dspotless.check.skip", "-Denforcer.skip", "-Dforbiddenapis.skip");

    private final Path copy;

    private Staging(Path copy) {
        this.copy = copy;
    }

    /**
     * Builds and stages. Runs online because Maven does not deploy offline, although it fetches only plug-ins.
     *
     * @param folder where to make the copy
     * @param signing the environment for signing, empty for no signatures
     */
    static Staging in(Path folder, Map<String, String> signing) throws IOException, InterruptedException {
        Staging staging = new Staging(folder.resolve("another folder"));
        staging.copySources();
        List<String> command = new ArrayList<>(List.of("env"));
        signing.forEach((name, value) -> command.add(name + "=" + value));
        command.addAll(List.of(
                "LC_ALL=C",
                "TZ=Asia/Kolkata",
                "MAVEN_OPTS=-Duser.language=tr -Duser.country=TR",
                "sh",
                "-c",
                "cd \"$0\" && umask 077 && exec ./mvnw \"$@\"",
                staging.copy.toString(),
                "-q",
                signing.isEmpty() ? "-Prelease" : "-Prelease,sign",
                "-DskipTests"));
        command.addAll(NO_GATES);
        Program.run(command, SECONDS).text();
        return staging;
    }

    private void copySources() throws IOException {
        Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path from, BasicFileAttributes attributes) throws IOException {
                if (LEFT_OUT.contains(from.getFileName().toString())) {
                    return FileVisitResult.SKIP_SUBTREE;
                }
                Files.createDirectories(copy.resolve(ROOT.relativize(from)));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path from, BasicFileAttributes attributes) throws IOException {
                Files.copy(from, copy.resolve(ROOT.relativize(from)));
                return FileVisitResult.CONTINUE;
            }
        });
    }

    /** {@return the repository} */
    Path repository() {
        return copy.resolve("target/staging");
    }

    /** {@return the folders of the artefacts, each of one version} */
    List<Path> artefacts() throws IOException {
        try (Stream<Path> all = Files.list(repository().resolve("io/verbs4j"))) {
            return all.map(artefact -> artefact.resolve(version())).sorted().toList();
        }
    }

    /**
     * {@return a file of an artefact, by its extension and classifier, for instance {@code -sources.jar} or
     * {@code .pom}}
     */
    static Path file(Path artefact, String end) {
        return artefact.resolve(artefact.getParent().getFileName() + "-"
                + artefact.getFileName().toString() + end);
    }

    /** {@return the version of this build} */
    static String version() {
        return System.getProperty("verbs4j.version");
    }
}
