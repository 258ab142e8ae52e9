/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import io.verbs4j.QpCreateSendOps;
import io.verbs4j.WrOpcode;
import java.util.Arrays;
import java.util.List;

/** What a reliable queue pair may be asked to do, and the capabilities that say so. */
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

    @SuppressWarnings("ImmutableEnumChecker") // List.of is immutable, and its type does not say so
    private final List<Capability> needs;

    Operation(int opcode, long bit, Capability... needs) {
        this.opcode = opcode;
        this.bit = bit;
        this.needs = List.of(needs);
    }

    boolean isStated(KitSettings kit) {
        return needs.stream().allMatch(capability -> capability.in(kit));
    }

    /** The methods that say so. */
    String methods() {
        return String.join(" and ", needs.stream().map(c -> c.method() + "()").toList());
    }

    /** Whether it is one that reliable datagrams may have. */
    boolean isOfDatagrams() {
        return compareTo(RDMA_READ) <= 0;
    }

    /** {@link QpCreateSendOps} bits of those that the device's reliable queue pairs are said to have. */
    static long stated(KitSettings kit) {
        if (!kit.hasRc()) {
            return Arrays.stream(values())
                    .filter(op -> op.isStated(kit) && op.isOfDatagrams())
                    .mapToLong(op -> op.bit)
                    .sum();
        }
        long bits = kit.hasMemoryWindows() ? QpCreateSendOps.BIND_MW : 0;
        bits |= kit.hasTypeTwoWindows() ? QpCreateSendOps.BIND_MW : 0;
        bits |= kit.hasTypeTwoWindows() || kit.hasFastRegister() ? QpCreateSendOps.LOCAL_INV : 0;
        bits |= kit.hasSendWithInvalidate() ? QpCreateSendOps.SEND_WITH_INV : 0;
        return bits
                | Arrays.stream(values())
                        .filter(op -> op.isStated(kit))
                        .mapToLong(op -> op.bit)
                        .sum();
    }
}
