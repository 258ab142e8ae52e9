/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore;

import io.verbs4j.AtomicCap;
import io.verbs4j.DeviceAttr;
import io.verbs4j.DeviceCap;
import io.verbs4j.Errno;
import io.verbs4j.QpCreateSendOps;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpInitAttrMask;
import io.verbs4j.QpType;
import io.verbs4j.TransportType;
import io.verbs4j.VerbsException;

/**
 * Determines which operations can be posted to a queue pair. Drivers differ in how they treat operations that a type or
 * device lacks, so they are checked here: at creation if the program lists them, otherwise at the post.
 *
 * <p>C's {@code send_ops_flags} are not used for that: they concern {@code ibv_wr_*}, which a driver may lack although
 * it posts these operations by {@code ibv_post_send}.
 */
final class SendOperations {
    private static final long SENDS = QpCreateSendOps.SEND | QpCreateSendOps.SEND_WITH_IMM;
    private static final long WRITES = QpCreateSendOps.RDMA_WRITE | QpCreateSendOps.RDMA_WRITE_WITH_IMM;
    private static final long ATOMICS = QpCreateSendOps.ATOMIC_CMP_AND_SWP | QpCreateSendOps.ATOMIC_FETCH_AND_ADD;
    private static final long IMMEDIATE = QpCreateSendOps.SEND_WITH_IMM | QpCreateSendOps.RDMA_WRITE_WITH_IMM;
    private static final long UNRELIABLE = SENDS | WRITES | QpCreateSendOps.BIND_MW;
    private static final long INVALIDATIONS = QpCreateSendOps.LOCAL_INV | QpCreateSendOps.SEND_WITH_INV;
    private static final long ALL = UNRELIABLE | QpCreateSendOps.RDMA_READ | ATOMICS;

    private SendOperations() {}

    /**
     * Returns the operations of a queue pair: the requested ones, or all.
     *
     * @param able all supported operations
     * @throws VerbsException {@link Errno#EOPNOTSUPP} if a requested one is not supported
     */
    static long of(String verb, QpInitAttrEx attr, long able) {
        if ((attr.compMask() & QpInitAttrMask.SEND_OPS_FLAGS) == 0) {
            return able;
        }
        long lacking = attr.sendOpsFlags() & ~able;
        if (lacking != 0) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    verb,
                    "sendOpsFlags has " + QpCreateSendOps.toString(lacking) + ", which a queue pair of type "
                            + QpType.toString(attr.qpType()) + " of this device does not support; it supports "
                            + QpCreateSendOps.toString(able));
        }
        return attr.sendOpsFlags();
    }

    /** {@return all operations that a queue pair type supports on a device} */
    static long able(int qpType, int transportType, DeviceAttr limits, boolean windows) {
        long able = ofType(qpType);
        if (transportType == TransportType.IWARP) {
            able &= ~IMMEDIATE; // its wire format has no place for them
        }
        if (limits.atomicCap() == AtomicCap.NONE) {
            able &= ~ATOMICS;
        }
        if (!windows) {
            able &= ~QpCreateSendOps.BIND_MW;
        }
        if (qpType == QpType.RC && hasTypeTwo(limits)) {
            able |= INVALIDATIONS;
        }
        return able;
    }

    /**
     * Returns whether the device has type 2 windows and the related operations. The extensions bit alone is not enough:
     * some devices set it for users inside the kernel.
     */
    static boolean hasTypeTwo(DeviceAttr limits) {
        long types = DeviceCap.MEM_WINDOW_TYPE_2A | DeviceCap.MEM_WINDOW_TYPE_2B;
        long caps = limits.deviceCaps();
        return (caps & DeviceCap.MEM_MGT_EXTENSIONS) != 0 && (caps & types) != 0;
    }

    private static long ofType(int qpType) {
        return switch (qpType) {
            case QpType.UD -> SENDS;
            case QpType.UC -> UNRELIABLE;
            case QpType.RAW_PACKET -> QpCreateSendOps.SEND;
            case QpType.XRC_RECV -> 0;
            default -> ALL;
        };
    }
}
