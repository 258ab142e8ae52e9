/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.cm.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct sockaddr_in}: an IPv4 address.
 *
 * <pre>
 * 0 sin_family(2)  2 sin_port(2)  4 sin_addr(4)    16 in all
 * </pre>
 */
@CStruct(value = "struct sockaddr_in", header = "netinet/in.h")
public final class SockaddrInLayout {
    @CSize(size = 16)
    public static final int SIZEOF = 16;

    @CField(value = "sin_family", size = 2)
    public static final int SIN_FAMILY = 0;

    @CField(value = "sin_port", size = 2)
    public static final int SIN_PORT = 2;

    @CField(value = "sin_addr", size = 4)
    public static final int SIN_ADDR = 4;

    private SockaddrInLayout() {}
}
