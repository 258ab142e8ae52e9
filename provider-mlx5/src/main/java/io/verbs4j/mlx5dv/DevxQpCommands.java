/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

import io.verbs4j.AccessFlags;
import io.verbs4j.AhAttr;
import io.verbs4j.GlobalRoute;
import io.verbs4j.QpAttr;

/**
 * The commands that create a connected queue pair that only sends, and move it from state to state. Source: the
 * programmer's reference; Linux' mlx5_ifc.h.
 */
final class DevxQpCommands {
    private static final int LENGTH = 272;
    private static final int NUMBER = 0x48;

    /** Context of a completion queue. */
    private static final int CQ = 0x80;

    /** Context of a queue pair, and in it the path to the peer. */
    private static final int QP = 0xc0;

    private static final int PATH = QP + 0xc0;

    private static final int MIGRATED = 3;
    private static final int WITHOUT_RECEIVES = 3;
    private static final int LONGEST_MESSAGE = 30; // log2
    private static final int ACKS = 8; // log2: of how many packets one asks for an acknowledgment

    private static final int AV_RATE = 12; // and service level
    private static final int AV_UDP_PORT = 14;
    private static final int AV_MAC = 20;
    private static final int AV_MAC_LENGTH = 6;

    private DevxQpCommands() {}

    /** {@return the number of an object, from the output of the command that created it} */
    static int number(Mailbox out) {
        return out.getInt(NUMBER, 24);
    }

    private static Mailbox command(int opcode, int qpNum) {
        return new Mailbox(LENGTH).opcode(opcode).put(NUMBER, 24, qpNum);
    }

    static Mailbox createCq(int log, int uar, int eqn, int umem, long entries, long record) {
        return new Mailbox(LENGTH)
                .opcode(DevxOpcode.CREATE_CQ)
                .put(CQ + 0x20, 32, umem) // of the record
                .put(CQ + 0x63, 5, log)
                .put(CQ + 0x68, 24, uar)
                .put(CQ + 0xb8, 8, eqn)
                .put(CQ + 0x1c0, 64, record)
                .put(0x280, 64, entries)
                .put(0x2c0, 32, umem);
    }

    static Mailbox createQp(int log, int pd, int uar, int cq, int umem, long sends, long record) {
        return new Mailbox(LENGTH)
                .opcode(DevxOpcode.CREATE_QP)
                .put(QP + 0x13, 2, MIGRATED)
                .put(QP + 0x28, 24, pd)
                .put(QP + 0x51, 4, log)
                .put(QP + 0x68, 24, uar)
                .put(QP + 0x3e8, 24, cq)
                .put(QP + 0x4e8, 24, cq)
                .put(QP + 0x500, 64, record)
                .put(QP + 0x565, 3, WITHOUT_RECEIVES)
                .put(QP + 0x720, 32, umem) // of the record
                .put(0x800, 64, sends)
                .put(0x840, 32, umem);
    }

    static Mailbox toInit(int qpNum, QpAttr attr) {
        int access = attr.qpAccessFlags();
        return command(DevxOpcode.RST2INIT_QP, qpNum)
                .put(QP + 0x13, 2, MIGRATED)
                .put(QP + 0x490, 1, bit(access, AccessFlags.REMOTE_READ))
                .put(QP + 0x491, 1, bit(access, AccessFlags.REMOTE_WRITE))
                .put(QP + 0x492, 1, bit(access, AccessFlags.REMOTE_ATOMIC))
                .put(QP + 0x493, 4, bit(access, AccessFlags.REMOTE_ATOMIC)) // the first of the modes
                .put(PATH + 0x10, 16, attr.pkeyIndex())
                .put(PATH + 0x128, 8, attr.portNum());
    }

    private static int bit(int flags, int flag) {
        return (flags & flag) == 0 ? 0 : 1;
    }

    /**
     * Returns the command that connects it to a peer.
     *
     * @param vector the 48 bytes of the peer's address vector
     * @param ethernet whether the port is one of RoCE
     */
    static Mailbox toRtr(int qpNum, QpAttr attr, int portNum, byte[] vector, boolean ethernet) {
        Mailbox in = command(DevxOpcode.INIT2RTR_QP, qpNum)
                .put(QP + 0x40, 3, attr.pathMtu())
                .put(QP + 0x43, 5, LONGEST_MESSAGE)
                .put(QP + 0xa8, 24, attr.destQpNum())
                .put(QP + 0x488, 3, log(attr.maxDestRdAtomic()))
                .put(QP + 0x4a3, 5, attr.minRnrTimer())
                .put(QP + 0x4a8, 24, attr.rqPsn())
                .put(PATH + 0x128, 8, portNum);
        path(in, attr.ahAttr(), vector, ethernet);
        return in;
    }

    private static void path(Mailbox in, AhAttr to, byte[] vector, boolean ethernet) {
        if (ethernet) {
            in.put(PATH + 0x121, 3, to.sl() & 7);
            in.put(PATH + 0x106, 6, to.grh().trafficClass() >> 2);
            in.put(PATH + 0x110, 16, bigEndian(vector, AV_UDP_PORT, 2));
            in.put(PATH + 0x130, 48, bigEndian(vector, AV_MAC, AV_MAC_LENGTH));
        } else {
            in.put(PATH + 0x28, 1, to.isGlobal() ? 1 : 0);
            in.put(PATH + 0x29, 7, to.srcPathBits());
            in.put(PATH + 0x30, 16, to.dlid());
            in.put(PATH + 0x54, 4, bigEndian(vector, AV_RATE, 1) >> 4);
            in.put(PATH + 0x124, 4, to.sl());
        }
        if (ethernet || to.isGlobal()) {
            GlobalRoute route = to.grh();
            in.put(PATH + 0x48, 8, route.sgidIndex());
            in.put(PATH + 0x58, 8, route.hopLimit());
            in.put(PATH + 0x64, 8, route.trafficClass());
            in.put(PATH + 0x6c, 20, route.flowLabel());
            in.put(PATH + 0x80, 64, route.dgid().subnetPrefix());
            in.put(PATH + 0xc0, 64, route.dgid().interfaceId());
        }
    }

    private static long bigEndian(byte[] from, int at, int length) {
        long value = 0;
        for (int i = 0; i < length; i++) {
            value = value << Byte.SIZE | from[at + i] & 0xff;
        }
        return value;
    }

    static Mailbox toRts(int qpNum, QpAttr attr) {
        return command(DevxOpcode.RTR2RTS_QP, qpNum)
                .put(QP + 0x380, 4, ACKS)
                .put(QP + 0x388, 3, log(attr.maxRdAtomic()))
                .put(QP + 0x38d, 3, attr.retryCnt())
                .put(QP + 0x390, 3, attr.rnrRetry())
                .put(QP + 0x3c8, 24, attr.sqPsn())
                .put(PATH + 0x40, 5, attr.timeout());
    }

    static Mailbox toError(int qpNum) {
        return new Mailbox(Mailbox.HEADER_LENGTH).opcode(DevxOpcode.QP_2ERR).put(NUMBER, 24, qpNum);
    }

    /** {@return the logarithm of a number to base 2, rounded up} */
    static int log(int n) {
        return n < 2 ? 0 : Integer.SIZE - Integer.numberOfLeadingZeros(n - 1);
    }
}
