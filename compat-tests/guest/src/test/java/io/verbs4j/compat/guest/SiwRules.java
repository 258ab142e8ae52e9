/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.guest;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The expected results of the kit's rules on siw: rules that apply, rules about abilities that iWARP lacks, and
 * deviations.
 */
final class SiwRules {
    /** What siw lacks, in the words of the kit. */
    private static final List<String> LACKS = List.of(
            "requires unreliable connections,",
            "requires datagrams,",
            "requires unordered reliable datagrams,",
            "requires XRC,",
            "requires atomic operations,",
            "requires immediate data,",
            "requires receivers that report that they are not ready,",
            "requires memory windows,",
            "requires memory windows of type 2,",
            "requires resizable completion queues,",
            "requires extended completion queues,",
            "requires a readable clock,",
            "requires completion event moderation,",
            "requires send rate limits,",
            "requires atomic write,",
            "requires flush,",
            "requires fast registration of keys without memory,",
            "requires no-op requests,",
            "requires regions with a chosen address,",
            "requires zero-based regions,",
            "requires null regions,",
            "requires on-demand paging,",
            "requires device memory,",
            "requires thread domains and parent domains,",
            "requires queue pairs that wait for queues and enable others,",
            "requires contexts that share objects,",
            "requires completion counters,",
            "requires Ethernet frames,",
            "requires tag matching,",
            "requires tag-matching rendezvous,",
            "requires connection options,",
            "requires buffers that the device allocates,",
            "requires memory access hints,",
            "hasConnectingModify() is false",
            "the provider posts batches as lists of work requests");

    private static final Map<String, String> DEPARTURES = new HashMap<>();

    private static void departs(String said, String... rules) {
        for (String rule : rules) {
            DEPARTURES.put(rule, said);
        }
    }

    static {
        // In iWARP, a write or message completes when TCP has taken it, so a refusal is never reported for it.
        departs("is success, not remote", "R7.05", "R7.06", "R7.07", "R7.08", "R7.09", "R7.13", "R10.03");
        // siw has only one status for memory errors here.
        departs("local QP operation error, not local protection error", "R7.01", "R7.02", "R7.03", "R7.04");
        departs("general error, not local protection error", "R7.10");
        // There is no state RESET: queue pairs start in a state that counts as INIT, and connect once.
        departs("INIT, not RESET", "R3.01", "R3.08");
        departs("RTS to INIT", "R3.07");
        // In state ERR, siw accepts nothing more, but does not report it.
        departs("no completion in", "R10.02", "R21.10");
        // Shared receive queues cannot be queried, which their limits rely on, and have no last-request event.
        departs("query_srq: EOPNOTSUPP", "R8.02", "R8.04", "R8.05");
        departs("no event last WQE reached", "R8.06");
        // siw accepts attributes that it does not support, without reporting it.
        departs("REMOTE_ATOMIC (Capability.ATOMICS is not declared) was accepted", "R2.15");
        departs("ZERO_BASED (Capability.ZERO_BASED is not declared) was accepted", "R18.01");
        departs("although Capability.UC is not declared", "R13.08");
        departs("Capability.EXTENDED_CQ, which is not declared, was accepted", "R2.12");
        // No partitions; no port in the queue pair's attributes; capacities and sqSigAll are reported as libsiw set
        // them.
        departs("pkeyTblLen of port 1 is 0", "R2.02");
        departs("portNum of query is 0", "R4.14");
        departs("cap().maxSendWr of query is", "R2.06");
        departs("create_qp: EINVAL", "R2.11"); // a queue pair without room
        // A receive does not record whether its message was solicited.
        departs("no event although a solicited message followed", "R9.04");
        departs("no event although the last message of a batch was solicited", "R21.22");
    }

    /** siw leaves the requested values in kernel memory that was never cleared. */
    private static final Map<String, String> BY_CHANCE = Map.of("R3.04", "sqSigAll is false");

    private SiwRules() {}

    static boolean isOfKit(Outcome one) {
        return one.where().startsWith(KernelSiwKit.class.getSimpleName() + ".");
    }

    /** {@return the results that differ from these expectations} */
    static List<String> problems(List<Outcome> rules) {
        List<String> problems = new ArrayList<>();
        for (Outcome one : rules) {
            String departure = DEPARTURES.get(one.id());
            boolean expected = switch (one.word()) {
                case "pass" -> departure == null;
                case "skip" -> departure == null && LACKS.stream().anyMatch(one.said()::contains);
                default -> one.said().contains(departure != null ? departure : BY_CHANCE.getOrDefault(one.id(), "\t"));
            };
            if (!expected) {
                problems.add(one.word() + " " + one.id() + " " + one.name() + ": " + one.said());
            }
        }
        return problems;
    }
}
