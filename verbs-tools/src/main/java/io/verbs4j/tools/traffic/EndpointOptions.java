/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.traffic;

import io.verbs4j.AccessFlags;

/**
 * Options of an {@link Endpoint}.
 *
 * @param service transport service
 * @param port port of the device, from 1
 * @param gidIndex entry of the port's GID table; -1 uses none, which only InfiniBand allows
 * @param mtu path MTU in bytes
 * @param serviceLevel service level
 * @param queuePairs number of queue pairs; more than one only with {@link Service#SRQ}
 * @param sendDepth sends outstanding on each queue pair
 * @param recvDepth receives outstanding; 0 if none are posted
 * @param access what the peer may do with the memory, {@link AccessFlags} bits
 * @param readDepth RDMA reads and atomics outstanding, in each direction
 * @param events true to sleep until an event arrives, false to poll
 * @param timestamps whether completions have time stamps
 */
public record EndpointOptions(
        Service service,
        int port,
        int gidIndex,
        int mtu,
        int serviceLevel,
        int queuePairs,
        int sendDepth,
        int recvDepth,
        int access,
        int readDepth,
        boolean events,
        boolean timestamps) {

    /** {@return a copy with another MTU and another number of outstanding reads} */
    EndpointOptions with(int newMtu, int newReadDepth) {
        return new EndpointOptions(
                service,
                port,
                gidIndex,
                newMtu,
                serviceLevel,
                queuePairs,
                sendDepth,
                recvDepth,
                access,
                newReadDepth,
                events,
                timestamps);
    }

    /** {@return the RDMA access that the peer has to this side's memory, as bits for the queue pairs} */
    int remoteAccess() {
        return access & (AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ | AccessFlags.REMOTE_ATOMIC);
    }
}
