/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.pingpong;

import io.verbs4j.Context;
import io.verbs4j.tools.base.ToolException;
import io.verbs4j.tools.cm.CmClient;
import io.verbs4j.tools.cm.Reach;
import io.verbs4j.tools.device.Devices;
import io.verbs4j.tools.net.Address;
import io.verbs4j.tools.net.Exchange;
import io.verbs4j.tools.net.PeerLink;
import io.verbs4j.tools.net.Wire;
import io.verbs4j.tools.process.PeerProcess;
import io.verbs4j.tools.text.GidText;
import io.verbs4j.tools.text.Json;
import io.verbs4j.tools.text.Percentiles;
import io.verbs4j.tools.text.Printable;
import io.verbs4j.tools.text.Progress;
import io.verbs4j.tools.traffic.AskFirst;
import io.verbs4j.tools.traffic.Service;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Both sides of a ping-pong on this machine: the client in this process, the server in another. */
final class BothSides {
    private static final long RESULT_SECONDS = 30;

    private final Devices devices;
    private final PrintStream out;

    BothSides(Devices devices, PrintStream out) {
        this.devices = devices;
        this.out = out;
    }

    void run(Service service, PingPongOptions options, boolean json) {
        try (Context context = devices.openFor(options.path.device(), options.path.port(), options.path.gidIndex());
                Game game = ask(context, service, options);
                PeerProcess server = PeerProcess.start(arguments(service, options, context))) {
            try {
                play(context, game, server, service, options, json);
            } catch (ToolException e) {
                throw server.explain(e);
            }
            Map<String, String> theirs = server.result(RESULT_SECONDS);
            report(
                    context,
                    game,
                    server,
                    Long.parseLong(theirs.get("messages")),
                    Long.parseLong(theirs.get("bytes")),
                    json);
        }
    }

    private static Game ask(Context context, Service service, PingPongOptions options) {
        new AskFirst(context)
                .twice("Start a server on one device and a client on another: 'verbs pingpong " + service.label()
                        + (options.write ? " --write" : "") + " -d DEVICE', then the same with 127.0.0.1 behind it");
        return Game.of(context, service, PingPong.Role.FIRST_PROCESS, options);
    }

    private void play(
            Context context, Game game, PeerProcess server, Service service, PingPongOptions options, boolean json) {
        if (options.path.cm()) {
            try (CmClient peer = CmClient.connect(Reach.here(context, server.port()), options.path.timeoutNanos());
                    PeerLink link = PingPongCommand.link(peer, game)) {
                play(context, game, server, service, options, json, link);
            }
            return;
        }
        Socket socket = Wire.connect(
                InetAddress.getLoopbackAddress().getHostAddress(), server.port(), options.path.timeoutMillis());
        int slots = PingPongCommand.slots(service);
        try (PeerLink link =
                PingPongCommand.link(socket, game, () -> game.connect(Exchange.client(socket, game.local(), slots)))) {
            link.keepsLink();
            play(context, game, server, service, options, json, link);
        }
    }

    private void play(
            Context context,
            Game game,
            PeerProcess server,
            Service service,
            PingPongOptions options,
            boolean json,
            PeerLink link) {
        if (!json) {
            introduce(service, options, context, game, server);
        }
        try (Progress progress = Progress.onStandardError()) {
            game.play(link, progress);
        }
    }

    /** {@return the server's command line} */
    static List<String> arguments(Service service, PingPongOptions options, Context context) {
        List<String> a = new ArrayList<>(List.of("pingpong", service.label(), "--child"));
        a.addAll(options.path.forPeer(context.device().name()));
        a.addAll(List.of("-s", "" + options.size(service), "-m", "" + options.mtu));
        a.addAll(options.write ? List.of("--write") : List.of("-r", "" + options.rxDepth(service)));
        if (service == Service.SRQ) {
            a.addAll(List.of("-q", "" + options.queuePairs()));
        }
        if (options.check) {
            a.add("-c");
        }
        return a;
    }

    private void introduce(Service service, PingPongOptions options, Context context, Game game, PeerProcess server) {
        out.printf(
                Locale.ROOT,
                "Both sides of %s ping-pong%s on this machine: %d messages of %d bytes each way.%n",
                switch (service) {
                    case RC -> "an RC";
                    case UC -> "a UC";
                    case UD -> "a UD";
                    case SRQ -> "an RC (shared receive queue)";
                    case SRD -> "an SRD";
                },
                options.write ? " by RDMA write" : "",
                options.iterations,
                options.size(service));
        side("client", ProcessHandle.current().pid(), context, options, game.local());
        side("server", server.pid(), context, options, game.remote());
        out.flush();
    }

    private void side(String name, long pid, Context context, PingPongOptions options, List<Address> addresses) {
        Address first = addresses.get(0);
        out.printf(
                Locale.ROOT,
                "  %s  pid %-7d  %s port %d  GID %-22s  QPN 0x%06x%s%n",
                name,
                pid,
                Printable.of(context.device().name()),
                options.path.port(),
                GidText.of(first.gid()),
                first.qpn(),
                addresses.size() > 1 ? " and " + (addresses.size() - 1) + " more" : "");
    }

    private void report(Context context, Game game, PeerProcess server, long messages, long bytes, boolean json) {
        PingPongResult result = game.result();
        long allMessages = result.messagesVerified() + messages;
        long allBytes = result.bytesVerified() + bytes;
        if (json) {
            Map<String, Object> map = new LinkedHashMap<>();
            map.put("mode", "both");
            map.put("device", context.device().name());
            map.put("clientPid", ProcessHandle.current().pid());
            map.put("serverPid", server.pid());
            map.putAll(result.json());
            map.put("messagesVerified", allMessages);
            map.put("bytesVerified", allBytes);
            map.put("local", AddressLines.json(game.local()));
            map.put("remote", AddressLines.json(game.remote()));
            out.println(Json.write(map));
            return;
        }
        out.print(result.warmUp());
        out.print(result.summary());
        out.println("round trip: " + Percentiles.text(result.roundTrips()));
        out.printf(
                Locale.ROOT,
                "verified: every byte of %d messages%s, %d bytes (client %d, server %d); none differed%n",
                allMessages,
                result.warmUpMessages() > 0 ? " (warm-up included)" : "",
                allBytes,
                result.bytesVerified(),
                bytes);
    }
}
