/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.attack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbs4j.Errno;
import io.verbs4j.XrcdOpenFlags;
import io.verbs4j.provider.rxe.xrc.ToldProcess;
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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** XRC domains by file, and users of the machine that have nothing to do with each other: two that have no name even. */
@Tag("attack")
class XrcUsersIT {
    private static final int ALICE = 61_001;
    private static final int BOB = 61_002;

    @TempDir
    Path folder;

    private Path classes;
    private Path file;

    @BeforeEach
    void prepare() throws IOException {
        assumeTrue(
                Program.isOnPath("setpriv") && Integer.valueOf(0).equals(Files.getAttribute(folder, "unix:uid")),
                "only root can start processes of other users, by setpriv of util-linux");
        allow(folder, "rwxrwxrwx"); // as the folder for temporary files is
        classes = Files.createDirectory(folder.resolve("classes"));
        file = Files.createFile(folder.resolve("domain"));
        allow(file, "rw-rw-rw-");
    }

    private static void allow(Path path, String permissions) throws IOException {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
    }

    /** A process of a user. What it runs is copied to where everybody can read it; JNA, which unpacks files, is left out. */
    private ToldProcess start(int user) throws IOException {
        List<String> copied = new ArrayList<>();
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        for (String entry : classPath.split(File.pathSeparator, -1)) {
            if (entry.contains("verbs-") || entry.contains("provider-rxe")) {
                Path copy = classes.resolve(Integer.toString(copied.size()));
                copy(Path.of(entry), copy);
                copied.add(copy.toString());
            }
        }
        List<String> command =
                new ArrayList<>(List.of("setpriv", "--reuid", "" + user, "--regid", "" + user, "--clear-groups", "--"));
        command.add(Jdk.own().home().resolve("bin/java").toString());
        command.addAll(List.of(
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-Djava.io.tmpdir=" + folder,
                "-cp",
                String.join(File.pathSeparator, copied),
                DomainUser.class.getName()));
        return new ToldProcess(command);
    }

    private static void copy(Path from, Path to) throws IOException {
        if (Files.exists(to)) {
            return; // for the process before
        }
        try (Stream<Path> all = Files.walk(from)) {
            for (Path each : (Iterable<Path>) all::iterator) {
                Path copy = to.resolve(from.relativize(each).toString());
                Files.copy(each, copy);
                allow(copy, Files.isDirectory(copy) ? "rwxr-xr-x" : "r--r--r--");
            }
        }
    }

    private String open(int oflags) {
        return "open " + file + " " + oflags;
    }

    @Test
    void usersWithoutNamesHaveFoldersOfTheirOwn() throws IOException {
        try (ToldProcess alice = start(ALICE);
                ToldProcess bob = start(BOB);
                ToldProcess more = start(BOB)) {
            assertThat(alice.ask(open(XrcdOpenFlags.CREAT | XrcdOpenFlags.EXCL)))
                    .isEqualTo("ok");
            assertThat(bob.ask(open(0))).startsWith("errno " + Errno.ENOENT); // Alice's is none of his
            assertThat(bob.ask(open(XrcdOpenFlags.CREAT | XrcdOpenFlags.EXCL))).isEqualTo("ok");
            assertThat(more.ask(open(0))).isEqualTo("ok");
            assertThat(alice.ask("number")).isNotEqualTo(bob.ask("number"));
            for (int user : new int[] {ALICE, BOB}) {
                Path own = folder.resolve("verbs4j-" + user);
                assertThat(Files.getAttribute(own, "unix:uid")).isEqualTo(user);
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(own)))
                        .isEqualTo("rwx------");
            }
        }
    }

    @Test
    void whoMayNotOpenTheFileDoesNotJoin() throws IOException {
        try (ToldProcess alice = start(ALICE);
                ToldProcess more = start(ALICE)) {
            for (String permissions : List.of("rw-------", "rw-r--r--")) { // root's
                allow(file, permissions);
                assertThat(alice.ask(open(0))).startsWith("errno " + Errno.EACCES);
                assertThat(alice.ask(open(XrcdOpenFlags.CREAT))).startsWith("errno " + Errno.EACCES);
            }
            Files.setAttribute(file, "unix:uid", ALICE);
            assertThat(alice.ask(open(XrcdOpenFlags.CREAT))).isEqualTo("ok");
            assertThat(more.ask(open(0))).isEqualTo("ok");
            assertThat(more.ask("close")).isEqualTo("ok");
            allow(file, "---------");
            assertThat(more.ask(open(0))).startsWith("errno " + Errno.EACCES).contains("no permission");
        }
    }

    @Test
    void aFolderThatAnotherHasMadeIsNotEntered() throws IOException {
        Path trap = Files.createDirectory(folder.resolve("verbs4j-" + ALICE));
        allow(trap, "rwx------");
        Files.setAttribute(trap, "unix:uid", BOB);
        try (ToldProcess alice = start(ALICE)) {
            assertThat(alice.ask(open(XrcdOpenFlags.CREAT)))
                    .startsWith("errno " + Errno.EACCES)
                    .contains("not a folder of this user's alone");
            Files.delete(trap);
            Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
            Files.setAttribute(elsewhere, "unix:uid", ALICE);
            allow(elsewhere, "rwx------");
            Files.createSymbolicLink(trap, elsewhere);
            assertThat(alice.ask(open(XrcdOpenFlags.CREAT))).startsWith("errno " + Errno.EACCES);
        }
    }
}
