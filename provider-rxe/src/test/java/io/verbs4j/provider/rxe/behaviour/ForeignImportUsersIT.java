/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Errno;
import io.verbs4j.provider.rxe.attack.OtherUsers;
import io.verbs4j.provider.rxe.xrc.ToldProcess;
import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.Patience;
import io.verbs4j.testsupport.program.Namespaces;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Processes that must not share memory, or whose numbers mean something else: an import fails and says why. */
@Full
@Tag("attack")
@Timeout(Patience.TEST_SECONDS)
class ForeignImportUsersIT {
    private static final int ROOT = 0;
    private static final int ALICE = 61_021;

    @TempDir
    Path folder;

    private OtherUsers users;
    private OwnerProcess owner;
    private ToldProcess importer;

    @BeforeEach
    void prepare() throws IOException {
        users = new OtherUsers(folder, "verbs-", "provider-rxe", "jna", "test-support", "assertj");
    }

    @AfterEach
    void end() {
        for (ToldProcess each : new ToldProcess[] {owner, importer}) {
            if (each != null) {
                each.close();
            }
        }
    }

    private List<String> command(int user, Class<?> main, List<String> within) throws IOException {
        Path jna = folder.resolve("jna-" + user);
        if (!Files.exists(jna)) {
            Files.createDirectory(jna); // where its library is unpacked
            OtherUsers.allow(jna, "rwxrwxrwx");
        }
        List<String> command = new ArrayList<>(within);
        command.addAll(OtherUsers.as(user, users.java(List.of("-Djna.tmpdir=" + jna), main)));
        return command;
    }

    private void start(int ofOwner, List<String> within, int ofImporter) throws IOException {
        owner = new OwnerProcess(command(ofOwner, OwnerProgram.class, within));
        importer = new ToldProcess(command(ofImporter, ImporterProgram.class, List.of()));
        assertThat(importer.ask("hold " + owner.file())).isEqualTo("ok");
    }

    private void isRefused(String why) throws IOException {
        assertThat(importer.ask("open"))
                .startsWith("errno " + Errno.EACCES)
                .contains(why)
                .contains("process ");
    }

    @Test
    void processesOfOneUserShare() throws IOException {
        start(ALICE, List.of(), ALICE);
        assertThat(importer.ask("import " + owner.pd + " " + owner.mr + " " + owner.dm))
                .isEqualTo("ok");
        assertThat(importer.ask("write")).isEqualTo("success");
        assertThat(owner.ask("byte 0")).isEqualTo("99");
    }

    /** Root could, but does not. */
    @Test
    void processesOfTwoUsersDoNotShare() throws IOException {
        start(ALICE, List.of(), ROOT);
        isRefused("another user");
    }

    @Test
    void processThatForbidsItIsNotImported() throws IOException {
        start(ALICE, List.of(), ALICE);
        assertThat(owner.ask("forbid")).isEqualTo("ok");
        isRefused("PR_SET_DUMPABLE");
    }

    @Test
    void pidsOfAnotherContainerAreNotConfused() throws Exception {
        List<String> within =
                Namespaces.unshared("--pid", "--fork", "--kill-child", "--mount", "--ipc", "--mount-proc");
        owner = new OwnerProcess(command(ROOT, OwnerProgram.class, within));
        importer = new ToldProcess(command(ROOT, ImporterProgram.class, List.of()));
        long unshare = owner.pid();
        long java = ProcessHandle.of(unshare)
                .orElseThrow()
                .children()
                .findFirst()
                .orElseThrow()
                .pid();
        assertThat(importer.ask("hold " + owner.file().replace("/" + unshare + "/", "/" + java + "/")))
                .isEqualTo("ok");
        isRefused("another PID namespace");
    }
}
