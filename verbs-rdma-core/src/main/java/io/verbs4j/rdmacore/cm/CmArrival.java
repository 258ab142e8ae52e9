/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.cm;

import io.verbs4j.cm.CmEventType;
import io.verbs4j.cm.ConnParam;
import io.verbs4j.cm.UdParam;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.cm.layout.CmEventLayout;
import io.verbs4j.rdmacore.cm.layout.UdParamLayout;
import java.util.Map;

/**
 * A copied event. After the acknowledgement the C structure must not be read, and the id may be destroyed or its
 * address reused, so the id is looked up before.
 *
 * @param end the recipient, for a request the listener; null if it is closed
 * @param id the {@code struct rdma_cm_id}, for a request a new one
 * @param token identifies the joined group, or 0
 */
record CmArrival(NativeEnd end, long id, int type, int status, ConnParam conn, UdParam ud, long token) {
    /** Reads a {@code struct rdma_cm_event}. */
    static CmArrival read(long event, Map<Long, NativeEnd> ends) {
        long id = NativeMemory.getLong(event + CmEventLayout.ID);
        int type = NativeMemory.getInt(event + CmEventLayout.EVENT);
        int status = NativeMemory.getInt(event + CmEventLayout.STATUS);
        boolean request = type == CmEventType.CONNECT_REQUEST;
        NativeEnd end = ends.get(request ? NativeMemory.getLong(event + CmEventLayout.LISTEN_ID) : id);
        if (end == null) {
            return new CmArrival(null, id, type, status, null, null, 0);
        }
        if (type == CmEventType.MULTICAST_JOIN || type == CmEventType.MULTICAST_ERROR) {
            long param = event + CmEventLayout.PARAM_UD;
            // The private data pointer holds the number that was passed to join: not an address.
            long token = NativeMemory.getLong(param + UdParamLayout.PRIVATE_DATA);
            UdParam group = type == CmEventType.MULTICAST_JOIN ? CmParams.readUd(param) : null;
            return new CmArrival(end, id, type, status, null, group, token);
        }
        return end.isForDatagrams()
                ? datagrams(end, id, type, status, event)
                : connection(end, id, type, status, event);
    }

    private static CmArrival datagrams(NativeEnd end, long id, int type, int status, long event) {
        long param = event + CmEventLayout.PARAM_UD;
        boolean told = switch (type) {
            case CmEventType.CONNECT_REQUEST, CmEventType.ESTABLISHED, CmEventType.UNREACHABLE -> true;
            default -> false;
        };
        ConnParam conn = told ? CmParams.readData(param) : null;
        UdParam ud =
                type == CmEventType.ESTABLISHED ? CmParams.readUd(param).withPrivateData(conn.privateData()) : null;
        return new CmArrival(end, id, type, status, ud == null ? conn : conn.withQpNum(ud.qpNum()), ud, 0);
    }

    private static CmArrival connection(NativeEnd end, long id, int type, int status, long event) {
        long param = event + CmEventLayout.PARAM_CONN;
        ConnParam conn = switch (type) {
            case CmEventType.CONNECT_REQUEST, CmEventType.CONNECT_RESPONSE -> CmParams.read(param);
            case CmEventType.ESTABLISHED -> end.isPassive() ? null : CmParams.read(param); // iWARP: it is the response
            case CmEventType.REJECTED -> CmParams.readData(param);
            default -> null;
        };
        return new CmArrival(end, id, type, status, conn, null, 0);
    }
}
