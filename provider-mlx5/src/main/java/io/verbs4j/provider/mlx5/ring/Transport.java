/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.ring;

import io.verbs4j.Errno;
import io.verbs4j.QpType;
import io.verbs4j.WrOpcode;

/** What a queue pair sends, and what the elements of its send queue hold between control and data. */
public enum Transport {
    /** Reliable connection. */
    RC(0),
    /** Unreliable connection: no reads, no atomics. */
    UC(0),
    /** Unreliable datagram: sends alone, each with an address. */
    UD(48),
    /** The sending side of an extended reliable connection. */
    XRC(16),
    /** Dynamically connected initiator: each request with an address and an access key. */
    DCI(48);

    private static final int ALL = (1 << WrOpcode.ATOMIC_FETCH_AND_ADD + 1) - 1;
    private static final int ATOMICS = 1 << WrOpcode.ATOMIC_CMP_AND_SWP | 1 << WrOpcode.ATOMIC_FETCH_AND_ADD;
    private static final int SENDS = 1 << WrOpcode.SEND | 1 << WrOpcode.SEND_WITH_IMM;

    private final int size;

    Transport(int size) {
        this.size = size;
    }

    /** That of a {@link QpType} which sends. */
    public static Transport of(int qpType) {
        return switch (qpType) {
            case QpType.RC -> RC;
            case QpType.UC -> UC;
            case QpType.UD -> UD;
            case QpType.XRC_SEND -> XRC;
            default -> DCI;
        };
    }

    /** The size of its segment, in bytes. */
    int size() {
        return size;
    }

    /** A bit for each {@link WrOpcode} that it sends. */
    int opcodes(boolean atomics) {
        int able = this == UD ? SENDS : this == UC ? ALL & ~ATOMICS & ~(1 << WrOpcode.RDMA_READ) : ALL;
        return atomics ? able : able & ~ATOMICS;
    }

    /** What one is refused for that it does not send, on this device. */
    int refusal(int opcode) {
        return opcode >= 0 && opcode <= WrOpcode.ATOMIC_FETCH_AND_ADD && (opcodes(true) >>> opcode & 1) != 0
                ? Errno.EOPNOTSUPP // atomics, which the device has not
                : Errno.EINVAL;
    }
}
