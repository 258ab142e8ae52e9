/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.testsupport.Extent;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The embedded Soft-RoCE device keeps every rule of the kit. Like every RoCE device, it lacks unordered reliable
 * datagrams; it also lacks Ethernet frames, and over channels it cannot export a context.
 */
class RxeKitIT {
    private static final String ONE_COPY = "by one copy";
    private static final String CHANNELS = "packets by channels";

    /** {@return all ways, or for the short command the one between two processes of a machine} */
    static Stream<Arguments> ways() {
        String loopback = "io.verbs4j.rxe.loopback";
        String oneCopy = "io.verbs4j.rxe.onecopy";
        return Stream.of(
                        Arguments.of("within the JVM", Map.of()),
                        Arguments.of(ONE_COPY, Map.of(loopback, "false")),
                        Arguments.of("packets by system calls", Map.of(loopback, "false", oneCopy, "false")),
                        Arguments.of(CHANNELS, Map.of(loopback, "false", "io.verbs4j.rxe.link", "nio")))
                .filter(way -> Extent.isFull() || way.get()[0].equals(ONE_COPY));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("ways")
    void embeddedDeviceKeepsEveryRule(String way, Map<String, String> properties, @TempDir Path folder)
            throws Exception {
        Path counters = folder.resolve("counters");
        Map<String, String> all = new HashMap<>(properties);
        all.put("io.verbs4j.rxe.counters", counters.toString());
        Set<Capability> lacking = way.equals(CHANNELS)
                ? Set.of(
                        Capability.RELIABLE_DATAGRAMS,
                        Capability.ETHERNET,
                        Capability.ECE,
                        Capability.DMA_HINTS,
                        Capability.IMPORTS)
                : Set.of(Capability.RELIABLE_DATAGRAMS, Capability.ETHERNET, Capability.ECE, Capability.DMA_HINTS);
        List<String> others = KitVerificationTest.rules().stream()
                .map(RxeKitIT::rule)
                .filter(rule -> !Collections.disjoint(Arrays.asList(rule.needs()), lacking))
                .map(Rule::id)
                .toList();

        KitRun run = KitRun.onRxe(RxeKit.class, all);

        assertThat(run.failed()).isEmpty();
        assertThat(run.skipped().keySet()).containsExactlyInAnyOrderElementsOf(others);
        assertThat(run.passed()).hasSize(KitVerificationTest.rules().size() - others.size());
        String counted = Files.readString(counters);
        assertThat(counted.contains("tx_onecopy_records")).as(counted).isEqualTo(way.equals(ONE_COPY));
    }

    private static Rule rule(Method method) {
        return method.getAnnotation(Rule.class);
    }
}
