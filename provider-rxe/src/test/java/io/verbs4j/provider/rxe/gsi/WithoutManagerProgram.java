/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.gsi;

import io.verbs4j.AhAttr;
import io.verbs4j.Device;
import io.verbs4j.DeviceKind;
import io.verbs4j.GlobalRoute;
import io.verbs4j.Mtu;
import io.verbs4j.QpAttr;
import io.verbs4j.QpState;
import io.verbs4j.QueuePair;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsLevel;
import io.verbs4j.core.Verbs;

/** Sends a message from a queue pair to itself without verbs-cm. */
final class WithoutManagerProgram {
    private WithoutManagerProgram() {}

    public static void main(String[] args) throws Exception {
        Device device = Verbs.devices().stream()
                .filter(d -> d.kind() == DeviceKind.EMBEDDED)
                .findFirst()
                .orElseThrow();
        try (Party party = new Party(Verbs.open(device, VerbsLevel.CURRENT));
                QueuePair qp = party.pd.createQp(party.attr())) {
            qp.modify(new QpAttr().qpState(QpState.INIT).pkeyIndex(0).portNum(1).qpAccessFlags(0));
            qp.modify(new QpAttr()
                    .qpState(QpState.RTR)
                    .pathMtu(Mtu.MTU_1024)
                    .destQpNum(qp.qpNum())
                    .rqPsn(1)
                    .maxDestRdAtomic(1)
                    .minRnrTimer(1)
                    .ahAttr(new AhAttr()
                            .isGlobal(true)
                            .portNum(1)
                            .grh(new GlobalRoute()
                                    .dgid(party.context.queryGid(1, 0))
                                    .hopLimit(1))));
            qp.modify(new QpAttr()
                    .qpState(QpState.RTS)
                    .timeout(14)
                    .retryCnt(7)
                    .rnrRetry(7)
                    .sqPsn(1)
                    .maxRdAtomic(1));
            party.receive(qp);
            party.send(qp, 11);
            int first = party.next();
            int second = party.next();
            System.out.println(first + second + " " + party.memory.get(2048) + " " + vendor(party) + " " + manager());
        }
    }

    private static String vendor(Party party) {
        try {
            return party.context.vendor(String.class);
        } catch (VerbsException e) {
            return "unknown";
        }
    }

    private static String manager() {
        try {
            return Class.forName("io.verbs4j.cm.CmId").getName();
        } catch (ClassNotFoundException e) {
            return "absent";
        }
    }
}
