/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.attack;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbs4j.testsupport.program.Jdk;
import io.verbs4j.testsupport.program.Program;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** JVMs of unrelated users of the machine. What they run is copied to a world-readable place. */
public final class OtherUsers {
    private final Path folder;
    private final Path classes;
    private final List<String> parts;

    /**
     * Creates it; skips the test if such processes cannot be started.
     *
     * @param folder replaces their folder for temporary files
     * @param parts the entries of the class path to copy: all whose name contains one of these
     */
    public OtherUsers(Path folder, String... parts) throws IOException {
        assumeTrue(
                Program.isOnPath("setpriv") && Integer.valueOf(0).equals(Files.getAttribute(folder, "unix:uid")),
                "needs root, and setpriv of util-linux, to start processes as other users");
        this.folder = folder;
        this.parts = List.of(parts);
        allow(folder, "rwxrwxrwx"); // like the folder for temporary files
        classes = Files.createDirectory(folder.resolve("classes"));
    }

    /** Sets the permissions of a file, such as {@code rwxr-xr-x}. */
    public static void allow(Path path, String permissions) throws IOException {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
    }

    /** Returns the command that runs a command as a user without even a name; 0 is root, like the test. */
    public static List<String> as(int user, List<String> command) {
        List<String> all = new ArrayList<>();
        if (user != 0) {
            all.addAll(List.of("setpriv", "--reuid", "" + user, "--regid", "" + user, "--clear-groups", "--"));
        }
        all.addAll(command);
        return all;
    }

    /** Returns the command that starts a class, with arguments. */
    public List<String> java(List<String> options, Class<?> main, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Jdk.own().java().toString());
        command.addAll(List.of(Jdk.QUICK, "-Xmx64m", "-XX:+UseSerialGC", "-Djava.io.tmpdir=" + folder));
        command.addAll(options);
        command.addAll(List.of("-cp", String.join(File.pathSeparator, classPath()), main.getName()));
        command.addAll(List.of(arguments));
        return command;
    }

    private List<String> classPath() throws IOException {
        List<String> copied = new ArrayList<>();
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        for (String entry : classPath.split(File.pathSeparator, -1)) {
            if (parts.stream().anyMatch(entry::contains)) {
                Path copy = classes.resolve(Integer.toString(copied.size()));
                copy(Path.of(entry), copy);
                copied.add(copy.toString());
            }
        }
        return copied;
    }

    private static void copy(Path from, Path to) throws IOException {
        if (Files.exists(to)) {
            return; // copied for an earlier process
        }
        try (Stream<Path> all = Files.walk(from)) {
            for (Path each : (Iterable<Path>) all::iterator) {
                Path copy = to.resolve(from.relativize(each).toString());
                Files.copy(each, copy);
                allow(copy, Files.isDirectory(copy) ? "rwxr-xr-x" : "r--r--r--");
            }
        }
    }
}
