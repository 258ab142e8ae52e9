/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.local;

import io.verbs4j.Gid;
import io.verbs4j.SendFlags;
import io.verbs4j.WcFlags;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;
import io.verbs4j.provider.rxe.qp.AddressVector;
import io.verbs4j.provider.rxe.qp.RxeAddressHandle;
import io.verbs4j.provider.rxe.qp.RxeQp;
import io.verbs4j.provider.rxe.queue.RecvQueue;
import io.verbs4j.provider.rxe.queue.RecvWqe;
import io.verbs4j.provider.rxe.queue.ScatterList;
import io.verbs4j.provider.rxe.queue.SendWqe;

/** Datagrams between queue pairs of one JVM. Each sending queue pair has an instance, guarded by its send lock. */
public final class LocalDatagrams {
    /** Bytes of UDP, BTH, DETH and ICRC, which the length in the GRH includes. */
    private static final int OVERHEAD = 8 + 12 + 8 + 4;

    private final GrhWriter grh = new GrhWriter();

    /**
     * Delivers a datagram if the receiver accepts it. Otherwise it is lost, as datagrams may be.
     *
     * @param from the sender
     * @param wqe the request, whose memory was checked
     * @param to the receiver
     * @param destination GID that it was sent to: a port's or a group's
     * @return false if the sender's memory has been deregistered or unmapped in the meantime
     */
    public boolean deliver(RxeQp from, SendWqe wqe, RxeQp to, Gid destination) {
        int qkey = wqe.remoteQkey < 0 ? from.settings().qkey() : wqe.remoteQkey;
        synchronized (to.recvLock) {
            if (!to.isReceiving() || qkey != to.settings().qkey()) {
                return true;
            }
            RecvWqe wqeThere = to.datagramWqe();
            int size = (int) wqe.data.total();
            if (to.takeReceive(wqeThere, GrhWriter.LENGTH + size) != RecvQueue.TAKEN) {
                return true;
            }
            AddressVector av = ((RxeAddressHandle) wqe.ah).av;
            long header = grh.write(
                    av.source(), destination, OVERHEAD + size, av.trafficClass(), av.flowLabel(), av.hopLimit());
            int copied = wqeThere.data.scatter(to.keys(), to.pd(), 0, header, GrhWriter.LENGTH);
            if (copied == ScatterList.OK) {
                copied = ScatterList.copy(
                        wqe.data, from.keys(), from.pd(), 0, wqeThere.data, to.keys(), to.pd(), GrhWriter.LENGTH);
            }
            int status = WcStatus.SUCCESS;
            if (copied == ScatterList.OTHER_NOT_ALLOWED) {
                status = WcStatus.WR_FLUSH_ERR; // the sender's memory: the receiver is not at fault
            } else if (copied != ScatterList.OK) {
                status = WcStatus.LOC_PROT_ERR;
            }
            to.noteCommunication();
            boolean immediate = wqe.opcode == WrOpcode.SEND_WITH_IMM;
            to.completeReceive(
                    wqeThere,
                    status,
                    WcOpcode.RECV,
                    GrhWriter.LENGTH + size,
                    WcFlags.GRH | (immediate ? WcFlags.WITH_IMM : 0),
                    immediate ? wqe.immData : 0,
                    from.qpNum(),
                    wqe.has(SendFlags.SOLICITED));
            if (status == WcStatus.LOC_PROT_ERR) {
                to.enterErrorSoon();
            }
            return status != WcStatus.WR_FLUSH_ERR;
        }
    }
}
