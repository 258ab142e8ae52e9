/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.bench;

import io.verbs4j.Context;
import io.verbs4j.tools.base.ToolException;
import io.verbs4j.tools.cm.CmClient;
import io.verbs4j.tools.cm.CmPeer;
import io.verbs4j.tools.cm.Reach;
import io.verbs4j.tools.device.Devices;
import io.verbs4j.tools.net.Wire;
import io.verbs4j.tools.process.ChildReport;
import io.verbs4j.tools.process.PeerProcess;
import io.verbs4j.tools.text.Printable;
import io.verbs4j.tools.text.Progress;
import io.verbs4j.tools.traffic.AskFirst;
import io.verbs4j.tools.traffic.PathOptions;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The {@code verbs bench} command. */
@Command(
        name = "bench",
        description = {
            "Measures bandwidth and latency, and verifies the data.",
            "",
            "  verbs bench OPERATION              both sides, on this machine, in two processes",
            "  verbs bench OPERATION --in-process both sides in this process",
            "  verbs bench --server               the server: waits for a client and runs what it requests",
            "  verbs bench OPERATION SERVER       the client",
            "  with --cm added                    the same over RDMA-CM: SERVER is a device's address",
            "",
            "OPERATION is send, write, read or atomic. Latency is one way (half the round trip) for send and write, and"
                    + " the full round trip for read and atomic. 1 MB is 1000000 bytes. Sends carry immediate data;"
                    + " write latency is measured by polling the memory, as ib_write_lat does.",
            "",
            "srd runs between EFA devices: messages and completions arrive in any order, so each is tracked by its own"
                    + " number."
        },
        sortOptions = false)
public final class BenchCommand implements Callable<Integer> {
    private static final long RESULT_SECONDS = 30;

    @Parameters(index = "0", arity = "0..1", paramLabel = "OPERATION", description = "send, write, read or atomic")
    String operation;

    @Parameters(index = "1", arity = "0..1", paramLabel = "SERVER", description = "host to connect to")
    String host;

    @Mixin
    BenchOptions options = new BenchOptions();

    @Option(names = "--both", description = "both sides on this machine (the default)")
    boolean both;

    @Option(names = "--server", description = "run as the server")
    boolean server;

    @Option(
            names = {"--in-process", "--threads"},
            description = "both sides in this process, as two threads")
    boolean inProcess;

    @Option(names = "--plot", paramLabel = "FILE.svg", description = "draw the results")
    Path plot;

    @Option(names = "--json", description = "write the results as JSON")
    boolean json;

    @Option(names = "--child", hidden = true, description = "started by another process of this program")
    boolean child;

    private final Devices devices;
    private final PrintStream out;

    /** The way to the server, if RDMA-CM finds it. */
    private Reach reach;

    /**
     * Creates the command.
     *
     * @param devices the devices to use
     * @param out standard output
     */
    public BenchCommand(Devices devices, PrintStream out) {
        this.devices = devices;
        this.out = out;
    }

    @Override
    public Integer call() {
        options.validate();
        if (server) {
            if (operation != null || both || inProcess) {
                throw ToolException.usage("--server takes no operation, host, --both or --in-process:"
                        + " the client chooses what to measure");
            }
            serve();
            return 0;
        }
        if (operation == null) {
            throw ToolException.usage("no operation given: use send, write, read or atomic, or --server");
        }
        Operation chosen = operation(operation);
        if (host != null && (both || inProcess)) {
            throw ToolException.usage("--both and --in-process start the server here: leave out '" + host + "'");
        }
        if (plot != null) {
            Plot.checkWritable(plot);
        }
        try (Context context = open()) {
            ask(context, chosen);
            List<Step> steps = options.steps(chosen, context);
            List<StepResult> results = host != null
                    ? asClient(context, steps)
                    : inProcess ? inThisProcess(context, steps) : inTwoProcesses(context, steps);
            new Report(out, context.device().name(), steps.get(0), options.timestamps, results).write(json);
            if (plot != null) {
                Plot.write(plot, Printable.of(context.device().name()), results);
                System.err.println("chart written to " + Printable.of(plot.toString()));
            }
        }
        return 0;
    }

    /** {@return the device that reaches the server, or the one that was requested} */
    private Context open() {
        PathOptions path = options.path;
        if (path.cm() && host != null) {
            reach = Reach.toward(devices, path.device(), host, path.tcpPort());
            return reach.context();
        }
        return devices.openFor(path.device(), path.port(), path.gidIndex());
    }

