/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm;

import io.verbs4j.AhAttr;
import io.verbs4j.Gid;
import io.verbs4j.GlobalRoute;

/**
 * Where datagrams of an event's id go. Immutable. Source: {@code struct rdma_ud_param}, rdma_get_cm_event(3).
 *
 * @param dgid GID of the peer or group
 * @param sgidIndex index of the source in the device's GID table
 * @param portNum port of the device, from 1
 * @param trafficClass traffic class, 8 bits
 * @param qpNum queue pair that datagrams go to, 24 bits; 0xffffff for a group
 * @param qkey Q_Key that they need
 */
public record UdParam(Gid dgid, int sgidIndex, int portNum, int trafficClass, int qpNum, int qkey) {
    private static final int HOPS = 64;

    /** {@return attributes of an address handle for the peer or group, a new object} */
    public AhAttr ahAttr() {
        return new AhAttr()
                .isGlobal(true)
                .portNum(portNum)
                .grh(new GlobalRoute()
                        .dgid(dgid)
                        .sgidIndex(sgidIndex)
                        .hopLimit(HOPS)
                        .trafficClass(trafficClass));
    }
}
