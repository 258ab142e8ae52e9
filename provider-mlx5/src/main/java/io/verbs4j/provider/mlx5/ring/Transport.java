/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.ring;

import io.verbs4j.QpType;

/** The kinds of send queues, and the size of the segment that their elements have between control and data. */
public enum Transport {
    /** Reliable connection. */
    RC(0),
    /** Unreliable connection: no reads and no atomics. */
    UC(0),
    /** Unreliable datagram: only sends, each with an address. */
    UD(48),
    /** The sending side of an extended reliable connection. */
    XRC(16),
    /** Dynamically connected initiator: each request with an address and an access key. */
    DCI(48),
    /** Raw packets: each with an Ethernet segment, which {@link FrameElements} writes. */
    RAW(16);

    private final int size;

    Transport(int size) {
        this.size = size;
    }

    /** Returns the transport of a {@link QpType} that sends. */
    public static Transport of(int qpType) {
        return switch (qpType) {
            case QpType.RC -> RC;
            case QpType.UC -> UC;
            case QpType.UD -> UD;
            case QpType.XRC_SEND -> XRC;
            case QpType.RAW_PACKET -> RAW;
            default -> DCI;
        };
    }

    /** Returns the size of its segment in bytes. */
    int size() {
        return size;
    }
}
