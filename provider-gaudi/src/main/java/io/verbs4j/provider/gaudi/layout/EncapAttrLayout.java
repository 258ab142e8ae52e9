/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct hbldv_encap_attr}: what an encapsulation is made of; udp_dst_port is the IP protocol of one over IPv4.
 *
 * <pre>
 * 0 tnl_hdr_ptr(8)  8 tnl_hdr_size(4)  12 ipv4_addr(4)  16 port_num(4)  20 udp_dst_port(2)  24 encap_type(4)    32 in all
 * </pre>
 */
@CStruct(value = "struct hbldv_encap_attr", header = "infiniband/hbldv.h")
public final class EncapAttrLayout {
    @CSize(size = 32)
    public static final int SIZEOF = 32;

    @CField(value = "tnl_hdr_ptr", size = 8)
    public static final int TNL_HDR_PTR = 0;

    @CField(value = "tnl_hdr_size", size = 4)
    public static final int TNL_HDR_SIZE = 8;

    @CField(value = "ipv4_addr", size = 4)
    public static final int IPV4_ADDR = 12;

    @CField(value = "port_num", size = 4)
    public static final int PORT_NUM = 16;

    @CField(value = "udp_dst_port", size = 2)
    public static final int UDP_DST_PORT = 20;

    @CField(value = "encap_type", size = 4)
    public static final int ENCAP_TYPE = 24;

    private EncapAttrLayout() {}
}
