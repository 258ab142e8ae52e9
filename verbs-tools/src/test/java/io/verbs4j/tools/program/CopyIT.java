/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.Hours;
import io.verbs4j.testsupport.StrictJson;
import io.verbs4j.tools.base.ExitCode;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests {@code verbs copy} between processes, on the embedded device. */
@Tag("e2e")
class CopyIT {
    private static final int MIB = 1 << 20;
    private static final String FAULTS =
            " -Dio.verbs4j.rxe.faults=drop=0.001,duplicate=0.001,delay=0.001,reorder=0.001,corrupt=0.001,seed=7";

    @TempDir
    Path temporary;

    private Path file(String name, long length) throws Exception {
        Path file = temporary.resolve(name);
        byte[] piece = new byte[MIB];
        Random random = new Random(length);
        try (OutputStream out = Files.newOutputStream(file)) {
            for (long at = 0; at < length; at += MIB) {
                random.nextBytes(piece);
                out.write(piece, 0, (int) Math.min(MIB, length - at));
            }
        }
        return file;
    }

    private Path in() throws Exception {
        return Files.createDirectories(temporary.resolve("in"));
    }

    private Path part(String name) throws Exception {
        return in().resolve("." + name + ".verbs-part");
    }

    private Program receiver(int port, String options) throws Exception {
        Program receiver = Program.start("copy --receive " + in() + " -p " + port + options);
        receiver.awaitError("waiting for senders on port ");
        receiver.awaitError(", into ");
        return receiver;
    }

    private static int port(Program receiver) {
        return Integer.parseInt(receiver.err().replaceAll("(?s).*on port (\\d+) of.*", "$1"));
    }

    private static String send(Path file, String path, Program receiver) {
        return "copy " + file + " localhost:" + path + " -p " + port(receiver);
    }

    /** Waits until a part file has the given number of bytes. Fails if the sender ends before. */
    private void awaitPart(String name, long bytes, Program sender) throws Exception {
        Path part = part(name);
        while (!Files.exists(part) || Files.size(part) < bytes) {
            assertThat(sender.process().isAlive()).as(sender::toString).isTrue();
            Thread.sleep(10);
        }
    }

    private void assertSame(Path file) throws Exception {
        Path copy = in().resolve(file.getFileName());
        assertThat(Files.mismatch(file, copy)).isEqualTo(-1);
        assertThat(Files.getLastModifiedTime(copy)).isEqualTo(Files.getLastModifiedTime(file));
        assertThat(Files.getPosixFilePermissions(copy)).isEqualTo(Files.getPosixFilePermissions(file));
        assertThat(part(file.getFileName().toString())).doesNotExist();
    }

    @Test
    void filesOfManySizesAreSentOnceOnly() throws Exception {
        List<Path> files = new ArrayList<>();
        for (int size : new int[] {0, 1, MIB - 1, MIB, MIB + 1, 20 * MIB + 5}) {
            files.add(file("of-" + size, size));
        }
        Files.setLastModifiedTime(files.get(1), FileTime.from(1_234_567_890_123_456L, TimeUnit.MICROSECONDS));
        String names = String.join(" ", files.stream().map(Path::toString).toList());
        try (Program receiver = receiver(0, "")) {
            String line = "copy " + names + " localhost: --json -p " + port(receiver);
            Map<String, Object> first =
                    StrictJson.object(Program.run(line).succeeds().out());
            assertThat((List<?>) first.get("files"))
                    .hasSize(6)
                    .allSatisfy(one -> assertThat((Map<?, ?>) one)
                            .extracting("sent", "verified")
                            .containsExactly(true, true));
            for (Path file : files) {
                assertSame(file);
            }
            Map<String, Object> second =
                    StrictJson.object(Program.run(line).succeeds().out());
            assertThat(((List<?>) second.get("files")).subList(1, 6))
                    .allSatisfy(one ->
                            assertThat((Map<?, ?>) one).extracting("sent").isEqualTo(false));
            assertThat(receiver.out().lines()).hasSize(12);
        }
    }

