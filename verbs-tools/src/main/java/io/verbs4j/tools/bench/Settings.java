/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.bench;

import io.verbs4j.tools.traffic.PathOptions;

/**
 * What each side decides for itself.
 *
 * @param path device, port, and how to wait
 * @param mtu path MTU in bytes; 0 for the port's
 * @param timestamps whether latencies are from the device's clock
 */
record Settings(PathOptions path, int mtu, boolean timestamps) {
    /** Largest MTU that an Ethernet of 1500 bytes carries. */
    private static final int ETHERNET_MTU = 1024;

    /**
     * {@return the default MTU} A port reports only the MTU of its first GID. The other GIDs may use an ordinary
     * Ethernet, and RDMA-CM chooses the GID that reaches the peer.
     */
    static int usualMtu(PathOptions path, int portMtu) {
        return path.gidIndex() > 0 || path.cm() ? Math.min(ETHERNET_MTU, portMtu) : portMtu;
    }
}
