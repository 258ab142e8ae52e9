/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.traffic;

import io.verbs4j.QpType;

/** The transport services that the tools can use. */
public enum Service {
    /** Reliable connection. */
    RC(QpType.RC),
    /** Unreliable connection. */
    UC(QpType.UC),
    /** Unreliable datagram. */
    UD(QpType.UD),
    /** Reliable connections whose receives come from one shared receive queue. */
    SRQ(QpType.RC),
    /** Scalable reliable datagram of EFA: what arrives arrives once, in no order. */
    SRD(QpType.DRIVER);

    /** Bytes in front of each received datagram: the global route header. */
    public static final int GRH_LENGTH = 40;

    private final int qpType;

    Service(int qpType) {
        this.qpType = qpType;
    }

    /** The {@link QpType} value. */
    public int qpType() {
        return qpType;
    }

    /** Whether the device sends again what was lost, and tells when it can't. */
    public boolean isReliable() {
        return qpType == QpType.RC || this == SRD;
    }

    /** Whether a queue pair has one peer; else each message says where it goes. */
    public boolean isConnected() {
        return this != UD && this != SRD;
    }

    /** Whether what is posted in a row arrives and completes in that order. */
    public boolean keepsOrder() {
        return isConnected();
    }

    /** Bytes that a receive buffer must have in front of the message. */
    public int headroom() {
        return this == UD ? GRH_LENGTH : 0;
    }

    /** The name on the command line. */
    public String label() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }

    /** The service of a name, or null. */
    public static Service of(String label) {
        for (Service service : values()) {
            if (service.label().equals(label)) {
                return service;
            }
        }
        return null;
    }
}
