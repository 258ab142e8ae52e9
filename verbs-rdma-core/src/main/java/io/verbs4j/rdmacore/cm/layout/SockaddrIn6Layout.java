/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.cm.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct sockaddr_in6}: an IPv6 address.
 *
 * <pre>
 * 0 sin6_family(2)  2 sin6_port(2)  4 sin6_flowinfo(4)  8 sin6_addr(16)  24 sin6_scope_id(4)    28 in all
 * </pre>
 */
@CStruct(value = "struct sockaddr_in6", header = "netinet/in.h")
public final class SockaddrIn6Layout {
    @CSize(size = 28)
    public static final int SIZEOF = 28;

    @CField(value = "sin6_family", size = 2)
    public static final int SIN6_FAMILY = 0;

    @CField(value = "sin6_port", size = 2)
    public static final int SIN6_PORT = 2;

    @CField(value = "sin6_flowinfo", size = 4)
    public static final int SIN6_FLOWINFO = 4;

    @CField(value = "sin6_addr", size = 16)
    public static final int SIN6_ADDR = 8;

    @CField(value = "sin6_scope_id", size = 4)
    public static final int SIN6_SCOPE_ID = 24;

    private SockaddrIn6Layout() {}
}
