/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm;

import io.verbs4j.AhAttr;
import io.verbs4j.Gid;
import io.verbs4j.GlobalRoute;

/**
 * The destination of datagrams of an event's id. Immutable: address attributes and private data are copied on the way
 * in and out. Source: {@code struct rdma_ud_param}, rdma_get_cm_event(3).
 */
public final class UdParam {
    private static final int MAX_QPN = 0xff_ffff;

    private final AhAttr ahAttr;
    private final int qpNum;
    private final int qkey;
    private final byte[] privateData;

    private UdParam(AhAttr ahAttr, int qpNum, int qkey, byte... privateData) {
        this.ahAttr = ahAttr;
        this.qpNum = qpNum;
        this.qkey = qkey;
        this.privateData = privateData;
    }

    /**
     * Makes a destination without private data; for connection managers.
     *
     * @param ahAttr attributes of an address handle for the peer or group
     * @param qpNum queue pair that receives the datagrams, 24 bits; 0xffffff for a group
     * @param qkey Q_Key of the datagrams
     * @return the destination
     * @throws io.verbs4j.VerbsException {@link io.verbs4j.Errno#EINVAL} if the attributes or their route are null, or
     *     the number has more than 24 bits
     */
    public static UdParam of(AhAttr ahAttr, int qpNum, int qkey) {
        String verb = "ud_param";
        return new UdParam(
                copy(Arguments.require(verb, "ahAttr", ahAttr)),
                Arguments.require(verb, "qpNum", qpNum, MAX_QPN),
                qkey);
    }

    /**
     * Sets {@link #privateData()}; for connection managers.
     *
     * @param value the event's private data
     * @return a destination with this value
     */
    public UdParam withPrivateData(byte... value) {
        return new UdParam(
                ahAttr,
                qpNum,
                qkey,
                Arguments.require("ud_param", "privateData", value).clone());
    }

    private static AhAttr copy(AhAttr from) {
        AhAttr to = new AhAttr()
                .dlid(from.dlid())
                .sl(from.sl())
                .srcPathBits(from.srcPathBits())
                .staticRate(from.staticRate())
                .isGlobal(from.isGlobal())
                .portNum(from.portNum());
        GlobalRoute route = Arguments.require("ud_param", "grh", from.grh());
        return to.grh(new GlobalRoute()
                .dgid(route.dgid())
                .flowLabel(route.flowLabel())
                .sgidIndex(route.sgidIndex())
                .hopLimit(route.hopLimit())
                .trafficClass(route.trafficClass()));
    }

    /** {@return attributes of an address handle for the peer or group, as the event reported them; a new object} */
    public AhAttr ahAttr() {
        return copy(ahAttr);
    }

    /** {@return the GID of the peer or group, from the attributes} */
    public Gid dgid() {
        return ahAttr.grh().dgid();
    }

    /** {@return the queue pair that receives the datagrams, 24 bits; 0xffffff for a group} */
    public int qpNum() {
        return qpNum;
    }

    /** {@return the Q_Key of the datagrams} */
    public int qkey() {
        return qkey;
    }

    /**
     * Returns the private data of the program at the peer, as {@link ConnParam#privateData()} of the same event.
     *
     * @return a copy, never null
     */
    public byte[] privateData() {
        return privateData.clone();
    }

    @Override
    public String toString() {
        return "qpNum=" + qpNum + " qkey=0x" + Integer.toHexString(qkey) + " " + ahAttr + " privateData="
                + privateData.length + " bytes";
    }
}
