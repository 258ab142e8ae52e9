/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.compat.kit.model.Fault;
import io.verbs4j.compat.kit.model.Traits;
import io.verbs4j.compat.kit.model.Unlike;
import io.verbs4j.testsupport.Extent;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The kit accepts devices that lack capabilities, and finds authors' declarations that claim too much or too little.
 */
class KitCapabilitiesTest {
    /** The rules about declarations. */
    private static final Set<String> DECLARED = Set.of(
            "R2.12", "R2.13", "R2.14", "R2.15", "R2.20", "R2.22", "R4.13", "R6.04", "R6.05", "R7.13", "R13.08",
            "R16.01", "R18.01", "R19.05", "R24.14");

    /** One in this many rules runs on a device that lacks something. */
    private static final int SAMPLE = 6;

    /** The short test command tests one in this many devices. */
    private static final int SHORT_TAKES_ONE_OF = 16;

    private static final Set<Capability> NOTHING = EnumSet.noneOf(Capability.class);

    static List<Capability> capabilities() {
        return Extent.some(List.of(Capability.values()), SHORT_TAKES_ONE_OF);
    }

    private static String names(Set<Capability> capabilities) {
        return capabilities.stream().map(Capability::name).collect(Collectors.joining(","));
    }

    /** Includes the capabilities that are useless without this one. */
    private static Set<Capability> with(Capability capability) {
        return switch (capability) {
            case RC -> {
                EnumSet<Capability> connected = EnumSet.range(Capability.ATOMIC_WRITE, Capability.CROSS_CHANNEL);
                connected.remove(Capability.BLOCK_SELF_MULTICAST);
                connected.addAll(EnumSet.range(Capability.TAG_MATCHING, Capability.ECE));
                connected.add(capability);
                yield connected;
            }
            case SEND ->
                EnumSet.of(
                        capability,
                        Capability.UD,
                        Capability.MULTICAST,
                        Capability.RNR,
                        Capability.XRC,
                        Capability.SEND_WITH_INV,
                        Capability.TAG_MATCHING,
                        Capability.TAG_RENDEZVOUS,
                        Capability.BLOCK_SELF_MULTICAST);
            case UD -> EnumSet.of(capability, Capability.MULTICAST, Capability.BLOCK_SELF_MULTICAST);
            case REGION_KEYS ->
                EnumSet.of(
                        capability,
                        Capability.MEMORY_WINDOWS,
                        Capability.TYPE_2_WINDOWS,
                        Capability.SEND_WITH_INV,
                        Capability.FAST_REGISTER,
                        Capability.READ_WITH_INV,
                        Capability.REG_MR_EX,
                        Capability.DMABUF,
                        Capability.ZERO_BASED,
                        Capability.NULL_MR,
                        Capability.DEVICE_MEMORY);
            case MULTICAST -> EnumSet.of(capability, Capability.BLOCK_SELF_MULTICAST);
            case RDMA_WRITE -> EnumSet.of(capability, Capability.ATOMIC_WRITE);
            case RDMA_READ -> EnumSet.of(capability, Capability.READ_WITH_INV, Capability.TAG_RENDEZVOUS);
            case FAST_REGISTER -> EnumSet.of(capability, Capability.READ_WITH_INV);
            case TAG_MATCHING -> EnumSet.of(capability, Capability.TAG_RENDEZVOUS);
            case ATOMICS -> EnumSet.of(capability, Capability.MASKED_ATOMICS);
            case FLUSH -> EnumSet.of(capability, Capability.FLUSH_PERSISTENT);
            case REG_MR_EX -> EnumSet.of(capability, Capability.DMABUF);
            case ON_DEMAND -> EnumSet.of(capability, Capability.ADVISE_MR);
            case PARENT_DOMAIN -> EnumSet.of(capability, Capability.RING_ALLOCATORS);
            case TYPE_2_WINDOWS -> EnumSet.of(capability, Capability.SEND_WITH_INV);
            case EXTENDED -> {
                EnumSet<Capability> table = EnumSet.range(Capability.EXTENDED_CQ, Capability.DMA_HINTS);
                table.addAll(EnumSet.of(capability, Capability.XRC, Capability.SEND_OPS));
                yield table;
            }
            case SEVERAL_CONTEXTS -> EnumSet.of(capability, Capability.IMPORTS);
            case ETHERNET -> EnumSet.range(Capability.ETHERNET, Capability.WORK_QUEUES);
            case CHECKSUMS -> EnumSet.of(capability, Capability.TSO);
            case EXTENDED_CQ ->
                EnumSet.of(
                        capability,
                        Capability.COMPLETION_TIMESTAMPS,
                        Capability.TAG_MATCHING,
                        Capability.TAG_RENDEZVOUS);
            case QUERY_DEVICE_EX -> {
                EnumSet<Capability> told = EnumSet.range(Capability.ATOMIC_WRITE, Capability.CROSS_CHANNEL);
                told.addAll(EnumSet.range(Capability.CHECKSUMS, Capability.TSO));
                told.addAll(EnumSet.of(Capability.TAG_MATCHING, Capability.TAG_RENDEZVOUS));
                told.addAll(EnumSet.of(
                        capability, Capability.COMPLETION_TIMESTAMPS, Capability.MODIFY_CQ, Capability.RATE_LIMIT));
                yield told;
            }
            default -> EnumSet.of(capability);
        };
    }

