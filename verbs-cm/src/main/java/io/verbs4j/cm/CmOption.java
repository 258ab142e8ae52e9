/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm;

/** Options of an id, for {@link CmId#setOption(int, int)}. Source: rdma_set_option(3), level {@code RDMA_OPTION_ID}. */
public final class CmOption {
    /**
     * Traffic class of the connection, 0 to 255; 0 by default. Set it before the route is resolved. On a listener or a
     * request it replaces the client's value for what is accepted. Source: {@code RDMA_OPTION_ID_TOS}.
     */
    public static final int TOS = 0;

    /**
     * If not 0, the id may share its port with ids that have this option too. Binding fails if one of them already
     * listens, and only one of them can listen; with the kernel's connection manager, only while no other id is bound
     * to the port. Set it before binding. Source: {@code RDMA_OPTION_ID_REUSEADDR}.
     */
    public static final int REUSEADDR = 1;

    /**
     * If not 0, an id that is bound to the IPv6 wildcard does not listen for IPv4. Set it before listening. Source:
     * {@code RDMA_OPTION_ID_AFONLY}.
     */
    public static final int AFONLY = 2;

    /**
     * Time that the id's RC queue pair waits for an acknowledgement: 4.096 us times 2 to the power of this value, 0 to
     * 31. 0 means no limit; the default is 17 (0.54 s). Set it before connecting or accepting; on a listener it applies
     * to everything that it accepts. The connecting side's value is also the peer's default. Source: {@code
     * RDMA_OPTION_ID_ACK_TIMEOUT}.
     */
    public static final int ACK_TIMEOUT = 3;

    private CmOption() {}
}
