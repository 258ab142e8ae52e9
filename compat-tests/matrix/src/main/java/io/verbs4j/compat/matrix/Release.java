/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.matrix;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The jars of a release.
 *
 * @param name its name in the reports
 * @param level the level of the header and the library
 * @param header the jar of verbs-spi
 * @param library the jar of verbs-core
 * @param provider the jar of provider-rxe
 */
public record Release(String name, int level, Path header, Path library, Path provider) {
    /** The name of the current build's release. */
    public static final String BUILD = "build";

    private static final Pattern FROZEN = Pattern.compile("level-([1-9][0-9]*)");

    /** {@return a copy with another name} */
    public Release named(String other) {
        return new Release(other, level, header, library, provider);
    }

    /** {@return the frozen levels in a folder, from the first} */
    public static List<Release> frozen(Path folder) {
        List<Release> releases = new ArrayList<>();
        for (Path entry : list(folder)) {
            Matcher name = FROZEN.matcher(entry.getFileName().toString());
            if (name.matches()) {
                int level = Integer.parseInt(name.group(1));
                releases.add(new Release(
                        "level " + level,
                        level,
                        jar(entry, "verbs-spi"),
                        jar(entry, "verbs-core"),
                        jar(entry, "provider-rxe")));
            }
        }
        if (releases.isEmpty()) {
            throw new MatrixException("no frozen level in " + folder);
        }
        releases.sort(Comparator.comparingInt(Release::level));
        return releases;
    }

    /** {@return the jars of the current build in a folder} */
    public static Release build(Path folder) {
        Path header = jar(folder, "verbs-spi");
        return new Release(BUILD, levelOf(header), header, jar(folder, "verbs-core"), jar(folder, "provider-rxe"));
    }

    /** {@return the only jar of an artefact in a folder, with or without its version} */
    static Path jar(Path folder, String artifact) {
        List<Path> jars = list(folder).stream()
                .filter(file -> file.getFileName().toString().matches(artifact + "(-[0-9][^-]*(-SNAPSHOT)?)?\\.jar"))
                .toList();
        if (jars.size() != 1) {
            throw new MatrixException("expected one jar of " + artifact + " in " + folder + ", but found " + jars);
        }
        return jars.get(0);
    }

    /** {@return the level that a header reports} */
    static int levelOf(Path header) {
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {header.toUri().toURL()}, ClassLoader.getPlatformClassLoader())) {
            Class<?> type = Class.forName("io.verbs4j.VerbsLevel", true, loader);
            return (Integer) type.getMethod("runtime").invoke(null);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + header, e);
        } catch (ClassNotFoundException | NoSuchMethodException | IllegalAccessException e) {
            throw new IllegalStateException("not a header: " + header, e);
        } catch (InvocationTargetException e) {
            throw new IllegalStateException(header + " does not report its level", e);
        }
    }

    private static List<Path> list(Path folder) {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.map(Path::toAbsolutePath).sorted().toList();
        } catch (IOException e) {
            throw new MatrixException("cannot list " + folder + ": " + e.getMessage());
        }
    }
}
