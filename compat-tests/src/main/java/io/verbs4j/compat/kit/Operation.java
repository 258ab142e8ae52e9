/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import io.verbs4j.QpCreateSendOps;
import io.verbs4j.WrOpcode;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** An operation of reliable queue pairs, and the capabilities that declare it. */
enum Operation {
    SEND(WrOpcode.SEND, QpCreateSendOps.SEND, Capability.SEND),
    SEND_WITH_IMM(WrOpcode.SEND_WITH_IMM, QpCreateSendOps.SEND_WITH_IMM, Capability.SEND, Capability.IMMEDIATE),
    RDMA_WRITE(WrOpcode.RDMA_WRITE, QpCreateSendOps.RDMA_WRITE, Capability.RDMA_WRITE),
    RDMA_WRITE_WITH_IMM(
            WrOpcode.RDMA_WRITE_WITH_IMM,
            QpCreateSendOps.RDMA_WRITE_WITH_IMM,
            Capability.RDMA_WRITE,
            Capability.IMMEDIATE),
    RDMA_READ(WrOpcode.RDMA_READ, QpCreateSendOps.RDMA_READ, Capability.RDMA_READ),
    ATOMIC_CMP_AND_SWP(WrOpcode.ATOMIC_CMP_AND_SWP, QpCreateSendOps.ATOMIC_CMP_AND_SWP, Capability.ATOMICS),
    ATOMIC_FETCH_AND_ADD(WrOpcode.ATOMIC_FETCH_AND_ADD, QpCreateSendOps.ATOMIC_FETCH_AND_ADD, Capability.ATOMICS);

    final int opcode;
    final long bit;

    @SuppressWarnings("ImmutableEnumChecker") // List.of is immutable, but its type does not say so
    private final List<Capability> needs;

    Operation(int opcode, long bit, Capability... needs) {
        this.opcode = opcode;
        this.bit = bit;
        this.needs = List.of(needs);
    }

    boolean isStated(Rig rig) {
        return needs.stream().allMatch(capability -> rig.has(capability));
    }

    /** {@return whether the operation is declared, in words that follow "where"} */
    String stated(Rig rig) {
        return needs.stream().map(rig::stated).collect(Collectors.joining(" and "));
    }

    /** {@return whether reliable datagrams may have the operation} */
    boolean isOfDatagrams() {
        return compareTo(RDMA_READ) <= 0;
    }

    /** {@return {@link QpCreateSendOps} bits of the declared operations of reliable queue pairs} */
    static long allStated(Rig rig) {
        if (!rig.has(Capability.RC)) {
            return Arrays.stream(values())
                    .filter(op -> op.isStated(rig) && op.isOfDatagrams())
                    .mapToLong(op -> op.bit)
                    .sum();
        }
        long bits = rig.has(Capability.MEMORY_WINDOWS) ? QpCreateSendOps.BIND_MW : 0;
        bits |= rig.has(Capability.TYPE_2_WINDOWS) ? QpCreateSendOps.BIND_MW : 0;
        bits |= rig.has(Capability.TYPE_2_WINDOWS) || rig.has(Capability.FAST_REGISTER) ? QpCreateSendOps.LOCAL_INV : 0;
        bits |= rig.has(Capability.SEND_WITH_INV) ? QpCreateSendOps.SEND_WITH_INV : 0;
        return bits
                | Arrays.stream(values())
                        .filter(op -> op.isStated(rig))
                        .mapToLong(op -> op.bit)
                        .sum();
    }
}
