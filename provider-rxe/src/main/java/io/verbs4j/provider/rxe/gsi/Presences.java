/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.gsi;

import io.verbs4j.Gid;
import io.verbs4j.cm.spi.GsiPort;
import io.verbs4j.provider.rxe.files.PortNames;
import io.verbs4j.provider.rxe.link.Link;
import io.verbs4j.provider.rxe.link.Links;
import io.verbs4j.provider.rxe.share.Signal;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.PortUnreachableException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Checks whether processes of this machine still have their addresses.
 *
 * <p>The kernel answers: it rejects a datagram to a closed socket immediately, by ICMP, but not one to a stopped
 * process. Processes of other machines are not checked, because anyone can forge such rejections. If GIDs are names,
 * their files answer instead.
 */
final class Presences {
    /** How long an answer is reused, by all connections to one process. */
    private static final long HOLDS = TimeUnit.MILLISECONDS.toNanos(300);

    /** Maximum number of cached answers. */
    private static final int MOST = 1024;

    /** Number of probes. The rejection arrives before the send call returns, unless the system defers it. */
    private static final int LOOKS = 2;

    private record Answer(int presence, long nanos) {}

    private final Map<Gid, Answer> answers = new LinkedHashMap<>();

    /** Returns a {@code PRESENCE} constant of {@link GsiPort}. */
    synchronized int look(Gid peer) {
        long now = System.nanoTime();
        Answer known = answers.get(peer);
        if (known != null && now - known.nanos < HOLDS) {
            return known.presence;
        }
        if (answers.size() >= MOST) {
            answers.clear();
        }
        int presence = ask(peer);
        answers.put(peer, new Answer(presence, now));
        return presence;
    }

    private static int ask(Gid peer) {
        InetAddress address = peer.toInetAddress();
        if (!isOfThisMachine(address)) {
            return GsiPort.PRESENCE_UNKNOWN;
        }
        if (Links.isName(peer)) {
            return new PortNames(peer).find(peer) == 0 ? GsiPort.PRESENCE_GONE : GsiPort.PRESENCE_THERE;
        }
        try (DatagramChannel channel = DatagramChannel.open()) {
            channel.configureBlocking(false);
            channel.connect(new InetSocketAddress(address, Link.PORT));
            ByteBuffer datagram = ByteBuffer.allocate(Signal.LENGTH)
                    .putLong(Signal.MAGIC)
                    .putLong(Signal.HELLO)
                    .putLong(0)
                    .flip();
            for (int i = 0; i < LOOKS; i++) {
                channel.write(datagram.rewind());
                channel.read(ByteBuffer.allocate(1));
            }
            return GsiPort.PRESENCE_THERE;
        } catch (PortUnreachableException e) {
            return GsiPort.PRESENCE_GONE;
        } catch (IOException e) {
            return GsiPort.PRESENCE_UNKNOWN; // unknown, for instance because the process has no descriptor left
        }
    }

    private static boolean isOfThisMachine(InetAddress address) {
        try {
            return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
        } catch (SocketException e) {
            return false;
        }
    }
}
