/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit.model;

import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * The sends of a queue pair of reliable datagrams: nothing moves until a program polls for a completion. Then the next
 * one is any that can go, in an order given by a seed.
 */
final class ModelSrd {
    static final int LONGEST = 1 << 20;
    private static final int SEED = 22;
    private static final int MANY = 8;
    private static final int INLINE = 16;

    /** The number of address handles of each domain: the target of a read or write must have one. */
    private static final Map<ProtectionDomain, Integer> WAYS = new HashMap<>();

    private final ModelQp qp;
    private final Random order = new Random(SEED);
    private int before = WcStatus.SUCCESS;
    private Send lastImmediate;
    private ModelQp firstPeer;

    ModelSrd(ModelQp qp) {
        this.qp = qp;
    }

    static boolean is(ModelQp qp) {
        return qp.type() == QpType.DRIVER;
    }

    static void ways(ProtectionDomain pd, int more) {
        synchronized (Fabric.LOCK) {
            WAYS.merge(pd.base(), more, Integer::sum);
        }
    }

    /** Sends one request that can be sent now, if there is any. */
    boolean runOnce(Deque<Send> sends) {
        List<Send> all = new ArrayList<>(sends);
        if (Fault.SRD_HOLDS_UP.on()) {
            all = all.subList(0, Math.min(1, all.size()));
        }
        Collections.shuffle(all, order);
        for (Send send : all) {
            int status = qp.state() == QpState.RTS ? run(send) : Transfer.LATER;
            if (status != Transfer.LATER) {
                int told = Fault.SRD_STATUS_OF_BEFORE.on() && sends.size() > MANY ? before : status;
                before = status;
                sends.remove(send);
                qp.complete(send, told);
                if (Fault.SRD_FAILS_QP.on() && status == WcStatus.RETRY_EXC_ERR) {
                    qp.stop();
                }
                return true;
            }
        }
        return false;
    }

    private int run(Send send) {
        boolean message = send.opcode == WrOpcode.SEND || send.opcode == WrOpcode.SEND_WITH_IMM;
        byte[] data = send.opcode == WrOpcode.RDMA_READ ? new byte[send.length()] : data(send);
        if (data == null) {
            return Fault.SRD_LOCAL_KEY_STATUS.on() ? WcStatus.LOC_QP_OP_ERR : WcStatus.LOC_PROT_ERR;
        }
        if (message && data.length > LONGEST && !Fault.SRD_NO_LONGEST.on()) {
            return WcStatus.LOC_LEN_ERR;
        }
        ModelQp to = Fault.SECOND_PORT_LOSES.on() && qp.attributes().portNum() == 2 ? null : peer(send);
        if (to == null || !is(to) || to.state() != QpState.RTR && to.state() != QpState.RTS) {
            return WcStatus.RETRY_EXC_ERR;
        }
        if (to.attributes().qkey() != send.remoteQkey && !Fault.SRD_ANY_QKEY.on()) {
            return WcStatus.RESP_TIMEOUT_ERR;
        }
        Transfer transfer = new Transfer(qp, send);
        if (message) {
            return message(transfer, send, to, data);
        }
        if (WAYS.getOrDefault(to.handle.pd().base(), 0) == 0) {
            return Fault.SRD_WAITS_FOR_WAY.on() ? Transfer.LATER : WcStatus.REM_OP_ERR;
        }
        if (data.length == 1 && (send.opcode == WrOpcode.RDMA_READ ? Fault.SRD_READ_LOST : Fault.SRD_WRITE_LOST).on()) {
            return WcStatus.SUCCESS;
        }
        return send.opcode == WrOpcode.RDMA_READ ? transfer.read(to) : transfer.write(to, data, true);
    }

    private int message(Transfer transfer, Send send, ModelQp to, byte[] data) {
        boolean chosen = data.length == 107;
        if (chosen && Fault.SRD_LOSES.on()) {
            return WcStatus.SUCCESS;
        }
        if (Fault.SRD_IMMEDIATE_OF_LAST.on() && send.opcode == WrOpcode.SEND_WITH_IMM) {
            send.immediateOf = lastImmediate;
            lastImmediate = send;
        }
        int status = transfer.message(to, data, true);
        if (chosen && Fault.SRD_TWICE.on()) {
            transfer.message(to, data, true);
        }
        return status == WcStatus.RNR_RETRY_EXC_ERR && Fault.SRD_RNR_STATUS.on() ? WcStatus.RETRY_EXC_ERR : status;
    }

    private byte[] data(Send send) {
        byte[] data = send.gather(qp.handle.pd());
        if (data != null && Fault.SRD_ONE_PIECE.on()) {
            return Arrays.copyOf(data, send.pieces[0].length());
        }
        return data != null && send.inline() && Fault.SRD_INLINE_CUT.on() ? Arrays.copyOf(data, INLINE) : data;
    }

    private ModelQp peer(Send send) {
        ModelQp to = Fabric.QPS.get(send.remoteQpn);
        if (firstPeer == null) {
            firstPeer = to;
        }
        return Fault.SRD_FIRST_PEER.on() && send.length() == 77 ? firstPeer : to;
    }
}
