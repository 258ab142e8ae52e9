/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.oracle;

import io.verbs4j.cm.PortSpace;
import io.verbs4j.rdmacore.cm.layout.CmIdLayout;
import java.util.Map;

/** The claims of verbs-cm and of the connection layouts. */
final class CmClaims {
    /** Prefix of the events that came with rdma-core 60. */
    private static final String NEW_EVENT = "RDMA_CM_EVENT_";

    static final ConstantRules RULES = new ConstantRules(
            PortSpace.class,
            "rdma/rdma_cma.h",
            Map.of("CmEventType", NEW_EVENT, "CmOption", "RDMA_OPTION_ID_", "PortSpace", "RDMA_PS_"),
            Map.of(),
            Map.of("PortSpace.UDP_QKEY", "RDMA_UDP_QKEY", "ConnParam.MAX", "RDMA_MAX_RESP_RES"),
            Map.of(
                    "CmConnection", "this library's own times; librdmacm neither drains nor checks the peer",
                    "CmEndpoint", "a value of this SPI: an unknown number of requests",
                    "RejectReason", "the kernel's; librdmacm has no names for them",
                    "GsiPort", "C has no port of a software device"),
            Map.of(
                    NEW_EVENT + "ADDRINFO_RESOLVED", 60,
                    NEW_EVENT + "ADDRINFO_ERROR", 60,
                    NEW_EVENT + "USER", 60,
                    NEW_EVENT + "INTERNAL", 60));

    static final Oracle ORACLE = Oracle.of(CmIdLayout.class, RULES, 70);

    private CmClaims() {}
}
