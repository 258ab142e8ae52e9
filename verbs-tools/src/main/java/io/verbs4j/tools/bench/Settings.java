/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.bench;

/**
 * What each side decides for itself.
 *
 * @param port port of the device, from 1
 * @param gidIndex entry of the GID table; -1 uses none
 * @param mtu path MTU in bytes; 0 takes the port's
 * @param serviceLevel service level
 * @param events whether to sleep until there is an event
 * @param timeoutSeconds how long to wait when nothing happens; 0 for ever
 * @param timestamps whether latencies are by the device's clock
 */
record Settings(
        int port, int gidIndex, int mtu, int serviceLevel, boolean events, int timeoutSeconds, boolean timestamps) {
    /** What an Ethernet of 1500 bytes carries. */
    private static final int ETHERNET_MTU = 1024;

    /** A port tells one MTU, that of its first GID; the others may lead through an ordinary Ethernet. */
    static int usualMtu(int gidIndex, int portMtu) {
        return gidIndex > 0 ? Math.min(ETHERNET_MTU, portMtu) : portMtu;
    }

    long timeoutNanos() {
        return timeoutSeconds == 0 ? Long.MAX_VALUE / 4 : timeoutSeconds * 1_000_000_000L;
    }

    int timeoutMillis() {
        return (int) Math.min(Integer.MAX_VALUE, timeoutSeconds * 1000L);
    }
}
