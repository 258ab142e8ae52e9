/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.traffic;

import io.verbs4j.tools.base.ToolException;
import io.verbs4j.tools.net.Wire;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** Options that say by which device and port a command reaches its peer, and how it waits; as in the C programs. */
public final class PathOptions {
    private static final int MOST_SERVICE_LEVEL = 15;

    // picocli writes these fields.

    @Option(
            names = {"-p", "--port"},
            paramLabel = "PORT",
            description = "TCP port for the exchange of addresses (default: " + Wire.DEFAULT_PORT
                    + "; any free port with both sides on this machine)")
    private Integer tcpPort;

    @Option(
            names = {"-d", "--ib-dev"},
            paramLabel = "DEVICE",
            description = "device to use (default: the first that has an active port)")
    private String device;

    @Option(
            names = {"-i", "--ib-port"},
            paramLabel = "PORT",
            defaultValue = "1",
            description = "port of the device (default: ${DEFAULT-VALUE})")
    private int port;

    @Option(
            names = {"-g", "--gid-idx"},
            paramLabel = "INDEX",
            defaultValue = "0",
            description = {
                "entry of the port's GID table to use (default: ${DEFAULT-VALUE}).",
                "The C programs' default is -1, no GID, which works on InfiniBand only: on RoCE a peer is addressed by"
                        + " its GID, so give them -g too. -1 means the same here."
            })
    private int gidIndex;

    @Option(
            names = {"-l", "--sl"},
            paramLabel = "SL",
            defaultValue = "0",
            description = "service level (default: ${DEFAULT-VALUE})")
    private int serviceLevel;

    @Option(
            names = "--cm",
            description = {
                "find the peer by RDMA-CM (rc, srq, ud): SERVER is the address of a device, and -p an RDMA-CM port.",
                "The address determines port, GID, path MTU and time-out: leave out -i, -g, -l and -m."
                        + " Both sides must use it."
            })
    private boolean cm;

    @Option(
            names = {"-e", "--events"},
            description = "sleep until a completion event arrives (default: poll)")
    private boolean events;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            defaultValue = "60",
            description = "give up after this long without progress; 0 waits forever (default: ${DEFAULT-VALUE})")
    private int timeoutSeconds;

    /** Refuses invalid values, and says which are valid. */
    public void validate() {
        Limits.check("-i", port, 1, Limits.MOST_PORTS);
        Limits.check("-g", gidIndex, -1, Limits.MOST_16_BITS);
        Limits.check("-l", serviceLevel, 0, MOST_SERVICE_LEVEL);
        Limits.check("--timeout", timeoutSeconds, 0, Integer.MAX_VALUE);
        Limits.check("-p", localTcpPort(), 0, Limits.MOST_16_BITS);
    }

    /**
     * Refuses options that RDMA-CM does not support.
     *
     * @param service the service that was requested
     * @param mtu whether an MTU was given
     */
    public void validateCm(Service service, boolean mtu) {
        if (!cm) {
            return;
        }
        if (service == Service.UC || service == Service.SRD) {
            throw ToolException.usage(
                    "--cm is for rc, srq and ud; " + service.label() + " is not connected by RDMA-CM");
        }
        if (port != 1 || gidIndex != 0 || serviceLevel != 0 || mtu) {
            throw ToolException.usage("--cm chooses port, GID and MTU by address: leave out -i, -g, -l and -m");
        }
    }

    /** {@return whether RDMA-CM finds the peer} */
    public boolean cm() {
        return cm;
    }

    /** {@return the TCP port that a server on another machine listens on} */
    public int tcpPort() {
        return tcpPort == null ? Wire.DEFAULT_PORT : tcpPort;
    }

    /** {@return the TCP port for two sides on this machine; 0 for any free port} */
    public int localTcpPort() {
        return tcpPort == null ? 0 : tcpPort;
    }

    /** {@return the device's name; null for the first with an active port} */
    public String device() {
        return device;
    }

    /** {@return the port of the device, from 1} */
    public int port() {
        return port;
    }

    /** {@return the entry of the GID table; -1 for none} */
    public int gidIndex() {
        return gidIndex;
    }

    /** {@return the service level, 0 to 15} */
    public int serviceLevel() {
        return serviceLevel;
    }

    /** {@return whether to sleep until an event arrives} */
    public boolean events() {
        return events;
    }

    /** {@return how many seconds to wait while nothing happens; 0 for ever} */
    public int timeoutSeconds() {
        return timeoutSeconds;
    }

    /** {@return {@link #timeoutSeconds} in milliseconds, at most what a socket accepts} */
    public int timeoutMillis() {
        return (int) Math.min(Integer.MAX_VALUE, timeoutSeconds * 1000L);
    }

    /** {@return {@link #timeoutSeconds} in nanoseconds that can be added to a time; for ever is some 70 years} */
    public long timeoutNanos() {
        return timeoutSeconds == 0 ? Long.MAX_VALUE / 4 : timeoutSeconds * 1_000_000_000L;
    }

    /**
     * {@return the command line with the same options for a peer on this machine, which listens on {@link
     * #localTcpPort}}
     */
    public List<String> forPeer(String deviceName) {
        List<String> a = new ArrayList<>(List.of("-d", deviceName, "-i", "" + port, "-g", "" + gidIndex));
        a.addAll(List.of("-l", "" + serviceLevel, "--timeout", "" + timeoutSeconds, "-p", "" + localTcpPort()));
        if (cm) {
            a.add("--cm");
        }
        if (events) {
            a.add("-e");
        }
        return a;
    }
}
