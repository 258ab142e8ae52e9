/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.pingpong;

import io.verbs4j.AccessFlags;
import io.verbs4j.Context;
import io.verbs4j.Mtu;
import io.verbs4j.PortAttr;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.tools.ToolException;
import io.verbs4j.tools.net.Address;
import io.verbs4j.tools.net.PeerLink;
import io.verbs4j.tools.text.Progress;
import io.verbs4j.tools.traffic.Completions;
import io.verbs4j.tools.traffic.Endpoint;
import io.verbs4j.tools.traffic.EndpointOptions;
import io.verbs4j.tools.traffic.Pattern;
import io.verbs4j.tools.traffic.Service;
import java.nio.ByteBuffer;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * One side of a ping-pong. The client sends a message on each queue pair; whoever gets one, and has had its own last one
 * acknowledged, sends the next.
 */
final class PingPong implements AutoCloseable {
    /** Ids of sends have this bit, and the queue pair below; ids of receives are the receive buffer. */
    private static final long SEND = 1L << 32;

    private static final int PENDING_RECV = 1;
    private static final int PENDING_SEND = 2;
    private static final long FINISH_MILLIS = 5000;

    private final PingPongOptions options;
    private final Service service;
    private final boolean client;
    private final int size;
    private final ByteBuffer buffer;
    private final Endpoint endpoint;
    private final Contents contents;
    private final Histogram roundTrips = new Histogram(3);

    private final int[] pending;
    private final long[] nextToSend;
    private final long[] nextToReceive;
    private final long[] sentAt;
    private final SendWorkRequest send = new SendWorkRequest().opcode(WrOpcode.SEND);
    private long sent;
    private long received;
    private long nanos;

    /**
     * Makes the endpoint and posts its receives.
     *
     * @param context the device
     * @param service transport service
     * @param client whether this is the side that begins
     * @param peer what is known of the peer's program
     * @param options the rest
     */
    PingPong(Context context, Service service, boolean client, Contents.Peer peer, PingPongOptions options) {
        this.options = options;
        this.service = service;
        this.client = client;
        this.size = options.size(service);
        int queuePairs = options.queuePairs(service);
        pending = new int[queuePairs];
        nextToSend = new long[queuePairs];
        nextToReceive = new long[queuePairs];
        sentAt = new long[queuePairs];
        int mtu = checkPort(context);
        buffer = Pattern.allocate((int) options.bufferLength(service));
        contents = new Contents(service, client, options, peer, buffer);
        endpoint = Endpoint.create(
                context,
                buffer,
                new EndpointOptions(
                        service,
                        options.devicePort,
                        options.gidIndex,
                        mtu,
                        options.serviceLevel,
                        queuePairs,
                        1,
                        options.rxDepth(service),
                        AccessFlags.LOCAL_WRITE,
                        1,
                        options.events));
        for (int i = 0; i < options.rxDepth(service); i++) {
            postRecv(i);
        }
    }

    /** Refuses what the port can't do; answers the MTU to use. */
    private int checkPort(Context context) {
        PortAttr port = context.queryPort(options.devicePort);
        if (options.gidIndex >= port.gidTblLen()) {
            throw ToolException.usage("-g " + options.gidIndex + ": the GID table of port " + options.devicePort
                    + " of " + context.device() + " has entries 0 to " + (port.gidTblLen() - 1));
        }
        int most = Mtu.toBytes(port.activeMtu());
        if (service == Service.UD && size > most) {
            throw ToolException.usage("-s " + size + ": a datagram is one packet, and the port's MTU is " + most);
        }
        if (service != Service.UD && options.mtu > most) {
            throw ToolException.usage("-m " + options.mtu + ": the port's MTU is " + most);
        }
        if (port.maxMsgSz() > 0 && size > port.maxMsgSz()) {
            throw ToolException.usage("-s " + size + ": the port's longest message has " + port.maxMsgSz() + " bytes");
        }
        return options.mtu;
    }

