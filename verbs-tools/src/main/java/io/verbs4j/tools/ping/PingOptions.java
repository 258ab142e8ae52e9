/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.ping;

import io.verbs4j.tools.traffic.Limits;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** The options of {@code rping(1)} that apply here, and a few more. */
public final class PingOptions {
    /** The port that rping uses. */
    static final int DEFAULT_PORT = 7174;

    // picocli writes these fields.

    @Option(
            names = {"-p", "--port"},
            paramLabel = "PORT",
            description = "port in RDMA-CM's port space TCP (default: " + DEFAULT_PORT
                    + "; any free port with both sides on this machine)")
    Integer port;

    @Option(
            names = {"-d", "--ib-dev"},
            paramLabel = "DEVICE",
            description = "device to use (default: the first that reaches the server, or has the address)")
    String device;

    @Option(
            names = {"-S", "--size"},
            paramLabel = "BYTES",
            defaultValue = "64",
            description = {
                "client: size of a ping, " + PingData.LEAST + " to " + PingData.MOST + " (default: ${DEFAULT-VALUE}).",
                "A server that is rping needs the same -S or a larger one; this one takes any."
            })
    int size;

    @Option(
            names = {"-C", "--count"},
            paramLabel = "COUNT",
            defaultValue = "10",
            description = "client: number of pings (default: ${DEFAULT-VALUE}); 0 continues forever, as rping does")
    int count;

    @Option(
            names = {"-v", "--verbose"},
            description = "show the data of each ping")
    boolean verbose;

    @Option(
            names = {"-e", "--events"},
            description = "sleep until a completion event arrives (default: poll)")
    boolean events;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            defaultValue = "60",
            description = "give up after this long without progress; 0 waits forever (default: ${DEFAULT-VALUE})")
    int timeoutSeconds;

    /** Refuses invalid values, and says which are valid. */
    void validate() {
        Limits.check("-p", localPort(), 0, Limits.MOST_16_BITS);
        Limits.check("-S", size, PingData.LEAST, PingData.MOST);
        Limits.check("-C", count, 0, Integer.MAX_VALUE);
        Limits.check("--timeout", timeoutSeconds, 0, Integer.MAX_VALUE);
    }

    /** {@return the port that a server on another machine listens at} */
    int port() {
        return port == null ? DEFAULT_PORT : port;
    }

    /** {@return the port for two sides on this machine; 0 for any free port} */
    int localPort() {
        return port == null ? 0 : port;
    }

    /** {@return the timeout in nanoseconds that can be added to a time; for ever is some 70 years} */
    long timeoutNanos() {
        return timeoutSeconds == 0 ? Long.MAX_VALUE / 4 : timeoutSeconds * 1_000_000_000L;
    }

    /** {@return the command line of the server for both sides on this machine} */
    List<String> forServer(String deviceName) {
        List<String> a = new ArrayList<>(List.of("ping", "--server", "--child", "-d", deviceName));
        a.addAll(List.of("-p", "" + localPort(), "--timeout", "" + timeoutSeconds));
        if (events) {
            a.add("-e");
        }
        return a;
    }
}
