/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.hbldv;

/**
 * Attributes of a new encapsulation. Only external ports have encapsulations, two each. Not thread-safe. Source:
 * {@code struct hbldv_encap_attr}.
 */
public final class HblEncapAttr {
    private int portNum;
    private int type;
    private byte[] header;
    private int ipv4Addr;
    private int udpDstPort;

    /** Creates attributes with their defaults. */
    public HblEncapAttr() {}

    /** {@return the port} */
    public int portNum() {
        return portNum;
    }

    /**
     * Sets the port.
     *
     * @param value from 1
     * @return this
     */
    public HblEncapAttr portNum(int value) {
        portNum = value;
        return this;
    }

    /** {@return the type, an {@link HblEncapTypes} value} */
    public int type() {
        return type;
    }

    /**
     * Sets the type.
     *
     * @param value an {@link HblEncapTypes} value
     * @return this
     */
    public HblEncapAttr type(int value) {
        type = value;
        return this;
    }

    /** {@return the header put in front of packets; null for none} */
    public byte[] header() {
        return header;
    }

    /**
     * Sets the header put in front of packets.
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

    /** {@return the destination UDP port; for {@link HblEncapTypes#OVER_IPV4}, the IP protocol} */
    public int udpDstPort() {
        return udpDstPort;
    }

    /**
     * Sets the destination UDP port or, for {@link HblEncapTypes#OVER_IPV4}, the IP protocol.
     *
     * @param value 16 bits
     * @return this
     */
    public HblEncapAttr udpDstPort(int value) {
        udpDstPort = value;
        return this;
    }
}
