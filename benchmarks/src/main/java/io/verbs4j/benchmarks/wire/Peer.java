/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.wire;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/** The second process: does what the first tells it to over their {@link Link}, and ends with it. */
public final class Peer {
    // What the first process says ...
    static final String OPEN = "open";
    static final String STREAM = "stream";
    static final String ECHO = "echo";
    static final String CHECK = "check";
    static final String END = "end";

    // ... and what this one answers.
    static final String READY = "ready";
    static final String RECEIVED = "received";
    static final String RIGHT = "right";

    private final Link link;
    private final List<Transport> transports = new ArrayList<>();

    private Peer(Link link) {
        this.link = link;
    }

    /** Takes the TCP port at which the first process waits. */
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
        System.exit(0); // threads of a transport don't keep us
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

    /** Whatever becomes of the first process, this one must not stay behind: its end closes our standard input. */
    private static void endWithParent() {
        Thread watch = new Thread(
                () -> {
                    try {
                        while (System.in.read() >= 0) {
                            // nothing is ever said there
                        }
                    } catch (IOException e) {
                        // as good as an end
                    }
                    Runtime.getRuntime().halt(1);
                },
                "parent-watch");
        watch.setDaemon(true);
        watch.start();
    }
}
