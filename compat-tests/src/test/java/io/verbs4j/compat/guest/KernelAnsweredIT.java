/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.guest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.verbs4j.compat.built.TestClasses;
import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.program.RdmaCore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Atomic writes and flushes between the embedded device and a kernel that has them, in both directions; the kernel's end is a program
 * in C, by a libibverbs that has them.
 */
@Full
class KernelAnsweredIT {
    private static final int RELEASE = 65;

    @TempDir
    Path scratch;

    private List<String> run(String mode, String faults) throws IOException, InterruptedException {
        Guest guest = Guest.quickest();
        assumeFalse(guest.isSlow(), "the distribution's kernel has neither: VERBS4J_UML names no newer one");
        Path root = RdmaCore.release(RELEASE).resolve("root");
        Path program = scratch.resolve("answered");
        // Headers of that release; what it calls is in every release, or a pointer that the driver fills in.
        Guest.compile(List.of(
                "gcc",
                "-O1",
                "-Wall",
                "-Werror",
                "-I",
                root.resolve("usr/include").toString(),
                "-o",
                program.toString(),
                Guest.script("answered.c"),
                "-libverbs"));
        Guest.Result result = guest.run(
                "wire",
                180,
                List.of(root),
                List.of(Guest.script("answered"), TestClasses.path(), program.toString(), mode, faults));
        assertThat(result.status()).as(String.join("\n", result.lines())).isZero();
        assertThat(result.lines()).contains("done " + mode);
        return result.lines();
    }

    private static long counter(List<String> lines, String name) {
        return lines.stream()
                .filter(line -> line.startsWith("embedded " + name + " "))
                .mapToLong(line -> Long.parseLong(line.substring(line.lastIndexOf(' ') + 1)))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void atomicWritesArriveBothWays() throws IOException, InterruptedException {
        List<String> lines = run("writes", "");
        assertThat(lines).contains("embedded requests: 300 atomic writes", "kernel requests: 300 atomic writes");
        assertThat(lines).noneMatch(line -> line.startsWith("embedded rx_drop_icrc"));
    }

    /** Answers are lost, and each write is done once all the same: the last one stays. */
    @Test
    void atomicWritesSurviveLostAnswers() throws IOException, InterruptedException {
        List<String> lines = run("asked", "drop=0.05,seed=3");
        assertThat(lines).contains("embedded requests: 300 atomic writes");
        assertThat(counter(lines, "go_backs")).isPositive();
    }

    /**
     * The kernel's ICRC of a flush counts the packet twice. Both are taken here; a flush of ours that gets no answer goes by the other one,
     * once: then it is known.
     */
    @Test
    void flushesArriveBothWays() throws IOException, InterruptedException {
        List<String> lines = run("flushes", "");
        assertThat(lines).contains("embedded requests: 50 flushes", "kernel requests: 50 flushes");
        assertThat(lines).noneMatch(line -> line.startsWith("embedded rx_drop_icrc"));
        assertThat(counter(lines, "go_backs")).isEqualTo(1);
    }

    /**
     * Of an atomic write the kernel, when it sends it again, has forgotten the address: it names 0 (Linux 7.2; {@code req_retry} knows reads,
     * writes and atomics). One that had arrived is answered from memory; of one that had not the key does not reach there.
     */
    @Test
    void kernelFailsToRepeatLostAtomicWrite() throws IOException, InterruptedException {
        List<String> lines = run("asking", "drop=0.05,seed=3");
        assertThat(lines)
                .anyMatch(line -> line.matches("kernel requests: the last of \\d+ atomic writes: remote access error"));
    }
}