    @Test
    void receiverWithOnceEndsAfterOneSenderWithSameChecksum() throws Exception {
        Path file = file("a", 3 * MIB);
        try (Program receiver = receiver(0, " --once --json")) {
            Program sender = Program.run(send(file, "b", receiver)).succeeds();
            Map<String, Object> result = StrictJson.object(receiver.succeeds().out());
            Map<?, ?> one = (Map<?, ?>) ((List<?>) result.get("files")).get(0);
            assertThat(one.get("path")).isEqualTo("b");
            assertThat(sender.out())
                    .matches("a: 3145728 bytes in [0-9.]+ s \\([0-9.]+ MB/s\\), sha256 " + one.get("sha256")
                            + ", verified\n");
            assertThat(Files.mismatch(file, in().resolve("b"))).isEqualTo(-1);
        }
    }

    @Test
    void refusedFileFailsSenderButOthersAreCopied() throws Exception {
        Path file = file("a", 10);
        Path other = file("b", 10);
        Files.createDirectory(in().resolve("a"));
        Files.createDirectory(in().resolve("a/a"));
        try (Program receiver = receiver(0, "")) {
            Program.run("copy " + file + " " + other + " localhost:a/ -p " + port(receiver))
                    .fails(ExitCode.FAILED, "a: 'a' at the receiver is not a file that can be replaced");
            assertThat(in().resolve("a/b")).hasSize(10);
            Program.run(send(file, "../x", receiver))
                    .fails(ExitCode.FAILED, "verbs: a: '../x' contains '..', which could lead out of");
            assertThat(temporary.resolve("x")).doesNotExist();
        }
    }

    @Test
    void holesArePreserved() throws Exception {
        Path file = temporary.resolve("sparse");
        try (java.io.RandomAccessFile sparse = new java.io.RandomAccessFile(file.toFile(), "rw")) {
            sparse.setLength(300L * MIB);
            sparse.seek(100L * MIB);
            sparse.write(1);
        }
        try (Program receiver = receiver(0, "")) {
            Program.run(send(file, "", receiver)).succeeds();
            assertSame(file);
            Process du = new ProcessBuilder("du", "-k", in().resolve("sparse").toString()).start();
            long kib = Long.parseLong(du.inputReader().readLine().split("\t", -1)[0]);
            assertThat(kib).isLessThan(50 << 10);
        }
    }

    @Test
    void senderReconnectsToRestartedReceiver() throws Exception {
        killedInTheMiddle(40L * MIB, 10L * MIB, " --limit 10", "", 60);
    }

    @Test
    @Full
    void senderReconnectsToRestartedReceiverUnderLinkFaults() throws Exception {
        killedInTheMiddle(60L * MIB, 20L * MIB, "", FAULTS, 120);
    }

    /** Takes minutes, and 20 GiB in the folder for temporary files. */
    @Test
    @Hours
    void tenGibibytesAreCopiedUnderLinkFaults() throws Exception {
        killedInTheMiddle(10L << 30, 4L << 30, "", FAULTS, 7200);
    }

    private void killedInTheMiddle(long size, long kill, String limit, String faults, long seconds) throws Exception {
        Path file = file("big", size);
        int port;
        Program sender;
        try (Program receiver = receiver(0, faults)) {
            port = port(receiver);
            sender = Program.start(send(file, "", receiver) + limit + faults);
            awaitPart("big", kill, sender);
        } // kills the receiver
        try (sender;
                Program receiver = receiver(port, faults)) {
            assertThat(sender.process().waitFor(seconds, TimeUnit.SECONDS))
                    .as(sender::toString)
                    .isTrue();
            sender.succeeds();
            assertThat(sender.err()).contains("the connection was lost (");
            assertThat(sender.out())
                    .contains(" of them already there, reconnected ")
                    .endsWith(", verified\n");
            assertSame(file);
            assertThat(receiver.process().isAlive()).isTrue();
        }
    }

    @Test
    void senderGivesUpMissingReceiverAndSameCommandResumes() throws Exception {
        Path file = file("a", 30 * MIB);
        String line;
        int port;
        try (Program receiver = receiver(0, "")) {
            port = port(receiver);
            line = send(file, "", receiver);
            try (Program sender = Program.start(line + " --limit 10 --retry 1")) {
                awaitPart("a", 5 * MIB, sender);
                receiver.process().destroyForcibly().waitFor();
                sender.fails(ExitCode.FAILED, "retried for 1 s (--retry). The receiver keeps what it has");
            }
        }
        assertThat(part("a")).exists();
        assertThat(in().resolve("a")).doesNotExist();
        try (Program receiver = receiver(port, "")) {
            assertThat(Program.run(line).succeeds().out()).containsPattern("[1-9][0-9]* of them already there, sha256");
            assertSame(file);
            assertThat(receiver.out()).contains("of them already there");
        }
    }