    private static Map<String, String> model(Set<Capability> lacking, Set<Capability> unstated) {
        return new HashMap<>(Map.of(Traits.LACKS, names(lacking), ModelKit.UNSTATED, names(unstated)));
    }

    @ParameterizedTest
    @MethodSource("capabilities")
    void deviceDeclaringMissingCapabilityIsCertified(Capability capability) throws Exception {
        Predicate<String> some = KitVerificationTest.oneOf(SAMPLE, capability);
        KitRun run = KitRun.of(model(with(capability), with(capability)), some.or(DECLARED::contains));

        assertThat(run.failed()).isEmpty();
        assertThat(run.passed()).hasSizeGreaterThan(KitVerificationTest.EVERY_RULE ? 30 : 30 / SAMPLE);
        assertThat(run.skipped().values()).allMatch(reason -> reason.length() > 20);
    }

    @ParameterizedTest
    @MethodSource("capabilities")
    void undeclaredCapabilityIsFound(Capability capability) throws Exception {
        KitRun run = KitRun.of(model(NOTHING, with(capability)), DECLARED::contains);

        assertThat(run.failed().values())
                .as("%s", run.failed())
                .anyMatch(said -> names(said, capability) && !said.startsWith("rule R2.13"));
    }

    @ParameterizedTest
    @MethodSource("capabilities")
    void missingDeclaredCapabilityIsFound(Capability capability) throws Exception {
        KitRun run = KitRun.of(model(with(capability), NOTHING), DECLARED::contains);

        assertThat(run.failed()).isNotEmpty();
    }

    /** The model without a table is of level 1. */
    @Test
    void earlierProviderIsNotJudgedByLaterRules() throws Exception {
        Set<Capability> table = with(Capability.EXTENDED);
        KitRun run = KitRun.of(model(table, table), Set.of("R2.14", "R21.01", "R21.09")::contains);

        assertThat(run.failed()).isEmpty();
        assertThat(run.passed().keySet()).containsExactly("R2.14");
        assertThat(run.skipped().keySet()).containsExactlyInAnyOrder("R21.01", "R21.09");
        assertThat(run.skipped().get("R21.09"))
                .contains("R21.09 binds providers written for level 3 or later")
                .contains("but level() is 1;");
    }

    private static Map<String, String> writeOnly() {
        return writeOnly(
                EnumSet.of(Capability.RC, Capability.RDMA_WRITE, Capability.SEVERAL_CONTEXTS, Capability.REGION_KEYS));
    }

    /**
     * The device supports only RDMA write: three ports, one domain, opened once, one key for all regions, no events,
     * and no table unless requested.
     */
    private static Map<String, String> writeOnly(Set<Capability> has) {
        Set<Capability> others = EnumSet.complementOf(EnumSet.copyOf(has));
        Map<String, String> model = model(others, others);
        model.put(Traits.PORTS, "3");
        model.put(Traits.DOMAINS, "1");
        return model;
    }

    @Test
    void writeOnlyDeviceIsCertified() throws Exception {
        KitRun run = KitRun.of(writeOnly());

        assertThat(run.failed()).isEmpty();
        assertThat(run.passed())
                .containsKeys("R7.01", "R7.02", "R7.03", "R7.04", "R4.14", "R2.14")
                .hasSizeGreaterThan(50);
    }

