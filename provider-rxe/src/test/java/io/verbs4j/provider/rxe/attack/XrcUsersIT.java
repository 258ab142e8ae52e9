/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.attack;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Errno;
import io.verbs4j.XrcdOpenFlags;
import io.verbs4j.provider.rxe.attack.programs.DomainUserProgram;
import io.verbs4j.provider.rxe.xrc.ToldProcess;
import io.verbs4j.testsupport.Full;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** XRC domains by file, and unrelated users of the machine, two of whom do not even have a name. */
@Full
@Tag("attack")
class XrcUsersIT {
    private static final int ALICE = 61_001;
    private static final int BOB = 61_002;

    @TempDir
    Path folder;

    private OtherUsers users;
    private Path file;

    @BeforeEach
    void prepare() throws IOException {
        users = new OtherUsers(folder, "verbs-", "provider-rxe");
        file = Files.createFile(folder.resolve("domain"));
        OtherUsers.allow(file, "rw-rw-rw-");
    }

    /** Starts a process of a user. JNA, which unpacks files, is omitted. */
    private ToldProcess start(int user) throws IOException {
        return new ToldProcess(OtherUsers.as(user, users.java(List.of(), DomainUserProgram.class)));
    }

    private String open(int oflags) {
        return "open " + file + " " + oflags;
    }

    @Test
    void usersWithoutNamesHaveOwnFolders() throws IOException {
        try (ToldProcess alice = start(ALICE);
                ToldProcess bob = start(BOB);
                ToldProcess more = start(BOB)) {
            assertThat(alice.ask(open(XrcdOpenFlags.CREAT | XrcdOpenFlags.EXCL)))
                    .isEqualTo("ok");
            assertThat(bob.ask(open(0))).startsWith("errno " + Errno.ENOENT); // Alice's is not his
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
    void userWithoutAccessToFileCannotJoin() throws IOException {
        try (ToldProcess alice = start(ALICE);
                ToldProcess more = start(ALICE)) {
            for (String permissions : List.of("rw-------", "rw-r--r--")) { // owned by root
                OtherUsers.allow(file, permissions);
                assertThat(alice.ask(open(0))).startsWith("errno " + Errno.EACCES);
                assertThat(alice.ask(open(XrcdOpenFlags.CREAT))).startsWith("errno " + Errno.EACCES);
            }
            Files.setAttribute(file, "unix:uid", ALICE);
            assertThat(alice.ask(open(XrcdOpenFlags.CREAT))).isEqualTo("ok");
            assertThat(more.ask(open(0))).isEqualTo("ok");
            assertThat(more.ask("close")).isEqualTo("ok");
            OtherUsers.allow(file, "---------");
            assertThat(more.ask(open(0))).startsWith("errno " + Errno.EACCES).contains("no permission");
        }
    }

    @Test
    void folderOfOtherUserIsNotEntered() throws IOException {
        Path trap = Files.createDirectory(folder.resolve("verbs4j-" + ALICE));
        OtherUsers.allow(trap, "rwx------");
        Files.setAttribute(trap, "unix:uid", BOB);
        try (ToldProcess alice = start(ALICE)) {
            assertThat(alice.ask(open(XrcdOpenFlags.CREAT)))
                    .startsWith("errno " + Errno.EACCES)
                    .contains("not a folder that only this user can access");
            Files.delete(trap);
            Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
            Files.setAttribute(elsewhere, "unix:uid", ALICE);
            OtherUsers.allow(elsewhere, "rwx------");
            Files.createSymbolicLink(trap, elsewhere);
            assertThat(alice.ask(open(XrcdOpenFlags.CREAT))).startsWith("errno " + Errno.EACCES);
        }
    }
}
