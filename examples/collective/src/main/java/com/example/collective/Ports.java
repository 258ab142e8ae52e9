/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package com.example.collective;

import io.verbs4j.Context;
import io.verbs4j.DeviceAttrEx;
import io.verbs4j.PortState;
import java.util.ArrayList;
import java.util.List;

/** Which ports of a device lead anywhere. */
final class Ports {
    private Ports() {}

    /** The active ones with a network behind them: what an internal port is wired to nobody can choose. */
    static List<Integer> of(Context context) {
        long internal = context.queryDeviceEx().internalPorts();
        List<Integer> ports = new ArrayList<>();
        for (int port = 1; port <= context.queryDevice().physPortCnt(); port++) {
            boolean wired = (internal >>> port - 1 & 1) != 0;
            if (!wired && context.queryPort(port).state() == PortState.ACTIVE) {
                ports.add(port);
            }
        }
        if (ports.isEmpty()) {
            throw new IllegalStateException(context.device() + " has no active port with a network");
        }
        return ports;
    }
}