    /** The same with a table, which answers programs that ask first. */
    @Test
    void writeOnlyDeviceSkipsOnlyWhatItLacks() throws Exception {
        Set<Capability> has =
                EnumSet.of(Capability.RC, Capability.RDMA_WRITE, Capability.EXTENDED, Capability.QUERY_DEVICE_EX);
        KitRun run = KitRun.of(writeOnly(has));

        assertThat(run.failed()).isEmpty();
        assertThat(run.passed()).containsKeys("R2.22", "R7.01", "R7.13", "R13.02", "R13.08");
        Map<String, String> reasons = new TreeMap<>();
        run.skipped()
                .forEach(
                        (rule, reason) -> reasons.put(rule, reason(reason, EnumSet.complementOf(EnumSet.copyOf(has)))));
        assertThat(reasons)
                .containsEntry("R2.10", "SEVERAL_CONTEXTS")
                .containsEntry("R7.05", "REGION_KEYS")
                .containsEntry("R7.03", "maxPd")
                .containsEntry("R4.01", "SEND")
                .containsEntry("R8.02", "SRQ")
                .containsEntry("R9.01", "COMPLETION_EVENTS")
                .doesNotContainValue("");
        assertThat(run.passed().size() + reasons.size())
                .isEqualTo(KitVerificationTest.rules().size());
    }

    /** Whether a message names a capability; one name may be a prefix of another. */
    private static boolean names(String said, Capability capability) {
        return Pattern.compile(Pattern.quote(capability.label()) + "\\b")
                .matcher(said)
                .find();
    }

    /** {@return why a rule was skipped; empty unless the reason is a declared or reported one} */
    private static String reason(String said, Set<Capability> lacking) {
        return lacking.stream()
                .filter(capability -> names(said, capability))
                .map(Capability::name)
                .findFirst()
                .orElse(said.contains("maxPd of queryDevice is 1") ? "maxPd" : "");
    }

    /** The model answers programs differently from what the kit declares. */
    @Test
    void wrongAnswerToProgramsIsFound() throws Exception {
        Set<Capability> has = EnumSet.of(
                Capability.RC,
                Capability.RDMA_WRITE,
                Capability.EXTENDED,
                Capability.QUERY_DEVICE_EX,
                Capability.SEVERAL_CONTEXTS);
        Map<String, String> model = writeOnly(has);
        model.put(Fault.PROPERTY, Fault.TELLS_EXCLUSIVE.name());

        assertThat(KitRun.of(model).failed().keySet()).containsExactly("R13.08");
    }

    @ParameterizedTest
    @EnumSource(
            names = {
                "SECOND_PORT_LOSES",
                "SECOND_PORT_NO_GID",
                "ANY_LOCAL_KEY",
                "WRITES_ANY_LOCAL_KEY",
                "WRITES_NO_LOCAL_BOUNDS",
                "WRITES_ANY_DOMAIN",
                "NEVER_DEREGISTERS",
                "UNKNOWN_OPCODE_EINVAL",
                "OVERTAKES",
                "SIGNALS_ALL",
                "IGNORES_SIGNAL_ALL",
                "POLLS_BACKWARDS",
                "POLLS_CLOSED",
                "KEEPS_COMPLETIONS",
                "FLUSHES_SIGNALED_ONLY",
                "GATHERS_BACKWARDS",
                "SENDS_IN_INIT",
                "OWN_NAMES",
            })
    void writeOnlyDeviceIsJudgedByGeneralRules(Fault fault) throws Exception {
        Map<String, String> model = writeOnly();
        model.put(Fault.PROPERTY, fault.name());

        KitRun run = KitRun.of(model, KitVerificationTest.some(fault));

        Set<String> broken = new TreeSet<>(fault.rules());
        broken.removeAll(run.skipped().keySet()); // rules that such a device skips
        assertThat(run.failed().keySet()).as("%s", run.failed()).isEqualTo(broken);
    }