    @Test
    void sameCommandResumesAfterInterruptedSender() throws Exception {
        Path file = file("a", 30 * MIB);
        try (Program receiver = receiver(0, "")) {
            try (Program sender = Program.start(send(file, "", receiver) + " --limit 10")) {
                awaitPart("a", 5 * MIB, sender);
                sender.process().toHandle().destroy(); // unlike the method of Process, leaves the output open
                assertThat(sender.await().process().exitValue()).isEqualTo(143);
                assertThat(sender.err()).contains("verbs: interrupted. The receiver keeps what it has");
            }
            assertThat(part("a")).exists();
            assertThat(Program.run(send(file, "", receiver)).succeeds().out()).contains("them already there, sha256");
            assertSame(file);
        }
    }

    @Test
    void changedSourceRestartsCopy() throws Exception {
        Path file = file("a", 30 * MIB);
        try (Program receiver = receiver(0, "")) {
            try (Program sender = Program.start(send(file, "", receiver) + " --limit 10")) {
                awaitPart("a", 5 * MIB, sender);
            }
            FileTime time = Files.getLastModifiedTime(file);
            byte[] bytes = Files.readAllBytes(file);
            bytes[3]++;
            Files.write(file, bytes);
            Files.setLastModifiedTime(file, time); // only the checksum reveals the change
            Program sender = Program.run(send(file, "", receiver)).succeeds();
            assertThat(sender.err()).containsPattern("a: starting over: the [0-9]+ bytes that the receiver has differ");
            assertSame(file);
        }
    }

    @Test
    void sourceChangedDuringCopyFails() throws Exception {
        Path file = file("a", 20 * MIB);
        try (Program receiver = receiver(0, "")) {
            try (Program sender = Program.start(send(file, "", receiver) + " --limit 10")) {
                awaitPart("a", 5 * MIB, sender);
                Files.setLastModifiedTime(file, FileTime.fromMillis(1));
                sender.fails(ExitCode.FAILED, "a: changed while it was being copied");
            }
            try (Program sender = Program.start(send(file, "", receiver) + " --limit 10")) {
                awaitPart("a", 5 * MIB, sender);
                Files.write(file, new byte[1]);
                sender.fails(ExitCode.FAILED, "a: became shorter while it was being copied");
            }
            receiver.awaitError("a: the sender gave up: became shorter");
            assertThat(in().resolve("a")).doesNotExist();
            assertThat(part("a")).doesNotExist();
        }
    }

    /** A limit on the size of files simulates a full disk. */
    @Test
    void writeFailureOfReceiverIsReportedBySender() throws Exception {
        Path file = file("a", 10 * MIB);
        List<String> limited = List.of("bash", "-c", "ulimit -S -f 4096; \"$@\"", "bash");
        try (Program receiver = Program.startWithin(limited, "copy --receive " + in() + " -p 0")) {
            receiver.awaitError(", into ");
            Program.run(send(file, "", receiver))
                    .fails(
                            ExitCode.FAILED,
                            "a: the receiver could not write 'a': File too large; the part received so far is kept");
            assertThat(part("a")).hasSize(4 * MIB);
            assertThat(in().resolve("a")).doesNotExist();
            Path small = file("b", MIB);
            Program.run(send(small, "", receiver)).succeeds();
            assertSame(small);
            receiver.process().descendants().forEach(ProcessHandle::destroyForcibly);
        }
    }

    @Test
    void sendingWithoutReceiverFails() throws Exception {
        Program.run("copy " + file("a", 1) + " localhost: -p 7198").fails(ExitCode.FAILED, "no listener there");
    }

    @Test
    void receivingAtTakenPortFails() throws Exception {
        try (Program receiver = receiver(0, "")) {
            Program second = Program.run("copy --receive " + in() + " -p " + port(receiver))
                    .fails(ExitCode.FAILED, "EADDRINUSE");
            assertThat(second.err()).doesNotContain("SEVERE");
        }
    }

    @Test
    void quietPrintsNothing() throws Exception {
        try (Program receiver = receiver(0, "")) {
            Program sender =
                    Program.run(send(file("a", 1), "", receiver) + " -q").succeeds();
            assertThat(sender.out() + sender.err()).isEmpty();
        }
    }
}
