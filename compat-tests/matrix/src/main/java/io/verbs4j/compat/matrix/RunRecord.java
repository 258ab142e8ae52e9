/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.matrix;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the reports say about a run as a whole.
 *
 * @param commit the commit of the checkout, with {@code -dirty} if something is not committed; "" without git
 * @param command the command line of the run, without the destinations of the reports
 * @param kept whether compiled classes are kept, so that the commands of JVMs can be run
 * @param nativeWanted whether the part on rdma-core was explicitly requested
 * @param artifacts the jars that took part
 */
record RunRecord(String commit, String command, boolean kept, boolean nativeWanted, List<Artifact> artifacts) {
    private static final int RED = 1;
    private static final int MISUSED = 2;
    private static final int UNSHOWN = 3;

    /**
     * A jar that took part.
     *
     * @param release its release, as in the rows
     * @param commit the commit that a frozen jar was built from, "" for others
     * @param file its path
     * @param sha256 its SHA-256
     */
    record Artifact(String release, String commit, String file, String sha256) {}

    static RunRecord of(
            Path frozen, List<Release> releases, Path provider, String command, boolean kept, boolean nativeWanted) {
        List<Artifact> artifacts = new ArrayList<>();
        for (Release release : releases) {
            Stream.concat(Stream.of(release.header(), release.library()), Subject.of(release).path().stream())
                    .forEach(jar -> artifacts.add(artifact(release.name(), provenance(release), jar)));
        }
        if (provider != null) {
            artifacts.add(artifact(String.valueOf(provider.getFileName()), "", provider));
        }
        return new RunRecord(head(frozen), command, kept, nativeWanted, List.copyOf(artifacts));
    }

    /** {@return the exit status of a run with these results} */
    int status(List<CellResult> results, NativeSection section) {
        if (!TextReports.red(results).isEmpty() || !section.red().isEmpty()) {
            return RED;
        }
        if (!TextReports.unshown(results).isEmpty()) {
            return UNSHOWN;
        }
        return nativeMissing(section) ? MISUSED : 0;
    }

    /** {@return whether the part on rdma-core was explicitly requested but could not be run} */
    boolean nativeMissing(NativeSection section) {
        return nativeWanted && !section.reason().isEmpty();
    }

    /** {@return how to run one combination again at any time: it is compiled anew, and kept} */
    String again(Cell cell) {
        return command + " --only '" + cell.toString().replace("'", "'\\''") + "' --keep";
    }

    private static Artifact artifact(String release, String commit, Path jar) {
        return new Artifact(release, commit, jar.toString(), sha256(jar));
    }

    private static String provenance(Release release) {
        Path file = release.header().resolveSibling("PROVENANCE");
        if (!Files.exists(file)) {
            return "";
        }
        try (Stream<String> lines = Files.lines(file)) {
            return lines.filter(line -> line.startsWith("commit="))
                    .map(line -> line.substring(line.indexOf('=') + 1))
                    .collect(Collectors.joining());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }

    static String sha256(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            new DigestInputStream(in, digest).transferTo(java.io.OutputStream.nullOutputStream());
            return HexFormat.of().formatHex(digest.digest());
        } catch (IOException e) {
            throw new MatrixException("cannot read " + file + ": " + e.getMessage());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
    }

    /** {@return the commit of the checkout; empty without git, or outside a checkout} */
    private static String head(Path folder) {
        try {
            Process git = new ProcessBuilder(
                            "git",
                            "-C",
                            folder.toString(),
                            "describe",
                            "--always",
                            "--dirty",
                            "--abbrev=40",
                            "--exclude=*")
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String text = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return git.waitFor() == 0 ? text : "";
        } catch (IOException e) {
            return "";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "";
        }
    }
}
