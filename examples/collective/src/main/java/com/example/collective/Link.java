/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package com.example.collective;

import io.verbs4j.AhAttr;
import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.Gid;
import io.verbs4j.MemoryRegion;
import io.verbs4j.PortAttr;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpAttr;
import io.verbs4j.QpState;
import io.verbs4j.QueuePair;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WrOpcode;
import java.util.ArrayList;
import java.util.List;

/** The connections with one neighbour, one by each port. What is written goes by all of them, a stripe by each. */
final class Link implements AutoCloseable {
    private static final int TIMEOUT = 14; // 67 ms
    private static final int RETRIES = 7;
    private static final int HOP_LIMIT = 64;

    /** What the neighbour has to know: where the queue pair of each port is, and where memory. */
    record Address(List<Gid> gids, List<Integer> lids, List<Integer> qpNums, long memory, int rkey) {}

    private final Context context;
    private final Fabric fabric;
    private final MemoryRegion mr;
    private final List<QueuePair> qps;
    private final SendWorkRequest data = request(0);
    private final SendWorkRequest flag = request(SendFlags.SIGNALED);
    private Address peer;

    Link(Context context, Fabric fabric, ProtectionDomain pd, MemoryRegion mr) {
        this.context = context;
        this.fabric = fabric;
        this.mr = mr;
        qps = fabric.queuePairs(pd);
    }

    private SendWorkRequest request(int flags) {
        return new SendWorkRequest()
                .opcode(WrOpcode.RDMA_WRITE)
                .sendFlags(flags)
                .sgList(new ScatterGatherElement());
    }

    Address address() {
        List<Gid> gids = new ArrayList<>();
        List<Integer> lids = new ArrayList<>();
        for (int port : fabric.ports()) {
            gids.add(context.queryGid(port, 0));
            lids.add(context.queryPort(port).lid());
        }
        return new Address(gids, lids, qps.stream().map(QueuePair::qpNum).toList(), mr.addr(), mr.rkey());
    }

    String numbers() {
        return fabric.numbers(qps);
    }

    /** Connects with the neighbour, who does the same. */
    void connect(Address to) {
        peer = to;
        for (int i = 0; i < qps.size(); i++) {
            int number = fabric.ports().get(i);
            PortAttr port = context.queryPort(number);
            AhAttr path = new AhAttr().portNum(number).dlid(to.lids().get(i)).isGlobal(true);
            path.grh().dgid(to.gids().get(i)).sgidIndex(0).hopLimit(HOP_LIMIT);
            qps.get(i)
                    .modify(new QpAttr()
                            .qpState(QpState.RTR)
                            .ahAttr(path)
                            .destQpNum(to.qpNums().get(i))
                            .rqPsn(0)
                            .pathMtu(port.activeMtu())
                            .maxDestRdAtomic(0)
                            .minRnrTimer(12));
            qps.get(i)
                    .modify(new QpAttr()
                            .qpState(QpState.RTS)
                            .sqPsn(0)
                            .timeout(TIMEOUT)
                            .retryCnt(RETRIES)
                            .rnrRetry(RETRIES)
                            .maxRdAtomic(0));
        }
    }

    /**
     * Writes memory to the neighbour's, and behind each stripe a word that says that it is there: writes of a queue
     * pair arrive in order.
     *
     * @param from offset here
     * @param to offset there
     * @param flagFrom where the word is
     * @param flagsTo where the neighbour looks for it: the first port's, 8 bytes on the next one's
     */
    void write(int from, int to, int bytes, int flagFrom, int flagsTo) {
        int ports = qps.size();
        int done = 0;
        for (int i = 0; i < ports; i++) {
            int stripe = (bytes / Integer.BYTES / ports + (i < bytes / Integer.BYTES % ports ? 1 : 0)) * Integer.BYTES;
            if (stripe > 0) {
                post(qps.get(i), data, from + done, to + done, stripe);
            }
            post(qps.get(i), flag, flagFrom, flagsTo + i * Long.BYTES, Long.BYTES);
            done += stripe;
        }
    }

    private void post(QueuePair qp, SendWorkRequest wr, int from, int to, int length) {
        wr.sgList()[0].addr(mr.addr() + from).lkey(mr.lkey()).length(length);
        wr.remoteAddr(peer.memory() + to).rkey(peer.rkey());
        int error = qp.postSend(wr, null);
        if (error != 0) {
            throw new IllegalStateException("postSend: " + Errno.toString(error));
        }
    }

    @Override
    public void close() {
        qps.forEach(QueuePair::close);
    }
}
