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
            "is for devices with unreliable connections,",
            "is for devices with datagrams,",
            "is for devices with reliable datagrams without order,",
            "is for devices with XRC,",
            "is for devices with atomic operations,",
            "is for devices with immediate data,",
            "is for devices with answers of a receiver that is not ready,",
            "is for devices with memory windows,",
            "is for devices with memory windows of type 2,",
            "is for devices with completion queues that can be resized,",
            "is for devices with extended completion queues,",
            "is for devices with a clock that can be read,",
            "is for devices with moderation of completion events,",
            "is for devices with limits of the rate of sending,",
            "is for devices with atomic write,",
            "is for devices with flush,",
            "is for devices with keys without memory and fast register,",
            "is for devices with requests that do nothing,",
            "is for devices with regions by any address,",
            "is for devices with regions whose addresses count from 0,",
            "is for devices with regions of nothing,",
            "is for devices with regions that are paged in on demand,",
            "is for devices with memory on the device,",
            "is for devices with thread domains and parent domains,",
            "is for devices with queue pairs that wait for queues and let others begin,",
            "is for devices with contexts that share objects,",
            "is for devices with completion counters,",
            "is for devices with frames of Ethernet,",
            "is for devices with tag matching,",
            "is for devices with rendezvous of tag matching,",
            "is for devices with options of connections,",
            "is for devices with buffers that the device allocates,",
            "is for devices with hints for its accesses to memory,",
            "hasConnectingModify() says",
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
        departs("REMOTE_ATOMIC, where Capability.ATOMICS is not declared, was accepted", "R2.15");
        departs("ZERO_BASED, where Capability.ZERO_BASED is not declared, was accepted", "R18.01");
        departs("where Capability.UC is not declared", "R13.08");
        departs("Capability.EXTENDED_CQ, which the kit is told the device does not have, was accepted", "R2.12");
        // No partitions; no port in the queue pair's attributes; capacities and sqSigAll are reported as libsiw set
        // them.
        departs("pkeyTblLen of port 1 is 0", "R2.02");
        departs("portNum of query is 0", "R4.14");
        departs("cap().maxSendWr of query is", "R2.06");
        departs("create_qp: EINVAL", "R2.11"); // a queue pair without room
        // A receive does not record whether its message was solicited.
        departs("no event though a solicited message came", "R9.04");
        departs("no event though the last message of a batch was solicited", "R21.22");
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
