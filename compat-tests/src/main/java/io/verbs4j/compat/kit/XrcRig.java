/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import io.verbs4j.CompletionQueue;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpOpenAttr;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.SrqAttr;
import io.verbs4j.SrqInitAttrEx;
import io.verbs4j.SrqType;
import io.verbs4j.VerbsException;
import io.verbs4j.XrcDomain;
import io.verbs4j.XrcdInitAttr;
import io.verbs4j.XrcdOpenFlags;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Sides that are connected by XRC. See {@link XrcRules}. */
class XrcRig extends Rig {
    static final String PAGE = "ibv_create_qp_ex(3), DESCRIPTION (IBV_QPT_XRC_SEND, IBV_QPT_XRC_RECV)";

    XrcDomain domain;
    SharedReceiveQueue srq;
    QueuePair receiver;

    XrcRig(ProviderKit kit) {
        super(kit);
    }

    SharedReceiveQueue xrcSrq(ProtectionDomain pd, XrcDomain xrcd, CompletionQueue cq) {
        return made(
                SharedReceiveQueue.class,
                pd.context()
                        .createSrqEx(new SrqInitAttrEx()
                                .srqType(SrqType.XRC)
                                .pd(pd)
                                .xrcd(xrcd)
                                .cq(cq)
                                .attr(new SrqAttr().maxWr(8).maxSge(1))));
    }

    /**
     * Connects both sides by XRC: {@code a} sends through a queue pair of type XRC_SEND; {@code b} has a domain, a
     * queue pair of type XRC_RECV and a shared receive queue.
     */
    void startXrc() {
        make(s -> {});
        domain = made(
                XrcDomain.class,
                b.context.openXrcd(new XrcdInitAttr().file(null).oflags(XrcdOpenFlags.CREAT)));
        srq = xrcSrq(b.pd, domain, b.cq);
        receiver = made(
                QueuePair.class,
                b.context.createQpEx(new QpInitAttrEx().qpType(QpType.XRC_RECV).xrcd(domain)));
        QpInitAttrEx sending =
                new QpInitAttrEx().qpType(QpType.XRC_SEND).pd(a.pd).sendCq(a.cq);
        sending.cap().maxSendWr(8).maxSendSge(1);
        a.qp = opened(a.context.createQpEx(sending));
        Side.connect(a, a.qp, b, receiver);
    }

    /** {@return one object of each kind, to check their classes} */
    Object[] xrcObjects() {
        startXrc();
        QpOpenAttr attr = new QpOpenAttr().qpNum(receiver.qpNum()).xrcd(domain).qpType(QpType.XRC_RECV);
        QueuePair again = null;
        try {
            again = opened(b.context.openQp(attr));
        } catch (VerbsException e) {
            assert e != null; // R11.05 reports it
        }
        return new Object[] {domain, srq, receiver, a.qp, again};
    }

    Path scratch() {
        try {
            Path file = Files.createTempFile("xrcd", "");
            opened(() -> Files.deleteIfExists(file));
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
