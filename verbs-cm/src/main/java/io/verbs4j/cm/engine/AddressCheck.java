/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm.engine;

import io.verbs4j.Gid;

/** Validates the IP addresses of a request. */
final class AddressCheck {
    private static final int LOOPBACK = 127;

    private AddressCheck() {}

    static boolean isGood(CmaHeader header, Endpoint listener, Gid source, Gid destination) {
        int ip = header.ipVersion();
        if (header.version() != 0 || ip != 4 && ip != 6) {
            return false;
        }
        Gid from = header.source();
        Gid to = header.destination();
        return to.equals(destination)
                && listener.isAt(to)
                && !from.equals(Gid.ZERO)
                && !(from.isIpv4Mapped() && (int) from.interfaceId() == 0)
                && !from.isMulticast()
                && (!isLoopback(from) || isLoopback(source));
    }

    /** Returns whether a GID is a loopback address of this machine. */
    static boolean isLoopback(Gid gid) {
        return gid.isIpv4Mapped()
                ? ((int) gid.interfaceId() >>> 24) == LOOPBACK
                : gid.subnetPrefix() == 0 && gid.interfaceId() == 1;
    }
}
