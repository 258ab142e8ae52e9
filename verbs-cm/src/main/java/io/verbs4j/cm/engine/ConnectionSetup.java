/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm.engine;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.cm.ConnParam;

/** The messages and attributes that set up a connection. */
final class ConnectionSetup {
    private static final int PARTITION = 0xffff;
    private static final int HOP_LIMIT = 64;
    private static final int NO_LID = 0xffff;
    private static final int FLOW_LABEL = 0xf_ffff;
    private static final int ODD = 31;

    private ConnectionSetup() {}

    static void checkLength(String verb, ConnParam param, int most) {
        int length = param.privateData().length;
        if (length > most) {
            throw new VerbsException(
                    Errno.EINVAL, verb, "private data has " + length + " bytes; it can have at most " + most);
        }
    }

    /** Returns private data preceded by room for the addresses. */
    static byte[] behindHeader(int length, byte[] data) {
        byte[] all = new byte[length];
        System.arraycopy(data, 0, all, CmaHeader.LENGTH, data.length);
        return all;
    }

    /** Makes a connection that an end requests. */
    static Connection request(Engine engine, Endpoint end, ConnParam param) {
        Connection c = engine.connect(end);
        c.localGid = end.localGid;
        c.remoteGid = end.remoteGid;
        c.trafficClass = end.options.trafficClass();
        c.localQpn = param.qpNum();
        c.receivePsn = engine.random24();
        c.pathMtu = end.pathMtu();
        c.flowLabel = ODD * end.localPort + end.remotePort & FLOW_LABEL;
        c.responderResources = Math.min(param.responderResources(), end.limits().responderResources());
        c.initiatorDepth = Math.min(param.initiatorDepth(), end.limits().initiatorDepth());
        c.retryCount = param.retryCount();
        c.ackTimeout = end.options.ackTimeout(CmTime.ackTimeout(end.limits().ackDelay(), CmTime.PACKET_LIFE));
        return c;
    }

    static Req message(Engine engine, Endpoint end, Connection c, ConnParam param) {
        Req req = new Req();
        req.tid(engine.newTid(c.localId));
        req.localId(c.localId);
        req.serviceId(ServiceId.of(end.portSpace(), end.remotePort));
        req.caGuid(engine.guid());
        req.qpNum(c.localQpn);
        req.responderResources(c.responderResources);
        req.initiatorDepth(c.initiatorDepth);
        req.remoteResponseTimeout(CmTime.RESPONSE_TIMEOUT);
        req.startingPsn(c.receivePsn);
        req.localResponseTimeout(CmTime.RESPONSE_TIMEOUT);
        req.retryCount(c.retryCount);
        req.pkey(PARTITION);
        req.pathMtu(c.pathMtu);
        req.rnrRetryCount(param.rnrRetryCount());
        req.maxCmRetries(CmTime.RETRIES);
        req.srq(param.srq() ? 1 : 0);
        req.localLid(NO_LID);
        req.remoteLid(NO_LID);
        req.localGid(c.localGid);
        req.remoteGid(c.remoteGid);
        req.flowLabel(c.flowLabel);
        req.trafficClass(c.trafficClass);
        req.hopLimit(HOP_LIMIT);
        req.ackTimeout(c.ackTimeout);
        req.privateData(behindHeader(Req.PRIVATE_DATA_LENGTH, param.privateData()));
        req.cmaHeader().write(end.localPort, end.localGid, end.remoteGid);
        return req;
    }

    /** Applies the options that the program has set at the accepting side; they override the peer's request. */
    static void options(Endpoint end, Connection c) {
        c.trafficClass = end.options.trafficClass(c.trafficClass);
        c.ackTimeout = end.options.ackTimeout(c.ackTimeout);
    }

    static Rep answer(Engine engine, Endpoint end, Connection c, ConnParam param) {
        c.localQpn = param.qpNum();
        c.responderResources = Math.min(c.responderResources, param.responderResources());
        c.initiatorDepth = Math.min(c.initiatorDepth, param.initiatorDepth());
        Rep rep = new Rep();
        rep.tid(c.tid);
        rep.localId(c.localId);
        rep.remoteId(c.remoteId);
        rep.qpNum(c.localQpn);
        rep.startingPsn(c.receivePsn);
        rep.responderResources(c.responderResources);
        rep.initiatorDepth(c.initiatorDepth);
        rep.targetAckDelay(end.limits().ackDelay());
        rep.rnrRetryCount(param.rnrRetryCount());
        rep.srq(param.srq() ? 1 : 0);
        rep.caGuid(engine.guid());
        rep.privateData(param.privateData());
        return rep;
    }
}
