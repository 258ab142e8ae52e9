/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi;

import io.verbs4j.Errno;
import io.verbs4j.PortAttr;
import io.verbs4j.VerbsException;
import java.util.ArrayList;
import java.util.List;

/** The ports of an open device. */
final class GaudiPorts {
    private final GaudiContext base;
    private final List<GaudiPort> all = new ArrayList<>();
    private final long mask;

    /**
     * Creates the open ports.
     *
     * @param mask bit 1 is port 1
     */
    GaudiPorts(GaudiContext base, long mask) {
        this.base = base;
        this.mask = mask;
        for (int number = 1; number < Long.SIZE; number++) {
            if ((mask >>> number & 1) != 0) {
                all.add(new GaudiPort(base, number));
            }
        }
    }

    /** Returns the mask of open ports. */
    long mask() {
        return mask;
    }

    /** Returns all open ports. */
    List<GaudiPort> all() {
        return all;
    }

    /** Returns the default port. */
    GaudiPort first() {
        return all.get(0);
    }

    /**
     * Returns a port.
     *
     * @throws VerbsException {@link Errno#EINVAL} if it is not open
     */
    GaudiPort get(String verb, int number) {
        for (GaudiPort port : all) {
            if (port.number() == number) {
                return port;
            }
        }
        throw new VerbsException(
                Errno.EINVAL,
                verb,
                "port " + number + " is not open; the open ports have the mask 0x" + Long.toHexString(mask)
                        + ", where bit 1 is port 1");
    }

    /**
     * Returns the mask of ports that lead out of the server: those with more than one GID, as internal ports have a
     * single, hard-wired GID.
     */
    long external() {
        long external = 0;
        for (GaudiPort port : all) {
            PortAttr attr = new PortAttr();
            base.queryPort(port.number(), attr);
            if (attr.gidTblLen() > 1) {
                external |= 1L << port.number();
            }
        }
        return external;
    }

    void close() {
        all.forEach(GaudiPort::close);
    }
}
