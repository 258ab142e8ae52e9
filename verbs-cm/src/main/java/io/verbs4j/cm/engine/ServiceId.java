/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm.engine;

import io.verbs4j.cm.PortSpace;

/**
 * The service id of a port: {@code port space << 16 | port}. Source: InfiniBand Architecture Specification volume 1,
 * annex A11.
 */
final class ServiceId {
    private static final int PORT_MASK = 0xffff;

    private ServiceId() {}

    static long of(int portSpace, int port) {
        return (long) portSpace << 16 | port;
    }

    static int port(long serviceId) {
        return (int) serviceId & PORT_MASK;
    }

    /** Returns the port space, or -1 if the service id does not belong to IP addresses. */
    static int portSpace(long serviceId) {
        long space = serviceId >>> 16;
        return space == PortSpace.TCP || space == PortSpace.UDP ? (int) space : -1;
    }
}
