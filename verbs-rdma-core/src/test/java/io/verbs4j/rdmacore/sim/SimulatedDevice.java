/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.sim;

import io.verbs4j.AhAttr;
import io.verbs4j.Context;
import io.verbs4j.Gid;
import io.verbs4j.GlobalRoute;
import io.verbs4j.OpenAttr;
import io.verbs4j.VerbsLevel;
import io.verbs4j.core.Verbs;

/** Opens simulated devices, and returns the paths between them. */
public final class SimulatedDevice {
    private static final int HOP_LIMIT = 64;

    private SimulatedDevice() {}

    /** Opens a device by name. */
    public static Context open(String name) {
        return Verbs.open(Verbs.device(name), VerbsLevel.CURRENT);
    }

    /** Opens a device by name, with vendor attributes. */
    public static Context open(String name, OpenAttr attr) {
        return Verbs.open(Verbs.device(name), VerbsLevel.CURRENT, attr);
    }

    /** {@return the path from a port to a device on its network, possibly the port's own} */
    public static AhAttr path(Context to, int port, int gidIndex) {
        return path(to.queryGid(port, gidIndex), port, gidIndex);
    }

    /** {@return the path from a port to a GID} */
    public static AhAttr path(Gid to, int port, int gidIndex) {
        return new AhAttr()
                .isGlobal(true)
                .portNum(port)
                .grh(new GlobalRoute().dgid(to).sgidIndex(gidIndex).hopLimit(HOP_LIMIT));
    }
}
