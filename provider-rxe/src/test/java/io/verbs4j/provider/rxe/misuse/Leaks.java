/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.misuse;

import io.verbs4j.Device;
import io.verbs4j.Gid;
import io.verbs4j.provider.rxe.DevicePorts;
import io.verbs4j.provider.rxe.packet.TransportCounters;
import io.verbs4j.provider.rxe.port.Port;
import io.verbs4j.testsupport.Patience;
import java.util.List;

/** Checks whether a device without a context holds anything. */
final class Leaks {
    private static final long PATIENCE = Patience.NANOS;

    private Leaks() {}

    static void check(List<Device> devices) {
        for (Device device : devices) {
            Port port = DevicePorts.of(device);
            check(device, "queue pairs", port.queuePairCount());
            check(device, "memory keys", port.keys().count());
            check(device, "links", port.openLinks().size());
            check(device, "packets that could not be handled", (int)
                    port.transportCounters().get(TransportCounters.FAILURE));
            for (Gid group : Episode.GROUPS) {
                check(device, "attachments to " + group, port.groups().attached(group).length);
            }
        }
        awaitEndOfThreads(devices);
    }

    private static void check(Device device, String what, int count) {
        if (count != 0) {
            throw new AssertionError(count + " " + what + " are left on " + device);
        }
    }

    private static void awaitEndOfThreads(List<Device> devices) {
        long end = System.nanoTime() + PATIENCE;
        Thread left = threadOf(devices);
        for (int turn = 0; left != null; turn++) {
            if (System.nanoTime() > end) {
                throw new AssertionError("thread " + left.getName() + " is still running");
            }
            Patience.pause(turn);
            left = threadOf(devices);
        }
    }

    private static Thread threadOf(List<Device> devices) {
        for (Thread t : Thread.getAllStackTraces().keySet()) {
            for (Device device : devices) {
                if (t.isAlive() && t.getName().startsWith(device.name() + "-")) {
                    return t;
                }
            }
        }
        return null;
    }
}
