/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.layout;

/**
 * {@code struct hbldv_encap_attr}: what an encapsulation is made of; udp_dst_port is the IP protocol of one over IPv4.
 *
 * <pre>
 * 0 tnl_hdr_ptr(8)  8 tnl_hdr_size(4)  12 ipv4_addr(4)  16 port_num(4)  20 udp_dst_port(2)  24 encap_type(4)    32 in all
 * </pre>
 */
public final class EncapAttrLayout {
    public static final int SIZEOF = 32;
    public static final int TNL_HDR_PTR = 0;
    public static final int TNL_HDR_SIZE = 8;
    public static final int IPV4_ADDR = 12;
    public static final int PORT_NUM = 16;
    public static final int UDP_DST_PORT = 20;
    public static final int ENCAP_TYPE = 24;

    private EncapAttrLayout() {}
}