    private void ask(Context context, Operation chosen) {
        AskFirst device = new AskFirst(context);
        device.operation(options.service(), chosen.needs(), "");
        if (options.path.events()) {
            device.events();
        }
        if (host == null) {
            device.twice("Start 'verbs bench --server -d DEVICE', and the client on another device: 'verbs bench "
                    + chosen.label() + " 127.0.0.1 -d DEVICE'");
        }
    }

    private static Operation operation(String name) {
        for (Operation operation : Operation.values()) {
            if (operation.label().equals(name)) {
                return operation;
            }
        }
        throw ToolException.usage("'" + name + "' is not an operation: use send, write, read or atomic");
    }

    private List<StepResult> asClient(Context context, List<Step> steps) {
        return options.path.cm()
                ? asClient(reach, steps)
                : asClient(context, Wire.connect(host, options.path.tcpPort(), timeoutMillis()), null, steps);
    }

    /** Runs the client with the server on this machine. */
    private List<StepResult> asClientHere(Context context, int port, List<Step> steps) {
        return options.path.cm()
                ? asClient(Reach.here(context, port), steps)
                : asClient(context, Wire.connect(loopback().getHostAddress(), port, timeoutMillis()), null, steps);
    }

    private List<StepResult> asClient(Reach server, List<Step> steps) {
        try (CmClient peer = CmClient.connect(server, options.path.timeoutNanos())) {
            return asClient(server.context(), peer.socket(), peer, steps);
        }
    }

    private List<StepResult> asClient(Context context, Socket socket, CmPeer peer, List<Step> steps) {
        try (Control control = new Control(socket, timeoutMillis());
                Progress progress = Progress.onStandardError()) {
            Session session = new Session(context, options.settings(), control, peer);
            session.greet();
            List<StepResult> results = new ArrayList<>();
            Session.Limit limit = options.limit();
            for (Step step : steps) {
                results.add(session.run(step, limit, progress));
                limit = limit.warm();
            }
            session.end();
            return results;
        }
    }

    private int timeoutMillis() {
        return options.path.timeoutMillis();
    }

    private List<StepResult> inTwoProcesses(Context context, List<Step> steps) {
        try (PeerProcess peer =
                PeerProcess.start(options.serverArguments(context.device().name()))) {
            List<StepResult> results;
            try {
                results = asClientHere(context, peer.port(), steps);
            } catch (ToolException e) {
                throw peer.explain(e);
            }
            peer.result(RESULT_SECONDS);
            return results;
        }
    }

    private List<StepResult> inThisProcess(Context context, List<Step> steps) {
        // The server gets its own context, as it would have in its own process.
        try (Context theirs = devices.open(context.device());
                BenchServer server = BenchServer.here(theirs, options)) {
            Thread thread = new Thread(() -> serveQuietly(server), "bench-server");
            thread.setDaemon(true);
            thread.start();
            try {
                return asClientHere(context, server.port(), steps);
            } finally {
                thread.join(RESULT_SECONDS * 1000);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw ToolException.failed("interrupted", e);
        }
    }

    private static void serveQuietly(BenchServer server) {
        try {
            server.serve();
        } catch (RuntimeException e) {
            // The client learns of it over the connection, and reports it.
        }
    }

    private static InetAddress loopback() {
        return InetAddress.getLoopbackAddress();
    }

    private void serve() {
        PathOptions path = options.path;
        int port = child ? path.localTcpPort() : path.tcpPort();
        try (Reach at = path.cm()
                        ? Reach.at(devices, path.device(), null, port)
                        : new Reach(devices.openFor(path.device(), path.port(), path.gidIndex()), null);
                BenchServer waiting = child ? BenchServer.here(at.context(), options) : BenchServer.of(at, options)) {
            ChildReport report = new ChildReport(out);
            if (child) {
                ChildReport.endWithParent();
                report.port(waiting.port());
            } else {
                String device = Printable.of(at.context().device().name());
                System.err.println("waiting for a client on "
                        + (path.cm() ? "port " + waiting.port() + " of " + device : "TCP port " + waiting.port()));
            }
            waiting.serve();
            if (child) {
                report.result(Map.of("ok", true));
            }
        }
    }
}
