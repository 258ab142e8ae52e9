/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.guest;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.compat.built.TestClasses;
import io.verbs4j.provider.rxe.RxeProvider;
import io.verbs4j.rdmacore.RdmaCoreProvider;
import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.Hours;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The kernel's devices through libibverbs: every rule of the kit, the tests of the embedded device's behaviour, and
 * misuse.
 */
@Full
class KernelRulesIT {
    private static final String BEHAVIOUR = "io.verbs4j.provider.rxe.behaviour.";

    /** The generic binding posts every batch as a list. */
    private static final String AS_LISTS = "the provider posts batches as lists of work requests";

    /** What rdma_rxe lacks, in the words of the kit. */
    private static final List<String> LACKS = List.of(
            "unordered reliable datagrams",
            "XRC",
            "completion time stamps",
            "a readable clock",
            "completion event moderation",
            "send rate limits",
            "atomic write",
            "flush",
            "flush to persistent memory",
            "masked atomics",
            "fast registration of keys without memory",
            "RDMA read with invalidate",
            "no-op requests",
            "null regions",
            "on-demand paging",
            "memory advice",
            "device memory",
            "thread domains and parent domains",
            "ring allocators",
            "regions of a file descriptor in place of a dma-buf",
            "queue pairs that do not receive their own multicasts",
            "queue pairs that wait for queues and enable others",
            "contexts that share objects",
            "completion counters",
            "Ethernet frames",
            "tag matching",
            "tag-matching rendezvous",
            "connection options",
            "buffers that the device allocates",
            "memory access hints");

    @TempDir
    Path scratch;

    /** {@return the behaviour tests that apply to any device, not just the embedded one} */
    private static List<String> behaviours(String... names) {
        return Stream.of(names).map(name -> BEHAVIOUR + name + "PathsTest").toList();
    }

    /** Runs all tests on the quickest kernel; if it is emulated, only datagrams among the behaviour tests. */
    @Test
    void rulesAndBehaviourHold() {
        Guest guest = Guest.quickest();
        List<String> classes = new ArrayList<>(List.of(KernelRxeKit.class.getName()));
        if (guest.isSlow()) {
            classes.addAll(behaviours("Ud"));
            judge(guest, 500, 5, classes, 100);
            return;
        }
        classes.addAll(behaviours("Rc", "Uc", "Ud", "Allocation"));
        classes.add("io.verbs4j.provider.rxe.misuse.MisuseIT"); // a crash of this JVM would end the run
        judge(guest, 240, 3, classes, 190);
    }

    /** The distribution's kernel as delivered, which deviates in other places. */
    @Test
    @Hours
    void rulesHoldOnDistributionKernel() {
        judge(Guest.qemu(), 300, 4, List.of(KernelRxeKit.class.getName()), 90);
    }

    private void judge(Guest guest, int timeout, int patience, List<String> classes, int atLeast) {
        List<String> command = new ArrayList<>(List.of(
                Guest.script("rules"),
                TestClasses.path(RxeProvider.class, RdmaCoreProvider.class),
                deviationsProgram().toString(),
                "" + patience,
                guest.isSlow() ? HeapGuard.NONE : HeapGuard.compile(scratch).toString()));
        command.addAll(classes);
        Guest.Result result = guest.run("pair", timeout, command);
        String output = String.join("\n", result.lines());
        List<Outcome> outcomes = Outcome.of(result.lines());
        assertThat(result.status()).as(output).isZero();
        assertThat(Outcome.told(result.lines()))
                .as(output)
                .isEqualTo(outcomes.size())
                .isGreaterThanOrEqualTo(atLeast);
        String kernel = only(result.lines(), "kernel\t");
        List<String> problems = new ArrayList<>();
        List<String> report = new ArrayList<>();
        Map<String, String> inC = inC(result.lines());
        for (Deviation one : Deviation.values()) {
            if (one.isOn(kernel, inC) && !one.isSeenInC(inC.getOrDefault(one.cName, ""))) {
                problems.add(one + ": C does not see it: " + inC.get(one.cName));
            }
        }
        for (Outcome one : outcomes) {
            Deviation known = Deviation.of(one.id(), kernel, inC).orElse(null);
            judge(known, one, problems, report);
        }
        keep(kernel, report);
        assertThat(problems).as("Linux %s", kernel).isEmpty();
    }

    private static void judge(Deviation known, Outcome one, List<String> problems, List<String> report) {
        String line = one.id() + " " + one.name();
        switch (one.word()) {
            case "pass" -> {
                report.add("pass  " + line);
                if (known != null && !known.isByChance()) {
                    problems.add(line + " passes: " + known + " is gone");
                }
            }
            case "skip" -> {
                report.add("skip  " + line + ": " + one.said());
                if (!one.said().contains(AS_LISTS)
                        && LACKS.stream().noneMatch(what -> one.said().contains("requires " + what + ","))) {
                    problems.add(line + " was skipped: " + one.said());
                }
            }
            default -> {
                report.add("known " + line + ": " + (known == null ? "?" : known.why));
                if (known == null || !known.explains(one.said())) {
                    problems.add(line + " failed: " + one.said());
                }
            }
        }
    }

    /** Reads what C saw: without it, a deviation would be just a failed test. */
    private static Map<String, String> inC(List<String> lines) {
        Map<String, String> seen = new TreeMap<>();
        lines.stream().filter(line -> line.startsWith("c\t")).forEach(line -> {
            String[] parts = line.split("\t", 3);
            seen.put(parts[1], parts[2]);
        });
        return seen;
    }

    private static String only(List<String> lines, String prefix) {
        return lines.stream()
                .filter(line -> line.startsWith(prefix))
                .map(line -> line.substring(prefix.length()))
                .collect(Collectors.joining());
    }

    private Path deviationsProgram() {
        Path program = scratch.resolve("deviations");
        Guest.compile(List.of("gcc", "-O1", "-o", program.toString(), Guest.script("deviations.c"), "-libverbs"));
        return program;
    }

    /** Keeps a report of every result for readers. */
    private static void keep(String kernel, List<String> report) {
        try {
            Path file = Path.of("target", "kernel-rules-" + kernel + ".txt");
            Files.createDirectories(file.getParent());
            Files.write(file, report.stream().sorted().toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
