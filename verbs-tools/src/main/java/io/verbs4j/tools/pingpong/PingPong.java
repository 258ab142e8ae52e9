/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.pingpong;

import io.verbs4j.AccessFlags;
import io.verbs4j.Context;
import io.verbs4j.DeviceAttr;
import io.verbs4j.Mtu;
import io.verbs4j.PortAttr;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.tools.base.ToolException;
import io.verbs4j.tools.net.Address;
import io.verbs4j.tools.net.PeerLink;
import io.verbs4j.tools.text.Progress;
import io.verbs4j.tools.traffic.Completions;
import io.verbs4j.tools.traffic.Endpoint;
import io.verbs4j.tools.traffic.EndpointOptions;
import io.verbs4j.tools.traffic.Pattern;
import io.verbs4j.tools.traffic.Service;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * One side of a ping-pong. The client sends a message on each queue pair; a side sends its next message when it has
 * received one and its own last one was acknowledged.
 */
final class PingPong implements Game {
    /** Ids of sends have this bit, and the queue pair below it; ids of receives are the receive buffer. */
    private static final long SEND = 1L << 32;

    private static final int PENDING_RECV = 1;
    private static final int PENDING_SEND = 2;
    private static final long FINISH_MILLIS = 5000;

    /**
     * The role of a side: one of two programs, or one of the two processes of a program. The second process plays until
     * the first has finished.
     */
    enum Role {
        CLIENT,
        SERVER,
        FIRST_PROCESS,
        SECOND_PROCESS;

        boolean isClient() {
            return this == CLIENT || this == FIRST_PROCESS;
        }

        Contents.Peer peer() {
            return this == CLIENT || this == SERVER ? Contents.Peer.UNKNOWN : Contents.Peer.VERBS4J;
        }
    }

    private final PingPongOptions options;
    private final Service service;
    private final Role role;
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
    private long start;
    private long nanos;

    /** Messages to send and to receive, including the warm-up; {@link Long#MAX_VALUE} while unknown. */
    private long goal;

    private long warmUpMessages;
    private long warmUpNanos;

    /**
     * Creates the endpoint and posts its receives.
     *
     * @param context the device
     * @param service transport service
     * @param role which side this is
     * @param options the other options
     */
    PingPong(Context context, Service service, Role role, PingPongOptions options) {
        this.options = options;
        this.service = service;
        this.role = role;
        this.client = role.isClient();
        this.size = options.size(service);
        int queuePairs = options.queuePairs(service);
        pending = new int[queuePairs];
        nextToSend = new long[queuePairs];
        nextToReceive = new long[queuePairs];
        sentAt = new long[queuePairs];
        int mtu = checkPort(context);
        buffer = Pattern.allocate((int) options.bufferLength(service));
        contents = new Contents(service, client, options, role.peer(), buffer);
        endpoint = Endpoint.create(
                context,
                buffer,
                new EndpointOptions(
                        service,
                        options.path.port(),
                        options.path.gidIndex(),
                        mtu,
                        options.path.serviceLevel(),
                        queuePairs,
                        1,
                        options.rxDepth(service),
                        AccessFlags.LOCAL_WRITE,
                        1,
                        options.path.events(),
                        false));
        for (int i = 0; i < options.rxDepth(service); i++) {
            postRecv(i);
        }
    }

    /** Refuses what the port does not support; returns the MTU to use. */
    private int checkPort(Context context) {
        PortAttr port = context.queryPort(options.path.port());
        DeviceAttr device = context.queryDevice();
        checkReceives(service == Service.SRQ ? device.maxSrqWr() : device.maxQpWr());
        checkReceives(device.maxCqe() - options.queuePairs(service));
        int most = Mtu.toBytes(port.activeMtu());
        if (service == Service.UD && size > most) {
            throw ToolException.usage("-s " + size + ": a datagram is one packet, and the port's MTU is " + most);
        }
        if (service.isConnected() && options.mtu > most) {
            throw ToolException.usage("-m " + options.mtu + ": the port's MTU is " + most);
        }
        if (port.maxMsgSz() > 0 && size > port.maxMsgSz()) {
            throw ToolException.usage("-s " + size + ": the port's longest message has " + port.maxMsgSz() + " bytes");
        }
        return options.mtu;
    }

    private void checkReceives(int most) {
        if (options.rxDepth(service) > most) {
            throw ToolException.usage(
                    "-r " + options.rxDepth(service) + ": the device supports at most " + most + " receives");
        }
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

    @Override
    public List<Address> local() {
        return endpoint.local();
    }

    @Override
    public List<Address> remote() {
        return endpoint.remote();
    }

    @Override
    public Endpoint endpoint() {
        return endpoint;
    }

    @Override
    public void connect(List<Address> peer) {
        endpoint.connect(peer);
    }

    /** Does nothing: the peer needs nothing but the addresses. */
    @Override
    public void meet(Socket socket) {}

    /** Counts all queue pairs together, as the C programs do. */
    @Override
    public void play(PeerLink link, Progress progress) {
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
        start = System.nanoTime();
        goal = role == Role.FIRST_PROCESS && options.warmUpNanos() > 0 || role == Role.SECOND_PROCESS
                ? Long.MAX_VALUE
                : options.iterations;
        for (int i = 0; i < pending.length; i++) {
            pending[i] = PENDING_RECV;
            if (client) {
                postSend(i);
            }
        }
        while (received < goal || sent < goal) {
            int n = completions.await(options.path.timeoutNanos(), () -> link.problem() != null || isOver(link));
            if (n == 0 && isOver(link)) {
                break;
            }
            if (n == 0) {
                throw nothingCame(link);
            }
            for (int i = 0; i < n; i++) {
                completed(completions.get(i), link);
            }
            tell(progress);
        }
        nanos = System.nanoTime() - start;
    }

    /** Whether the first process has finished. */
    private boolean isOver(PeerLink link) {
        return role == Role.SECOND_PROCESS && link.hasFinished();
    }

    private void tell(Progress progress) {
        if (goal == Long.MAX_VALUE) {
            progress.at("warming up", (double) (System.nanoTime() - start) / options.warmUpNanos());
        } else {
            progress.at("ping-pong", (double) (received - warmUpMessages) / options.iterations);
        }
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
        if (pending[queuePair] == 0 && client && goal == Long.MAX_VALUE) {
            endWarmUp();
        }
        if (pending[queuePair] == 0 && sent < goal) {
            postSend(queuePair);
        }
    }

    /** Starts to count when the warm-up is over. */
    private void endWarmUp() {
        long now = System.nanoTime();
        if (now - start >= options.warmUpNanos()) {
            warmUpMessages = received;
            warmUpNanos = now - start;
            goal = received + options.iterations;
            roundTrips.reset();
            start = now;
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
        return ToolException.failed("nothing arrived for " + options.path.timeoutSeconds() + " s after " + received
                + (goal == Long.MAX_VALUE ? "" : " of " + goal) + " messages"
                + (service.isReliable()
                        ? ": is the peer's program still running?"
                        : ": " + service.label() + " does not retransmit lost messages; rc does"));
    }

    @Override
    public PingPongResult result() {
        return new PingPongResult(
                service,
                size,
                options.iterations,
                warmUpMessages,
                warmUpNanos,
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
