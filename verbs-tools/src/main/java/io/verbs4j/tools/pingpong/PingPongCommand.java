/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.pingpong;

import io.verbs4j.Context;
import io.verbs4j.tools.base.ToolException;
import io.verbs4j.tools.cm.CmClient;
import io.verbs4j.tools.cm.CmPeer;
import io.verbs4j.tools.cm.CmServer;
import io.verbs4j.tools.cm.Reach;
import io.verbs4j.tools.device.Devices;
import io.verbs4j.tools.net.Exchange;
import io.verbs4j.tools.net.PeerLink;
import io.verbs4j.tools.net.Wire;
import io.verbs4j.tools.process.Capture;
import io.verbs4j.tools.process.ChildReport;
import io.verbs4j.tools.text.Json;
import io.verbs4j.tools.text.Printable;
import io.verbs4j.tools.text.Progress;
import io.verbs4j.tools.traffic.PathOptions;
import io.verbs4j.tools.traffic.Service;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The {@code verbs pingpong} command. */
@Command(
        name = "pingpong",
        description = {
            "Sends messages back and forth, and checks every byte.",
            "",
            "  verbs pingpong               both sides, on this machine, in two processes",
            "  verbs pingpong TYPE --both   the same with another service",
            "  verbs pingpong TYPE          the server: waits for a client",
            "  verbs pingpong TYPE SERVER   the client",
            "  with --cm added              the same over RDMA-CM: SERVER is a device's address",
            "",
            "TYPE is rc, uc, ud, srq (RC with a shared receive queue) or srd (EFA). Either side may be the C program"
                    + " of the same type: ibv_rc_pingpong, ibv_uc_pingpong, ibv_ud_pingpong, ibv_srq_pingpong."
        },
        sortOptions = false)
public final class PingPongCommand implements Callable<Integer> {
    /** The C program for shared receive queues always exchanges this many addresses. */
    private static final int SRQ_SLOTS = 256;

    @Parameters(index = "0", arity = "0..1", paramLabel = "TYPE", description = "rc, uc, ud, srq or srd (default: rc)")
    String type;

    @Parameters(index = "1", arity = "0..1", paramLabel = "SERVER", description = "host to connect to")
    String host;

    @Mixin
    PingPongOptions options = new PingPongOptions();

    @Option(names = "--both", description = "start the server too, as a second process on this machine")
    boolean both;

    @Option(names = "--json", description = "write the result as JSON")
    boolean json;

    @Option(
            names = "--pcap",
            paramLabel = "FILE",
            description = "record this side's packets for Wireshark (embedded device only)")
    Path pcap;

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
    public PingPongCommand(Devices devices, PrintStream out) {
        this.devices = devices;
        this.out = out;
    }

    @Override
    public Integer call() {
        boolean typed = type != null && Service.of(type) != null;
        if (type != null && !typed) {
            if (host != null) {
                throw ToolException.usage("'" + type + "' is not a type; the types are rc, uc, ud, srq and srd");
            }
            host = type; // the type may be omitted
        }
        Service service = typed ? Service.of(type) : Service.RC;
        if (both && host != null) {
            throw ToolException.usage("--both starts the server on this machine: leave out '" + host + "'");
        }
        if (both && child) {
            throw ToolException.usage("--both and --child exclude each other");
        }
        options.validate(service);
        boolean here = host == null && (both || !typed);
        if (options.warmUpSeconds != null && !here) {
            throw ToolException.usage(
                    "--warm-up is for both sides on this machine: a separate peer counts all messages");
        }
        Capture capture = Capture.start(pcap);
        if (options.path.cm() && !here) {
            byCm(service);
        } else if (host != null) {
            client(service);
        } else if (here) {
            new BothSides(devices, out).run(service, options, json);
        } else if (child) {
            child(service);
        } else {
            server(service);
        }
        capture.check();
        return 0;
    }

    static int slots(Service service) {
        return service == Service.SRQ ? SRQ_SLOTS : 1;
    }

    private void client(Service service) {
        try (Context context = devices.openFor(options.path.device(), options.path.port(), options.path.gidIndex());
                Game game = Game.of(context, service, PingPong.Role.CLIENT, options)) {
            local(game, service);
            Socket socket = Wire.connect(host, options.path.tcpPort(), options.path.timeoutMillis());
            try (PeerLink link =
                    link(socket, game, () -> game.connect(Exchange.client(socket, game.local(), slots(service))))) {
                remote(game);
                play(game, link);
            }
            report(game.result(), "client", context, game);
        }
    }