    /** Whether peers may write even if the device cannot is declared separately, and must be true as well. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void writesByPeersAreDeclaredSeparately(boolean stated) throws Exception {
        Set<Capability> writes = with(Capability.RDMA_WRITE);
        Map<String, String> model = model(writes, writes);
        model.put(ModelKit.PEERS_WRITE, "" + stated);

        KitRun run = KitRun.of(model, "R2.15"::equals);

        assertThat(run.failed().keySet()).isEqualTo(stated ? Set.of("R2.15") : Set.of());
        model = model(NOTHING, writes);
        model.put(ModelKit.PEERS_WRITE, "" + stated);
        run = KitRun.of(model, "R2.15"::equals);
        assertThat(run.failed().keySet()).isEqualTo(stated ? Set.of() : Set.of("R2.15"));
    }

    /** The peculiarities of a write-only device are declared separately, and must be true both ways. */
    @ParameterizedTest
    @EnumSource
    void peculiaritiesAreDeclaredSeparately(Unlike unlike) throws Exception {
        Set<Capability> has = EnumSet.of(Capability.RC, Capability.RDMA_WRITE, Capability.ASYNC_EVENTS);
        Map<String, String> model = writeOnly(has);
        model.put(Unlike.PROPERTY, unlike.name());
        model.put(ModelKit.SAYS_UNLIKE, unlike.name());
        assertThat(KitRun.of(model).failed()).isEmpty();

        Set<String> judged = switch (unlike) {
            case LATE_NUMBERS -> Set.of("R2.08");
            case NO_REMOTE_REASONS -> Set.of("R7.08", "R10.03");
            case OVERRUN_SPARES -> Set.of("R10.07");
        };
        model.remove(ModelKit.SAYS_UNLIKE);
        assertThat(KitRun.of(model, judged::contains).failed().keySet()).isEqualTo(judged);
        model.remove(Unlike.PROPERTY);
        model.put(ModelKit.SAYS_UNLIKE, unlike.name());
        assertThat(KitRun.of(model, judged::contains).failed().keySet()).isEqualTo(judged);
    }

    /** The device sends only reliable datagrams. */
    private static Map<String, String> datagramsOnly() {
        Set<Capability> connections = EnumSet.copyOf(with(Capability.RC));
        connections.addAll(EnumSet.of(
                Capability.UC, Capability.XRC, Capability.SRQ, Capability.MEMORY_WINDOWS, Capability.TYPE_2_WINDOWS));
        connections.addAll(EnumSet.of(Capability.SEND_WITH_INV, Capability.ATOMICS, Capability.RESIZE_CQ));
        connections.remove(Capability.PARENT_DOMAIN);
        return model(connections, connections);
    }

    @Test
    void datagramOnlyDeviceIsCertified() throws Exception {
        KitRun run = KitRun.of(datagramsOnly());

        assertThat(run.failed()).isEmpty();
        assertThat(run.passed()).containsKeys(GENERAL.toArray(String[]::new));
    }

    /** The rules that involve no connection. Each must be found broken on a device without connections. */
    private static final Set<String> GENERAL = KitVerificationTest.rules().stream()
            .map(method -> method.getAnnotation(Rule.class))
            .filter(rule -> rule.oneOf().length != 0)
            .map(Rule::id)
            .collect(Collectors.toCollection(TreeSet::new));

    static List<Fault> generalFaults() {
        List<Fault> all = Arrays.stream(Fault.values())
                .filter(fault -> GENERAL.contains(fault.rule))
                .filter(fault -> fault != Fault.IGNORES_DM_BITS) // needs memory that such a device lacks
                .filter(fault -> fault != Fault.COUNTS_SIGNALED) // all of its requests are signaled
                .toList();
        return Extent.some(all, SHORT_TAKES_ONE_OF);
    }

    @ParameterizedTest
    @MethodSource("generalFaults")
    void datagramOnlyDeviceIsJudgedByGeneralRules(Fault fault) throws Exception {
        Map<String, String> model = datagramsOnly();
        model.put(Fault.PROPERTY, fault.name());

        KitRun run = KitRun.of(model, fault.rule::equals);

        assertThat(run.failed()).containsKey(fault.rule);
    }

    /** Otherwise a capability could hide behind another: a rule without a capability applies to every device. */
    @Test
    void everyCapabilityHasRules() {
        Set<Capability> needed = KitVerificationTest.rules().stream()
                .flatMap(
                        method -> Arrays.stream(method.getAnnotation(Rule.class).needs()))
                .collect(Collectors.toSet());

        assertThat(needed).containsExactlyInAnyOrder(Capability.values());
    }
}
