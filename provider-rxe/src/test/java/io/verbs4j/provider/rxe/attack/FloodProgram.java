/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.attack;

import io.verbs4j.Gid;
import io.verbs4j.provider.rxe.TestContext;
import io.verbs4j.provider.rxe.link.Link;
import io.verbs4j.provider.rxe.wire.Opcode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A program that sends forged packets to an address at a given rate until it is killed: RC SEND ONLY of 32 bytes with a
 * valid ICRC, from an address of this machine that is nobody's peer, to a queue pair number. Or one that only uses the
 * CPU.
 *
 * <p>Arguments: {@code packets ADDRESS QPN PACKETS_A_SECOND}, {@code nowhere PACKETS_A_SECOND} for the same to a socket
 * that nobody reads, {@code spin PERCENT} for no packets.
 */
final class FloodProgram {
    private static final long SLOT = TimeUnit.MICROSECONDS.toNanos(500);

    private FloodProgram() {}

    public static void main(String[] args) throws IOException {
        Thread end = new Thread(FloodProgram::endWithStarter);
        end.setDaemon(true);
        end.start();
        switch (args[0]) {
            case "packets" -> flood(InetAddress.getByName(args[1]), Integer.parseInt(args[2]), rate(args[3]));
            case "nowhere" -> nowhere(rate(args[1]));
            case "spin" -> spin(rate(args[1]));
            default -> throw new IllegalArgumentException(args[0]);
        }
    }

    private static void endWithStarter() {
        try {
            while (System.in.read() >= 0) {
                // it is alive
            }
        } catch (IOException e) {
            // it is not
        }
        System.exit(0);
    }

    private static int rate(String text) {
        return Integer.parseInt(text);
    }

    private static void nowhere(int perSecond) throws IOException {
        InetAddress address = TestContext.newAddress();
        try (DatagramChannel sink = DatagramChannel.open()) {
            sink.bind(new InetSocketAddress(address, Link.PORT));
            flood(address, 1 << 20, perSecond);
        }
    }

    private static void flood(InetAddress to, int qpn, int perSecond) {
        byte[] payload = new byte[32];
        try (Intruder intruder = new Intruder(Gid.of(TestContext.newAddress()), Gid.of(to), qpn)) {
            int each = (int) (perSecond * SLOT / TimeUnit.SECONDS.toNanos(1));
            pace(() -> {
                for (int i = 0; i < each; i++) {
                    intruder.send(Opcode.RC_SEND_ONLY, i, payload, null);
                }
            });
        }
    }

    private static void spin(int percent) {
        pace(() -> {
            long end = System.nanoTime() + SLOT * percent / 100;
            while (System.nanoTime() < end) {
                Thread.onSpinWait();
            }
        });
    }

    /** Works once per slot; makes up for missed work later, up to a tenth of a second's work. */
    private static void pace(Runnable work) {
        System.out.println("begins"); // the parent process waits for this
        long next = System.nanoTime();
        while (true) {
            work.run();
            next = Math.max(next + SLOT, System.nanoTime() - TimeUnit.MILLISECONDS.toNanos(100));
            LockSupport.parkNanos(next - System.nanoTime());
        }
    }
}
