/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.hbldv;

/**
 * What the open device is. Source: {@code hbldv_query_device}.
 *
 * @param caps {@link HblDeviceCaps} bits
 * @param numPorts how many ports are open
 * @param portsMask the ports that are open: bit 1 is port 1
 * @param extPortsMask those of them that lead out of the server, likewise; before 1.17 the library does not tell, and who has more than one GID does
 * @param hwPortsMask the numbers of the NICs behind the ports, in the same order: bit 0 is NIC 0; 0 before 1.18, which does not tell
 */
public record HblDeviceAttr(long caps, int numPorts, long portsMask, long extPortsMask, long hwPortsMask) {}
