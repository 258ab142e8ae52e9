/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.guest.cm;

import io.verbs4j.cm.CmListener;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The counterpart of a program of librdmacm, on a device.
 *
 * <pre>
 * DEVICE PROGRAM serve|connect SOURCE ADDRESS PORT [ARGUMENT...]
 *   PROGRAM   rping COUNT SIZE, ucmatose CONNECTIONS, udaddy, rdma (the pair rdma_server and rdma_client), mckey,
 *             cmpeer tcp|udp COUNT[+COUNT] [HEX...] as in cmpeer.c
 *   SOURCE    address to connect from
 *   ADDRESS   to listen on, to connect to, or of the group
 * </pre>
 *
 * A server prints {@code listening} once it is reachable, and a member of a group prints {@code joined}. The last
 * line is {@code done}, if everything was as expected and the connection manager has nothing left.
 */
public final class CmMain {
    private static final String ENGINE_THREAD = "verbs4j-cm-";

    private CmMain() {}

    /** The arguments of a program. */
    record Task(Side side, InetAddress source, InetSocketAddress address, List<String> arguments) {
        int number(int index) {
            return Integer.parseInt(arguments.get(index));
        }

        CmListener listen() {
            CmListener listener = CmListener.listen(side.context, address, 0);
            System.out.println("listening");
            return listener;
        }
    }

    public static void main(String... args) throws Exception {
        boolean serves = args[2].equals("serve");
        InetSocketAddress address = new InetSocketAddress(args[4], Integer.parseInt(args[5]));
        List<String> rest = List.of(args).subList(6, args.length);
        try (Side side = new Side(args[0])) {
            Task task = new Task(side, InetAddress.getByName(args[3]), address, rest);
            switch (args[1]) {
                case "rping" -> Rping.run(task, serves);
                case "ucmatose" -> Ucmatose.run(task, serves);
                case "udaddy" -> Udaddy.run(task, serves);
                case "rdma" -> RdmaPair.run(task, serves);
                case "mckey" -> Mckey.run(task, serves);
                case "cmpeer" -> CmPeer.run(task, serves);
                default -> throw new IllegalArgumentException("no program " + args[1]);
            }
        }
        nothingIsLeft();
        System.out.println("done");
    }

    /**
     * Checks that nothing is left. The Java manager stops by itself once all its tables are empty, including time-wait
     * entries.
     */
    private static void nothingIsLeft() throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(Side.PATIENCE);
        while (Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().startsWith(ENGINE_THREAD))) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("the connection manager is still running");
            }
            Thread.sleep(20);
        }
    }
}
