/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.bench;

import io.verbs4j.QpCreateSendOps;
import io.verbs4j.tools.traffic.Service;

/** The operation to measure. */
enum Operation {
    /** Messages that consume receives of the peer. */
    SEND,
    /** RDMA writes. */
    WRITE,
    /** RDMA reads. */
    READ,
    /** Fetch and add, and compare and swap, alternating. */
    ATOMIC;

    /** {@return whether a service supports it} */
    boolean works(Service service) {
        return switch (this) {
            case SEND -> service != Service.SRQ;
            case WRITE -> service == Service.RC || service == Service.UC || service == Service.SRD;
            case READ -> service == Service.RC || service == Service.SRD;
            case ATOMIC -> service == Service.RC;
        };
    }

    /** {@return the operations that a device must support, {@link QpCreateSendOps} bits} */
    long needs() {
        return switch (this) {
            case SEND -> QpCreateSendOps.SEND | QpCreateSendOps.SEND_WITH_IMM; // the immediate data numbers messages
            case WRITE -> QpCreateSendOps.RDMA_WRITE;
            case READ -> QpCreateSendOps.RDMA_READ;
            case ATOMIC -> QpCreateSendOps.ATOMIC_CMP_AND_SWP | QpCreateSendOps.ATOMIC_FETCH_AND_ADD;
        };
    }

    /** {@return the services that support it, for people} */
    String services() {
        return switch (this) {
            case SEND -> "rc, uc, ud and srd";
            case WRITE -> "rc, uc and srd";
            case READ -> "rc and srd";
            case ATOMIC -> "rc only";
        };
    }

    String label() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}