    private int recvOffset(int slot) {
        int buffers = options.recvBuffers(service);
        return options.queuePairs(service) * size + slot % buffers * (size + service.headroom());
    }

    private void postRecv(int slot) {
        endpoint.postRecv(slot, recvOffset(slot), size + service.headroom());
    }

    private void postSend(int queuePair) {
        contents.write(queuePair * size, queuePair, nextToSend[queuePair]++);
        pending[queuePair] = PENDING_RECV | PENDING_SEND;
        sentAt[queuePair] = System.nanoTime();
        endpoint.postSend(queuePair, send.wrId(SEND | queuePair), queuePair * (long) size, size);
    }

    /** The addresses of this side. */
    List<Address> local() {
        return endpoint.local();
    }

    /** The addresses of the peer, once connected. */
    List<Address> remote() {
        return endpoint.remote();
    }

    /** Connects the queue pairs to the peer's. */
    void connect(List<Address> peer) {
        endpoint.connect(peer);
    }

    /**
     * Plays until as many messages as asked for were sent and received, all queue pairs together, as in the C programs.
     *
     * @param link connection to the peer
     * @param progress where to show how far it is
     */
    void play(PeerLink link, Progress progress) {
        try {
            exchange(link, progress);
            link.finish(FINISH_MILLIS);
        } catch (RuntimeException e) {
            link.fail(e.getMessage());
            throw e;
        }
    }

    private void exchange(PeerLink link, Progress progress) {
        Completions completions = endpoint.completions();
        long start = System.nanoTime();
        for (int i = 0; i < pending.length; i++) {
            pending[i] = PENDING_RECV;
            if (client) {
                postSend(i);
            }
        }
        while (received < options.iterations || sent < options.iterations) {
            int n = completions.await(options.timeoutNanos(), () -> link.problem() != null);
            if (n == 0) {
                throw nothingCame(link);
            }
            for (int i = 0; i < n; i++) {
                completed(completions.get(i), link);
            }
            progress.at("ping-pong", (double) received / options.iterations);
        }
        nanos = System.nanoTime() - start;
    }

    private void completed(WorkCompletion wc, PeerLink link) {
        int queuePair = endpoint.indexOf(wc.qpNum());
        if ((wc.wrId() & SEND) != 0) {
            sent++;
            pending[queuePair] &= ~PENDING_SEND;
        } else {
            arrived(wc, queuePair);
            pending[queuePair] &= ~PENDING_RECV;
            if (received == 1 && contents.peerIsOurs()) {
                link.keepsLink();
            }
        }
        if (pending[queuePair] == 0 && sent < options.iterations) {
            postSend(queuePair);
        }
    }

    private void arrived(WorkCompletion wc, int queuePair) {
        if (client) {
            roundTrips.recordValue(System.nanoTime() - sentAt[queuePair]);
        }
        int length = wc.byteLen() - service.headroom();
        if (length != size) {
            throw ToolException.failed("a message of " + length + " bytes arrived where one of " + size
                    + " was expected: give both sides the same -s");
        }
        int slot = (int) wc.wrId();
        contents.verify(recvOffset(slot) + service.headroom(), queuePair, nextToReceive[queuePair]++);
        received++;
        postRecv(slot);
    }

    private ToolException nothingCame(PeerLink link) {
        String problem = link.problem();
        if (problem != null) {
            return ToolException.failed(problem);
        }
        return ToolException.failed("nothing came for " + options.timeoutSeconds + " s after " + received + " of "
                + options.iterations + " messages"
                + (service.isReliable()
                        ? ": is the peer's program still there?"
                        : ": " + service.label() + " does not send again what gets lost; rc does"));
    }

    /** What came of it. */
    PingPongResult result() {
        return new PingPongResult(
                service,
                size,
                options.iterations,
                nanos,
                contents.messagesVerified(),
                contents.bytesVerified(),
                contents.peer() == Contents.Peer.C,
                roundTrips);
    }

    @Override
    public void close() {
        endpoint.close();
    }
}