    private void server(Service service) {
        try (Context context = devices.openFor(options.path.device(), options.path.port(), options.path.gidIndex());
                Game game = Game.of(context, service, PingPong.Role.SERVER, options)) {
            local(game, service);
            ServerSocket listener = Wire.listen(null, options.path.tcpPort());
            System.err.println("waiting for a client on TCP port " + listener.getLocalPort());
            Socket socket = Wire.accept(listener, options.path.timeoutMillis());
            try (PeerLink link =
                    link(socket, game, () -> Exchange.server(socket, game.local(), slots(service), game::connect))) {
                remote(game);
                play(game, link);
            }
            report(game.result(), "server", context, game);
        }
    }

    // ---- by RDMA-CM

    private void byCm(Service service) {
        PathOptions path = options.path;
        if (host != null) {
            try (Reach reach = Reach.toward(devices, path.device(), host, path.tcpPort());
                    Game game = Game.of(reach.context(), service, PingPong.Role.CLIENT, options);
                    CmClient peer = CmClient.connect(reach, path.timeoutNanos())) {
                play(game, service, peer, "client", reach.context());
            }
            return;
        }
        PingPong.Role role = child ? PingPong.Role.SECOND_PROCESS : PingPong.Role.SERVER;
        try (Reach reach = Reach.at(devices, path.device(), null, child ? path.localTcpPort() : path.tcpPort());
                Game game = Game.of(reach.context(), service, role, options);
                CmServer peer = CmServer.listen(reach, path.timeoutNanos())) {
            if (child) {
                ChildReport.endWithParent();
                new ChildReport(out).port(peer.port());
            } else {
                System.err.println("waiting for a client on port " + peer.port() + " of "
                        + Printable.of(reach.context().device().name()));
            }
            peer.accept();
            if (child) {
                try (PeerLink link = link(peer, game)) {
                    game.play(link, Progress.none());
                }
                new ChildReport(out).result(told(game.result()));
            } else {
                play(game, service, peer, "server", reach.context());
            }
        }
    }

    private void play(Game game, Service service, CmPeer peer, String mode, Context context) {
        try (PeerLink link = link(peer, game)) {
            local(game, service);
            remote(game);
            play(game, link);
        }
        report(game.result(), mode, context, game);
    }

    /** Connects queue pairs, and exchanges what else the sides must know. */
    static PeerLink link(CmPeer peer, Game game) {
        peer.join(game.endpoint());
        game.meet(peer.socket());
        PeerLink link = new PeerLink(peer.socket());
        link.keepsLink();
        return link;
    }

    // ---- on this machine

    private static Map<String, Object> told(PingPongResult result) {
        return Map.of("messages", result.messagesVerified(), "bytes", result.bytesVerified());
    }

    /** Runs the server of {@link BothSides}, in its own process. */
    private void child(Service service) {
        ChildReport.endWithParent();
        ChildReport report = new ChildReport(out);
        try (Context context = devices.openFor(options.path.device(), options.path.port(), options.path.gidIndex());
                Game game = Game.of(context, service, PingPong.Role.SECOND_PROCESS, options)) {
            ServerSocket listener = Wire.listen(InetAddress.getLoopbackAddress(), options.path.localTcpPort());
            report.port(listener.getLocalPort());
            Socket socket = Wire.accept(listener, options.path.timeoutMillis());
            try (PeerLink link =
                    link(socket, game, () -> Exchange.server(socket, game.local(), slots(service), game::connect))) {
                game.play(link, Progress.none());
            }
            report.result(told(game.result()));
        }
    }

    /** Exchanges addresses and what else the sides must know, then keeps the connection. */
    static PeerLink link(Socket socket, Game game, Runnable exchange) {
        try {
            exchange.run();
            game.meet(socket);
        } catch (RuntimeException e) {
            new PeerLink(socket).close();
            throw e;
        }
        return new PeerLink(socket);
    }

    private static void play(Game game, PeerLink link) {
        try (Progress progress = Progress.onStandardError()) {
            game.play(link, progress);
        }
    }

    private void local(Game game, Service service) {
        if (!json) {
            game.local().forEach(a -> out.print(AddressLines.local(a, service)));
            out.flush();
        }
    }

    private void remote(Game game) {
        if (!json) {
            game.remote().forEach(a -> out.print(AddressLines.remote(a)));
            out.flush();
        }
    }

    private void report(PingPongResult result, String mode, Context context, Game game) {
        if (json) {
            Map<String, Object> map = new LinkedHashMap<>();
            map.put("mode", mode);
            map.put("device", context.device().name());
            map.putAll(result.json());
            map.put("local", AddressLines.json(game.local()));
            map.put("remote", AddressLines.json(game.remote()));
            out.println(Json.write(map));
        } else {
            out.print(result.summary());
        }
    }
}
