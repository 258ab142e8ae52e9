/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.ping;

import io.verbs4j.Context;
import io.verbs4j.VerbsException;
import io.verbs4j.cm.CmConnection;
import io.verbs4j.cm.CmListener;
import io.verbs4j.tools.base.ToolException;
import io.verbs4j.tools.cm.CmFailures;
import io.verbs4j.tools.cm.Reach;
import io.verbs4j.tools.device.Devices;
import io.verbs4j.tools.process.ChildReport;
import io.verbs4j.tools.process.PeerProcess;
import io.verbs4j.tools.text.Json;
import io.verbs4j.tools.text.Percentiles;
import io.verbs4j.tools.text.Printable;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The {@code verbs ping} command. */
@Command(
        name = "ping",
        description = {
            "Pings over RDMA-CM: the client needs only an address.",
            "",
            "  verbs ping            both sides, on this machine, in two processes",
            "  verbs ping --server   the server: waits for a client",
            "  verbs ping SERVER     the client; 'localhost' also reaches a server in another process on this machine",
            "",
            "Either side may be the C program rping. The server reads the client's data and writes it back; both check"
                    + " every byte, which rping's client does with -V."
        },
        sortOptions = false)
public final class PingCommand implements Callable<Integer> {
    private static final long RESULT_SECONDS = 30;
    private static final int BACKLOG = 16;

    @Parameters(index = "0", arity = "0..1", paramLabel = "SERVER", description = "host to connect to")
    String host;

    @Mixin
    PingOptions options = new PingOptions();

    @Option(
            names = {"-s", "--server"},
            description = "run as the server")
    boolean server;

    @Option(
            names = {"-a", "--address"},
            paramLabel = "ADDRESS",
            description = "server: address to listen on (default: all addresses of the device)")
    String address;

    @Option(
            names = {"-P", "--persistent"},
            description = "server: serve any number of clients, until stopped")
    boolean persistent;

    @Option(names = "--json", description = "write the result as JSON")
    boolean json;

    @Option(names = "--child", hidden = true, description = "started by another process of this program")
    boolean child;

    private final Devices devices;
    private final PrintStream out;

    /**
     * Creates the command.
     *
     * @param devices the devices to use
     * @param out standard output
     */
    public PingCommand(Devices devices, PrintStream out) {
        this.devices = devices;
        this.out = out;
    }

    @Override
    public Integer call() {
        options.validate();
        if (server && host != null) {
            throw ToolException.usage("--server waits for a client: leave out '" + host + "', or give it to -a");
        }
        if (!server && (persistent || address != null)) {
            throw ToolException.usage("-a and -P are for the server: add --server");
        }
        if (persistent && json) {
            throw ToolException.usage("--json needs a result, and -P has none");
        }
        if (server) {
            serve();
        } else if (host != null) {
            try (Reach reach = Reach.toward(devices, options.device, host, options.port())) {
                ping(reach, "client");
            }
        } else {
            both();
        }
        return 0;
    }

    // ---- the client

    private void both() {
        try (Context context = devices.openFor(options.device, 1, 0);
                PeerProcess peer =
                        PeerProcess.start(options.forServer(context.device().name()))) {
            try {
                ping(Reach.here(context, peer.port()), "both");
            } catch (ToolException e) {
                throw peer.explain(e);
            }
            peer.result(RESULT_SECONDS);
        }
    }

    private void ping(Reach server, String mode) {
        try (PingClient client = PingClient.connect(server, options)) {
            client.ping(shown());
            long pings = client.roundTrips().getTotalCount();
            Map<String, Object> more = new LinkedHashMap<>();
            more.put("roundTripUsec", Percentiles.json(client.roundTrips(), 1));
            report(mode, client.connection(), server.context(), pings, pings * options.size, more);
            if (!json) {
                out.println("round trip: " + Percentiles.text(client.roundTrips()));
            }
        }
    }

    /** {@return where data is shown, or null if it is not} */
    private PrintStream shown() {
        return options.verbose ? json ? System.err : out : null;
    }

    private void report(
            String mode, CmConnection connection, Context context, long pings, long bytes, Map<String, Object> more) {
        if (json) {
            Map<String, Object> map = new LinkedHashMap<>();
            map.put("mode", mode);
            map.put("device", context.device().name());
            map.put("local", text(connection.id().localAddress()));
            map.put("remote", text(connection.id().peerAddress()));
            map.put("pings", pings);
            map.put("bytesVerified", bytes);
            map.putAll(more);
            out.println(Json.write(map));
        } else {
            out.printf(
                    Locale.ROOT,
                    "%d pings between %s (%s) and %s; verified: every byte of %d, none differed%n",
                    pings,
                    text(connection.id().localAddress()),
                    Printable.of(context.device().name()),
                    text(connection.id().peerAddress()),
                    bytes);
        }
        out.flush();
    }

    private static String text(java.net.InetSocketAddress address) {
        String host = address.getAddress().getHostAddress();
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
    }

    // ---- the server

    private void serve() {
        int port = child ? options.localPort() : options.port();
        try (Reach reach = Reach.at(devices, options.device, address, port);
                CmListener listener = listen(reach)) {
            if (child) {
                ChildReport.endWithParent();
                new ChildReport(out).port(listener.address().getPort());
            } else {
                System.err.println("waiting for a client on port "
                        + listener.address().getPort() + " of "
                        + Printable.of(reach.context().device().name()));
            }
            if (persistent) {
                serveAll(listener, reach.context());
            } else {
                serveOne(listener, reach.context());
            }
        }
    }

    private static CmListener listen(Reach reach) {
        try {
            return CmListener.listen(reach.context(), reach.address(), BACKLOG);
        } catch (VerbsException e) {
            throw CmFailures.of(e);
        }
    }

    private void serveOne(CmListener listener, Context context) {
        try (PingServer one = PingServer.accept(listener, context, options)) {
            if (one == null) {
                throw ToolException.failed("no client connected within " + options.timeoutSeconds
                        + " s; --timeout sets how long to wait, --timeout 0 waits forever");
            }
            one.serve(shown());
            if (child) {
                new ChildReport(out).result(Map.of("pings", one.pings(), "bytes", one.bytes()));
            } else {
                report("server", one.connection(), context, one.pings(), one.bytes(), Map.of());
            }
        }
    }

    private void serveAll(CmListener listener, Context context) {
        while (true) {
            try {
                PingServer one = PingServer.accept(listener, context, options);
                if (one != null) {
                    Thread thread = new Thread(() -> serveQuietly(one, context), "ping-server");
                    thread.setDaemon(true);
                    thread.start();
                }
            } catch (ToolException e) {
                System.err.println("verbs: " + Printable.of(e.getMessage())); // the next one may do better
            }
        }
    }

    private void serveQuietly(PingServer server, Context context) {
        try (server) {
            server.serve(shown());
            synchronized (out) {
                report("server", server.connection(), context, server.pings(), server.bytes(), Map.of());
            }
        } catch (ToolException | VerbsException e) {
            System.err.println("verbs: " + Printable.of(e.getMessage()));
        }
    }
}
