/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.attack;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.provider.rxe.TestContext;
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
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Two processes of one machine that may not read, or cannot find, each other: each message goes by packets, visible
 * only in the counters.
 */
@Full
@Tag("attack")
@Timeout(Patience.TEST_SECONDS)
class OneCopyRefusedIT {
    private static final int ROOT = 0;
    private static final int ALICE = 61_011;
    private static final int BOB = 61_012;
    private static final int MESSAGES = 500;

    /** Time after which rings would exist: about 100 ms if they are possible. */
    private static final int MILLIS = 1000;

    @TempDir
    Path folder;

    private OtherUsers users;
    private ToldProcess a;
    private ToldProcess b;

    @BeforeEach
    void prepare() throws IOException {
        TestContext.oneCopy();
        users = new OtherUsers(folder, "verbs-", "provider-rxe", "jna");
    }

    @AfterEach
    void end() {
        for (ToldProcess each : new ToldProcess[] {a, b}) {
            if (each != null) {
                each.close();
            }
        }
    }

    private ToldProcess start(int user, int bytes, List<String> within) throws IOException {
        Path jna = folder.resolve("jna-" + user);
        if (!Files.exists(jna)) {
            Files.createDirectory(jna); // where its library is unpacked
            OtherUsers.allow(jna, "rwxrwxrwx");
        }
        List<String> command = new ArrayList<>(within);
        command.addAll(OtherUsers.as(
                user,
                users.java(
                        List.of("-Djna.tmpdir=" + jna),
                        ConnectedChildProgram.class,
                        Way.ONE_COPY.name(),
                        "" + bytes,
                        TestContext.newAddress().getHostAddress()))); // its process id may be that of another
        return new ToldProcess(command);
    }

    private void connect() throws IOException {
        String ofA = a.ask("about");
        String ofB = b.ask("about");
        assertThat(a.ask("connect " + ofB + " 16 7")).isEqualTo("ok");
        assertThat(b.ask("connect " + ofA + " 16 7")).isEqualTo("ok");
    }

    private void exchange() throws IOException {
        b.tell("receive " + MESSAGES);
        assertThat(a.ask("send " + MESSAGES)).isEqualTo("success");
        assertThat(b.answer()).isEqualTo("success");
        a.tell("receive " + MESSAGES);
        assertThat(b.ask("send " + MESSAGES)).isEqualTo("success");
        assertThat(a.answer()).isEqualTo("success");
    }

    private static long counter(ToldProcess process, String name) throws IOException {
        return Long.parseLong(process.ask("counter " + name));
    }

    private void allGoesByPackets() throws IOException, InterruptedException {
        connect();
        exchange();
        Thread.sleep(MILLIS);
        exchange();
        for (ToldProcess each : List.of(a, b)) {
            assertThat(each.ask("problem")).isEmpty(); // one copy works, with others
            assertThat(counter(each, "onecopy_rings")).isZero();
            assertThat(counter(each, "tx_onecopy_records")).isZero();
            assertThat(counter(each, "rx_onecopy_records")).isZero();
            assertThat(counter(each, "tx_packets")).isGreaterThanOrEqualTo(2 * MESSAGES);
        }
    }

    /** Shows that the other tests lack rings because of the obstacle. */
    @ParameterizedTest
    @CsvSource({"8", "300000"})
    void processesOfOneUserHaveRings(int bytes) throws Exception {
        a = start(ALICE, bytes, List.of());
        b = start(ALICE, bytes, Namespaces.unshared("--mount", "--ipc"));
        connect();
        assertThat(a.ask("ring")).isEqualTo("ok");
        assertThat(b.ask("ring")).isEqualTo("ok");
        exchange();
        for (ToldProcess each : List.of(a, b)) {
            assertThat(counter(each, "tx_onecopy_records")).isGreaterThanOrEqualTo(MESSAGES);
            assertThat(counter(each, "rx_onecopy_records")).isGreaterThanOrEqualTo(MESSAGES);
            assertThat(counter(each, "onecopy_refused")).isZero();
        }
    }

    /** Root may read every process, but does not. */
    @ParameterizedTest
    @CsvSource({ALICE + ", " + BOB + ", 300000", ROOT + ", " + ALICE + ", 8", ROOT + ", " + ALICE + ", 300000"})
    void processesOfTwoUsersHaveNoRings(int one, int other, int bytes) throws Exception {
        a = start(one, bytes, List.of());
        b = start(other, bytes, List.of());
        allGoesByPackets();
        assertThat(counter(a, "onecopy_refused") + counter(b, "onecopy_refused"))
                .isZero();
    }

    @ParameterizedTest
    @CsvSource({"8", "300000"})
    void processThatForbidsItIsNotRead(int bytes) throws Exception {
        a = start(ALICE, bytes, List.of());
        b = start(ALICE, bytes, List.of());
        assertThat(b.ask("forbid")).isEqualTo("ok");
        allGoesByPackets();
        assertThat(counter(a, "onecopy_refused")).isPositive();
        assertThat(counter(b, "onecopy_refused")).isZero();
    }

    /** One may read the other, but not the reverse: a ring needs both. */
    @ParameterizedTest
    @CsvSource({"8", "300000"})
    void otherUserNamespaceHasNoRings(int bytes) throws Exception {
        a = start(ROOT, bytes, List.of());
        b = start(ROOT, bytes, Namespaces.unshared("--user", "--map-root-user"));
        allGoesByPackets();
        assertThat(counter(a, "onecopy_refused")).isZero();
        assertThat(counter(b, "onecopy_refused")).isPositive();
    }

    /** Like containers that share the network: process numbers mean other processes. */
    @ParameterizedTest
    @CsvSource({"8, true", "300000, true", "300000, false"})
    void sharedNetworkAloneMakesNoRings(int bytes, boolean ownProc) throws Exception {
        a = start(ROOT, bytes, List.of());
        List<String> within = ownProc
                ? Namespaces.unshared("--pid", "--fork", "--kill-child", "--mount", "--ipc", "--mount-proc")
                : Namespaces.unshared("--pid", "--fork", "--kill-child", "--mount", "--ipc");
        b = start(ROOT, bytes, within);
        allGoesByPackets();
        assertThat(counter(a, "onecopy_refused") + counter(b, "onecopy_refused"))
                .isZero();
    }
}
