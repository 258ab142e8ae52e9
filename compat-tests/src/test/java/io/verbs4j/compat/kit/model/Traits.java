/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit.model;

import io.verbs4j.AccessFlags;
import io.verbs4j.DeviceTraits;
import io.verbs4j.MwType;
import io.verbs4j.QpCreateSendOps;
import io.verbs4j.QpType;
import io.verbs4j.WrOpcode;
import io.verbs4j.compat.kit.Capability;
import java.util.EnumSet;
import java.util.Set;
import java.util.regex.Pattern;

/** The abilities and the size of the model. By default it supports everything, on two ports; properties change that. */
public final class Traits {
    /** System property: the capabilities that the model lacks, separated by commas. */
    public static final String LACKS = "io.verbs4j.compat.kit.model.lacks";

    /** System property: the number of its ports. */
    public static final String PORTS = "io.verbs4j.compat.kit.model.ports";

    /** System property: the number of protection domains of each open device. */
    public static final String DOMAINS = "io.verbs4j.compat.kit.model.domains";

    // Read when the class is loaded: each run of the kit loads the model again.
    static final int PORT_COUNT = Integer.getInteger(PORTS, 2);
    static final int MAX_PD = Integer.getInteger(DOMAINS, 10_000);
    private static final Set<Capability> LACKING = capabilities(System.getProperty(LACKS, ""));

    static final int OF_QUEUE_PAIRS =
            AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ | AccessFlags.REMOTE_ATOMIC;

    private Traits() {}

    /** {@return the capabilities with these names, separated by commas} */
    public static Set<Capability> capabilities(String names) {
        Set<Capability> all = EnumSet.noneOf(Capability.class);
        Pattern.compile(",")
                .splitAsStream(names)
                .filter(name -> !name.isEmpty())
                .forEach(name -> all.add(Capability.valueOf(name)));
        return all;
    }

    /** Whether the model has a capability. */
    public static boolean has(Capability capability) {
        return !LACKING.contains(capability);
    }

    static boolean hasType(int qpType) {
        return switch (qpType) {
            case QpType.RC -> has(Capability.RC);
            case QpType.UC -> has(Capability.UC);
            case QpType.UD -> has(Capability.UD);
            case QpType.XRC_SEND, QpType.XRC_RECV -> has(Capability.XRC);
            case QpType.DRIVER -> has(Capability.RELIABLE_DATAGRAMS);
            case QpType.RAW_PACKET -> has(Capability.ETHERNET);
            default -> false;
        };
    }

    /** {@return the peculiarities of the model as {@link DeviceTraits} bits} */
    static long told() {
        long exclusive = has(Capability.SEVERAL_CONTEXTS) && !Fault.TELLS_EXCLUSIVE.on() ? 0 : DeviceTraits.EXCLUSIVE;
        long keys = has(Capability.REGION_KEYS) ? 0 : DeviceTraits.KEYS_BY_CONNECTION;
        long events = has(Capability.COMPLETION_EVENTS) ? 0 : DeviceTraits.NO_COMPLETION_EVENTS;
        return exclusive | keys | events | DeviceTraits.DEVICE_ADDRESSES;
    }

    static boolean hasReceives() {
        return has(Capability.SEND) || has(Capability.IMMEDIATE);
    }

    /** Whether a queue pair of a type supports an operation. */
    static boolean hasOperation(int qpType, int opcode) {
        if (qpType == QpType.RAW_PACKET) {
            return opcode == WrOpcode.SEND || opcode == WrOpcode.TSO && has(Capability.TSO);
        }
        boolean reliable = qpType == QpType.RC || qpType == QpType.XRC_SEND;
        boolean reads = reliable || qpType == QpType.DRIVER;
        boolean writes = reads || qpType == QpType.UC;
        return qpType != QpType.XRC_RECV
                && switch (opcode) {
                    case WrOpcode.SEND -> has(Capability.SEND);
                    case WrOpcode.SEND_WITH_IMM -> has(Capability.SEND) && has(Capability.IMMEDIATE);
                    case WrOpcode.RDMA_WRITE -> writes && has(Capability.RDMA_WRITE);
                    case WrOpcode.RDMA_WRITE_WITH_IMM ->
                        writes && has(Capability.RDMA_WRITE) && has(Capability.IMMEDIATE);
                    case WrOpcode.RDMA_READ -> reads && has(Capability.RDMA_READ);
                    case WrOpcode.ATOMIC_CMP_AND_SWP, WrOpcode.ATOMIC_FETCH_AND_ADD ->
                        reliable && has(Capability.ATOMICS);
                    case WrOpcode.BIND_MW ->
                        (qpType == QpType.RC || qpType == QpType.UC) && has(Capability.TYPE_2_WINDOWS);
                    case WrOpcode.LOCAL_INV ->
                        qpType == QpType.RC && (has(Capability.TYPE_2_WINDOWS) || Later.isThere(opcode));
                    case WrOpcode.SEND_WITH_INV -> qpType == QpType.RC && has(Capability.SEND_WITH_INV);
                    default -> qpType == QpType.RC && Later.isThere(opcode);
                };
    }

    /** {@return the operations of a queue pair type as {@link QpCreateSendOps} bits} */
    static long operations(int qpType) {
        long bits = has(Capability.MEMORY_WINDOWS) ? QpCreateSendOps.BIND_MW : 0;
        for (int opcode = 0; opcode <= WrOpcode.RECV_ENABLE; opcode++) {
            bits |= hasOperation(qpType, opcode) ? QpCreateSendOps.of(opcode) : 0;
        }
        return bits;
    }

    /** Whether a queue pair of a type supports all these {@link QpCreateSendOps} bits. */
    static boolean hasOperations(int qpType, long bits) {
        return (bits & ~operations(qpType)) == 0;
    }

    /** {@return the access rights that a region can have} */
    static int rights() {
        int rights = AccessFlags.LOCAL_WRITE;
        rights |= has(Capability.RDMA_WRITE) ? AccessFlags.REMOTE_WRITE : 0;
        rights |= has(Capability.RDMA_READ) ? AccessFlags.REMOTE_READ : 0;
        rights |= has(Capability.ATOMICS) ? AccessFlags.REMOTE_ATOMIC : 0;
        rights |= hasWindows(MwType.TYPE_1) || hasWindows(MwType.TYPE_2) ? AccessFlags.MW_BIND : 0;
        return rights | LaterMemory.rights();
    }

    /** Whether a region can have these rights; unknown optional ones are dropped. */
    static boolean hasRights(int access) {
        int refused = access & ~rights();
        return (refused & ~(Fault.OPTIONAL_RIGHT_REFUSED.on() ? 0 : AccessFlags.OPTIONAL_RANGE)) == 0
                || Fault.ANY_RIGHT.on();
    }

    static boolean hasWindows(int type) {
        return type == MwType.TYPE_1 && has(Capability.MEMORY_WINDOWS)
                || type == MwType.TYPE_2 && has(Capability.TYPE_2_WINDOWS);
    }
}
