/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.hbldv;

/**
 * What an encapsulation is made of. External ports only, two a port. Not thread-safe. Source: {@code struct hbldv_encap_attr}.
 */
public final class HblEncapAttr {
    private int portNum;
    private int type;
    private byte[] header;
    private int ipv4Addr;
    private int udpDstPort;

    /** With what each attribute says of itself. */
    public HblEncapAttr() {}

    /** {@return the port} */
    public int portNum() {
        return portNum;
    }

    /**
     * Says which port's it is.
     *
     * @param value from 1
     * @return this
     */
    public HblEncapAttr portNum(int value) {
        portNum = value;
        return this;
    }

    /** {@return how packets are wrapped, an {@link HblEncapTypes} value} */
    public int type() {
        return type;
    }

    /**
     * Says how packets are wrapped.
     *
     * @param value of {@link HblEncapTypes}
     * @return this
     */
    public HblEncapAttr type(int value) {
        type = value;
        return this;
    }

    /** {@return the header that goes in front; null for none} */
    public byte[] header() {
        return header;
    }

    /**
     * Sets the header that goes in front.
     *
     * @param value up to 32 bytes, a multiple of 4; null for none
     * @return this
     */
    public HblEncapAttr header(byte[] value) {
        header = value;
        return this;
    }

    /** {@return the source address} */
    public int ipv4Addr() {
        return ipv4Addr;
    }

    /**
     * Sets the source address.
     *
     * @param value the 4 bytes of an IPv4 address as a number
     * @return this
     */
    public HblEncapAttr ipv4Addr(int value) {
        ipv4Addr = value;
        return this;
    }

    /** {@return the port of UDP that packets go to; of those over IPv4, the protocol} */
    public int udpDstPort() {
        return udpDstPort;
    }

    /**
     * Sets the port of UDP that packets go to; of those over IPv4, the protocol.
     *
     * @param value 16 bits
     * @return this
     */
    public HblEncapAttr udpDstPort(int value) {
        udpDstPort = value;
        return this;
    }
}
