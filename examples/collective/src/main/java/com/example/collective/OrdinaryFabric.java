/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package com.example.collective;

import io.verbs4j.AccessFlags;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpAttr;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Ordinary queue pairs: each port gives them the numbers that it has. */
class OrdinaryFabric implements Fabric {
    static final int DEPTH = 16;

    final Context context;
    private final List<Integer> ports;
    private final List<CompletionQueue> queues = new ArrayList<>();

    OrdinaryFabric(Context context) {
        this.context = context;
        ports = Ports.of(context);
    }

    @Override
    public final List<Integer> ports() {
        return ports;
    }

    @Override
    public final List<CompletionQueue> queues() {
        if (queues.isEmpty()) {
            ports.forEach(port -> queues.add(queue(port)));
        }
        return queues;
    }

    CompletionQueue queue(int port) {
        return context.createCq(4 * DEPTH);
    }

    @Override
    public List<QueuePair> queuePairs(ProtectionDomain pd) {
        List<QueuePair> made = new ArrayList<>();
        for (int i = 0; i < ports.size(); i++) {
            made.add(create(pd, queues().get(i)));
            made.get(i).modify(initial(ports.get(i)));
        }
        return made;
    }

    static QueuePair create(ProtectionDomain pd, CompletionQueue queue) {
        return pd.createQp(new QpInitAttr()
                .qpType(QpType.RC)
                .sendCq(queue)
                .recvCq(queue)
                .cap(new QpCap().maxSendWr(DEPTH).maxSendSge(1).maxRecvWr(1).maxRecvSge(1)));
    }

    static QpAttr initial(int port) {
        return new QpAttr()
                .qpState(QpState.INIT)
                .portNum(port)
                .pkeyIndex(0)
                .qpAccessFlags(AccessFlags.REMOTE_WRITE);
    }

    @Override
    public String numbers(List<QueuePair> qps) {
        return "ordinary numbers "
                + qps.stream().map(qp -> Integer.toString(qp.qpNum())).collect(Collectors.joining(", "));
    }

    @Override
    public void close() {
        queues.forEach(CompletionQueue::close);
    }
}
