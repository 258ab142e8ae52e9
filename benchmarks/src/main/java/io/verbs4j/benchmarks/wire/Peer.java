/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.wire;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/** The second process: executes commands that the first sends over their {@link Link}, and exits with it. */
public final class Peer {
    // Commands of the first process ...
    static final String OPEN = "open";
    static final String STREAM = "stream";
    static final String ECHO = "echo";
    static final String CHECK = "check";
    static final String END = "end";

    // ... and the answers of this one.
    static final String READY = "ready";
    static final String RECEIVED = "received";
    static final String RIGHT = "right";

    private final Link link;
    private final List<Transport> transports = new ArrayList<>();

    private Peer(Link link) {
        this.link = link;
    }

    /** Runs the process; the argument is the TCP port on which the first process listens. */
    public static void main(String[] args) throws Exception {
        endWithParent();
        try (Link link = new Link(new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0])))) {
            Peer peer = new Peer(link);
            try {
                peer.obey();
            } catch (Exception e) {
                e.printStackTrace();
                link.tellFailure(e);
                throw e;
            }
        }
        System.exit(0); // a transport may have left threads running
    }

    private void obey() throws Exception {
        while (true) {
            String[] command = link.hear().split(" ", -1);
            switch (command[0]) {
                case OPEN -> {
                    transports.add(TransportType.named(command[1], command[2])
                            .open(link, false, Integer.parseInt(command[3])));
                    link.tell(READY);
                }
                case STREAM -> takePart(command, false);
                case ECHO -> takePart(command, true);
                case END -> {
                    for (Transport t : transports) {
                        t.close();
                    }
                    link.tell(END);
                    return;
                }
                default -> throw new IOException("unknown command " + command[0]);
            }
        }
    }

    private void takePart(String[] command, boolean echo) throws IOException {
        Transport transport = transports.get(Integer.parseInt(command[1]));
        long messages = Long.parseLong(command[2]);
        transport.prepare(Long.parseLong(command[3]));
        long busy = ProcessorTime.nanos();
        link.tell(READY);
        if (echo) {
            transport.pong(messages);
        } else if (!transport.isOneSided()) {
            transport.receive(messages);
        }
        link.tell(RECEIVED);
        link.expect(CHECK);
        busy = ProcessorTime.nanos() - busy;
        if (!transport.isRead()) {
            transport.check(messages);
        }
        link.tell(RIGHT + " " + busy);
    }

    /** Makes this process exit with the first one, however that ends: its end closes the standard input of this one. */
    private static void endWithParent() {
        Thread watch = new Thread(
                () -> {
                    try {
                        while (System.in.read() >= 0) {
                            // nothing is ever sent there
                        }
                    } catch (IOException e) {
                        // same as the end of input
                    }
                    Runtime.getRuntime().halt(1);
                },
                "parent-watch");
        watch.setDaemon(true);
        watch.start();
    }
}
