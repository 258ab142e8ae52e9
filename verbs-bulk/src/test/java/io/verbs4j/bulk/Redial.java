/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk;

import io.verbs4j.CompletionQueue;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpType;
import io.verbs4j.bulk.connect.CmConnections;
import io.verbs4j.bulk.connect.ConnectionRejectedException;
import io.verbs4j.bulk.connect.ConnectionSide;
import io.verbs4j.bulk.connect.Connections;
import io.verbs4j.bulk.connect.TcpConnections;
import io.verbs4j.bulk.control.Hello;
import io.verbs4j.bulk.strategy.Abilities;
import io.verbs4j.testsupport.Patience;

/** Connects as the first endpoint of a pair would to recover its connection. */
final class Redial {
    private Redial() {}

    /** Returns the reason for which the second endpoint rejects the epoch. */
    static String reason(Pair pair, Strategy strategy, int epoch) {
        Hello hello = new Hello(Hello.VERSION, 16, epoch, pair.a.id(), 4096, 1, 4096, 0x1f)
                .recovering(pair.toB.link().id(), 0);
        try (Connections connections = strategy.isByTcp() ? new TcpConnections("redial") : new CmConnections();
                ProtectionDomain pd = pair.aContext.allocPd();
                CompletionQueue cq = pair.aContext.createCq(512, null, null, 0)) {
            ConnectionSide side = strategy.usesDatagrams()
                    ? ConnectionSide.datagrams(
                            pd,
                            hello,
                            port -> pair.toB
                                    .link()
                                    .datagrams()
                                    .make(pair.toB.link().home(), new Abilities(Abilities.DATAGRAMS), cq, port, epoch))
                    : ConnectionSide.reliable(pd, hello, attr(cq), qp -> {});
            connections.connect(side, pair.b.address(), Patience.NANOS).close();
            return "accepted";
        } catch (ConnectionRejectedException e) {
            return e.reason;
        }
    }

    private static QpInitAttr attr(CompletionQueue cq) {
        return new QpInitAttr()
                .qpType(QpType.RC)
                .sendCq(cq)
                .recvCq(cq)
                .cap(new QpCap().maxSendWr(8).maxSendSge(1).maxRecvWr(1).maxRecvSge(1));
    }
}
