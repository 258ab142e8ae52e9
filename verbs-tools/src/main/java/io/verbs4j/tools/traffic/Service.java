/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.traffic;

import io.verbs4j.QpType;

/** Transport services that the tools support. */
public enum Service {
    /** Reliable connection. */
    RC(QpType.RC),
    /** Unreliable connection. */
    UC(QpType.UC),
    /** Unreliable datagram. */
    UD(QpType.UD),
    /** Reliable connections that share one receive queue. */
    SRQ(QpType.RC),
    /** Scalable reliable datagram of EFA: messages arrive exactly once, in any order. */
    SRD(QpType.DRIVER);

    /** Bytes in front of each received datagram: the global route header. */
    public static final int GRH_LENGTH = 40;

    private final int qpType;

    Service(int qpType) {
        this.qpType = qpType;
    }

    /** {@return the {@link QpType} value} */
    public int qpType() {
        return qpType;
    }

    /** {@return whether the device retransmits what was lost, and reports when it can't} */
    public boolean isReliable() {
        return qpType == QpType.RC || this == SRD;
    }

    /** {@return whether a queue pair has one peer; otherwise each message names its destination} */
    public boolean isConnected() {
        return this != UD && this != SRD;
    }

    /** {@return whether messages arrive and complete in the order of their posting} */
    public boolean keepsOrder() {
        return isConnected();
    }

    /** {@return bytes that a receive buffer needs in front of the message} */
    public int headroom() {
        return this == UD ? GRH_LENGTH : 0;
    }

    /** {@return the name on the command line} */
    public String label() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }

    /** {@return the service with a name, or null} */
    public static Service of(String label) {
        for (Service service : values()) {
            if (service.label().equals(label)) {
                return service;
            }
        }
        return null;
    }
}
