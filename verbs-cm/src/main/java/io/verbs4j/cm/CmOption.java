/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm;

/** Options of an id, for {@link CmId#setOption(int, int)}. Source: rdma_set_option(3), level {@code RDMA_OPTION_ID}. */
public final class CmOption {
    /**
     * Traffic class of the connection, 0 to 255; 0 by default. Before the route is resolved. Of a listener or a
     * request: of what is accepted, in place of the client's. Source: {@code RDMA_OPTION_ID_TOS}.
     */
    public static final int TOS = 0;

    /** Not 0: a port may be bound that another id, with this option too, is bound to, where not both listen. Source: {@code RDMA_OPTION_ID_REUSEADDR}. */
    public static final int REUSEADDR = 1;

    /** Not 0: an id that is bound to the wildcard of IPv6 does not listen for IPv4. Source: {@code RDMA_OPTION_ID_AFONLY}. */
    public static final int AFONLY = 2;

    /**
     * Time that the id's RC queue pair waits for an acknowledgement, 4.096 us times 2 to the power of this, 0 to 31; 0
     * is without limit, 17 (0.54 s) the default. Before connect or accept; of a listener for all that it accepts. The
     * value of the side that connects is also the peer's default. Source: {@code RDMA_OPTION_ID_ACK_TIMEOUT}.
     */
    public static final int ACK_TIMEOUT = 3;

    private CmOption() {}
}
