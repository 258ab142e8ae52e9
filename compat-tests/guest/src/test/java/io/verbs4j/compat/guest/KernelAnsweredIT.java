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
 * Atomic writes and flushes in both directions between the embedded device and a kernel that supports them. The
 * kernel's end is a C program on a libibverbs that supports them.
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
        // Uses the headers of that release; every function it calls is in each release, or a pointer that the driver
        // sets.
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

    /** Answers are lost, yet each write takes effect exactly once: the last one stays. */
    @Test
    void atomicWritesSurviveLostAnswers() throws IOException, InterruptedException {
        List<String> lines = run("asked", "drop=0.05,seed=3");
        assertThat(lines).contains("embedded requests: 300 atomic writes");
        assertThat(counter(lines, "go_backs")).isPositive();
    }

    /**
     * The kernel's ICRC of a flush covers the packet twice. The embedded device accepts both forms. When its own flush
     * gets no answer, it repeats it once in the other form, and then keeps to that form.
     */
    @Test
    void flushesArriveBothWays() throws IOException, InterruptedException {
        List<String> lines = run("flushes", "");
        assertThat(lines).contains("embedded requests: 50 flushes", "kernel requests: 50 flushes");
        assertThat(lines).noneMatch(line -> line.startsWith("embedded rx_drop_icrc"));
        assertThat(counter(lines, "go_backs")).isEqualTo(1);
    }

    /**
     * When the kernel repeats an atomic write, it has lost the address and sends 0 (Linux 7.2: {@code req_retry}
     * handles only reads, writes and atomics). If the write had arrived, the answer is repeated from memory; otherwise
     * address 0 is outside the key's region.
     */
    @Test
    void kernelFailsToRepeatLostAtomicWrite() throws IOException, InterruptedException {
        List<String> lines = run("asking", "drop=0.05,seed=3");
        assertThat(lines)
                .anyMatch(line -> line.matches("kernel requests: the last of \\d+ atomic writes: remote access error"));
    }
}
