/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package com.example.kv;

import com.example.rdma.Children;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The key-value store as a program.
 *
 * <pre>
 *   KeyValueStore                      a server and two clients in processes of their own, all values verified
 *   KeyValueStore server [PORT]        serves until its standard input ends
 *   KeyValueStore client HOST PORT N   does the demonstration's work as client N
 * </pre>
 */
public final class KeyValueStore {
    private static final int CLIENTS = 2;

    private KeyValueStore() {}

    /** See the class. */
    public static void main(String[] args) throws Exception {
        switch (args.length == 0 ? "" : args[0]) {
            case "server" -> serve(args.length > 1 ? Integer.parseInt(args[1]) : 0);
            case "client" -> beClient(args[1], Integer.parseInt(args[2]), Integer.parseInt(args[3]));
            default -> demonstrate();
        }
    }

    private static void serve(int port) throws IOException, InterruptedException {
        KvServer server = new KvServer(port);
        try (server) {
            System.out.println(server.portNumber());
            while (System.in.read() >= 0) {
                // until the end
            }
        }
        System.out.println(server.puts()); // all of them: closing has waited for the last
    }

    private static void beClient(String host, int port, int number) throws IOException, InterruptedException {
        try (KvClient client = new KvClient(host, port)) {
            Workload.run(client.table(), number);
        }
        System.out.println("client " + number + ": every value was what it had put");
    }

    private static void demonstrate() throws Exception {
        Process server = Children.start(KeyValueStore.class, "server");
        List<Process> clients = new ArrayList<>();
        try (BufferedReader told = new BufferedReader(
                new InputStreamReader(server.getInputStream(), StandardCharsets.UTF_8))) {
            String port = told.readLine();
            if (port == null) {
                throw new IOException("the server did not start");
            }
            for (int i = 1; i <= CLIENTS; i++) {
                clients.add(Children.start(KeyValueStore.class, "client", "localhost", port, Integer.toString(i)));
            }
            for (Process client : clients) {
                System.out.print(new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
                check("exit status of a client", client.waitFor(), 0);
            }
            try (KvClient client = new KvClient("localhost", Integer.parseInt(port))) {
                check("the counter", Workload.counted(client.table()), (long) CLIENTS * Workload.ROUNDS);
            }
            server.getOutputStream().close();
            check("puts that the server saw", Long.parseLong(told.readLine()), 2L * CLIENTS * Workload.ROUNDS);
            check("exit status of the server", server.waitFor(), 0);
            System.out.println("verified: " + 2 * CLIENTS * Workload.ROUNDS + " puts, none lost");
        } finally {
            server.destroy();
            clients.forEach(Process::destroy);
        }
    }

    private static void check(String what, long is, long expected) throws IOException {
        if (is != expected) {
            throw new IOException(what + " is " + is + ", not " + expected);
        }
    }
}
