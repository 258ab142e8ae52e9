/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.pingpong;

import io.verbs4j.AccessFlags;
import io.verbs4j.Context;
import io.verbs4j.Mtu;
import io.verbs4j.PortAttr;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WrOpcode;
import io.verbs4j.tools.base.ToolException;
import io.verbs4j.tools.net.Address;
import io.verbs4j.tools.net.PeerLink;
import io.verbs4j.tools.net.RemoteMemory;
import io.verbs4j.tools.text.Progress;
import io.verbs4j.tools.traffic.Endpoint;
import io.verbs4j.tools.traffic.EndpointOptions;
import io.verbs4j.tools.traffic.Pattern;
import io.verbs4j.tools.traffic.Service;
import java.lang.invoke.VarHandle;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * One side of a ping-pong by RDMA write. Only the memory shows that a message has arrived, so a device needs no
 * receives. Each side polls the last byte of the next message, which it has set to another value before the peer can
 * write it.
 *
 * <pre>
 *   0             size            2 * size
 *   | what goes   | what comes    |
 * </pre>
 */
final class WritePingPong implements Game {
    private static final int CLIENT = 0;
    private static final int SERVER = 1;

    /** Number of polls without a pause before checking other things and letting other threads run. */
    private static final int SPINS = 1000;

    /** How long the other bytes of a message may become visible after the last. */
    private static final long REST_NANOS = 1_000_000_000L;

    private static final long FINISH_MILLIS = 5000;

    private final PingPongOptions options;
    private final Service service;
    private final PingPong.Role role;
    private final int size;
    private final ByteBuffer buffer;
    private final Endpoint endpoint;
    private final Histogram roundTrips = new Histogram(3);
    private final SendWorkRequest write = new SendWorkRequest().opcode(WrOpcode.RDMA_WRITE);
    private boolean underWay;
    private long number;
    private long messagesVerified;
    private long start;
    private long nanos;
    private long warmUpMessages;
    private long warmUpNanos;

    WritePingPong(Context context, Service service, PingPong.Role role, PingPongOptions options) {
        this.options = options;
        this.service = service;
        this.role = role;
        size = options.size(service);
        checkPort(context);
        buffer = Pattern.allocate(2 * size);
        endpoint = Endpoint.create(
                context,
                buffer,
                new EndpointOptions(
                        service,
                        options.path.port(),
                        options.path.gidIndex(),
                        options.mtu,
                        options.path.serviceLevel(),
                        1,
                        1,
                        0,
                        AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE,
                        0,
                        false,
                        false));
        expect(0);
    }

    private void checkPort(Context context) {
        PortAttr port = context.queryPort(options.path.port());
        int most = Mtu.toBytes(port.activeMtu());
        if (service.isConnected() && options.mtu > most) {
            throw ToolException.usage("-m " + options.mtu + ": the port's MTU is " + most);
        }
        if (port.maxMsgSz() > 0 && size > port.maxMsgSz()) {
            throw ToolException.usage("-s " + size + ": the port's longest message has " + port.maxMsgSz() + " bytes");
        }
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

    @Override
    public void meet(Socket socket) {
        RemoteMemory mine = new RemoteMemory(
                endpoint.memory().addr() + size, endpoint.memory().rkey(), size);
        RemoteMemory theirs = mine.exchange(socket);
        if (theirs.length() != size) {
            throw ToolException.failed("the peer's messages have " + theirs.length() + " bytes, and ours " + size
                    + ": give both sides the same -s");
        }
        write.remoteAddr(theirs.addr()).rkey(theirs.rkey());
    }

    // ---- messages

    private long seed(boolean mine) {
        return Pattern.seed(role.isClient() == mine ? CLIENT : SERVER, 0, number);
    }

    /** Makes sure that the next message is not seen before it has arrived. */
    private void expect(long next) {
        long before = number;
        number = next;
        buffer.put(2 * size - 1, (byte) ~Pattern.at(seed(false), size - 1));
        number = before;
        VarHandle.fullFence(); // before anything that lets the peer write
    }

    private void send() {
        awaitSent();
        Pattern.fill(buffer, 0, size, seed(true));
        endpoint.postSend(0, write.wrId(number), 0, size);
        underWay = true;
    }

    private void awaitSent() {
        if (underWay && endpoint.completions().await(options.path.timeoutNanos(), () -> false) == 0) {
            throw ToolException.failed("write " + number + " did not complete: is the peer's program still running?");
        }
        underWay = false;
    }

    /** Polls until the message has arrived; returns false if the first process has finished. */
    @SuppressWarnings("ThreadPriorityCheck") // more threads may poll than there are processors
    private boolean await(PeerLink link) {
        byte last = Pattern.at(seed(false), size - 1);
        long end = System.nanoTime() + options.path.timeoutNanos();
        for (int spins = 0; ; spins++) {
            VarHandle.acquireFence(); // another thread, or the device, writes it
            if (buffer.get(2 * size - 1) == last) {
                return true;
            }
            if (spins < SPINS) {
                Thread.onSpinWait();
                continue;
            }
            if (underWay && endpoint.completions().poll() > 0) { // throws if one has failed
                underWay = false;
            }
            if (role == PingPong.Role.SECOND_PROCESS && link.hasFinished()) {
                return false;
            }
            if (link.problem() != null) {
                throw ToolException.failed(link.problem());
            }
            if (System.nanoTime() - end >= 0) {
                throw ToolException.failed("nothing arrived for " + options.path.timeoutSeconds() + " s after " + number
                        + " messages"
                        + (service.isReliable()
                                ? ": is the peer's program still running?"
                                : ": " + service.label() + " does not retransmit lost messages; rc does"));
            }
            Thread.yield();
        }
    }

    @SuppressWarnings("ThreadPriorityCheck") // as above
    private void verify() {
        long end = System.nanoTime() + REST_NANOS;
        int at = Pattern.firstDifference(buffer, size, size, seed(false));
        while (at >= 0 && System.nanoTime() - end < 0) {
            Thread.yield();
            VarHandle.acquireFence();
            at = Pattern.firstDifference(buffer, size, size, seed(false));
        }
        if (at >= 0) {
            throw ToolException.failed(String.format(
                    java.util.Locale.ROOT,
                    "data mismatch: write %d has 0x%02x at offset %d, where 0x%02x was expected",
                    number,
                    buffer.get(size + at),
                    at,
                    Pattern.at(seed(false), at)));
        }
        messagesVerified++;
    }

    // ---- the game

    @Override
    public void play(PeerLink link, Progress progress) {
        link.keepsLink(); // the peer is a program of this project: it has sent its memory
        try {
            exchange(link, progress);
            awaitSent();
            link.finish(FINISH_MILLIS);
        } catch (RuntimeException e) {
            link.fail(e.getMessage());
            throw e;
        }
    }

    private void exchange(PeerLink link, Progress progress) {
        start = System.nanoTime();
        boolean warming = role == PingPong.Role.FIRST_PROCESS && options.warmUpNanos() > 0;
        long goal = warming || role == PingPong.Role.SECOND_PROCESS ? Long.MAX_VALUE : options.iterations;
        while (number < goal) {
            long sentAt = System.nanoTime();
            if (role.isClient()) {
                send();
            }
            if (!await(link)) {
                break;
            }
            if (role.isClient()) {
                roundTrips.recordValue(System.nanoTime() - sentAt);
            }
            verify();
            expect(number + 1);
            if (!role.isClient()) {
                send();
            }
            number++;
            long now = System.nanoTime();
            if (warming && now - start >= options.warmUpNanos()) {
                warming = false;
                warmUpMessages = number;
                warmUpNanos = now - start;
                goal = number + options.iterations;
                roundTrips.reset();
                start = now;
            }
            if (warming) {
                progress.at("warming up", (double) (now - start) / options.warmUpNanos());
            } else {
                progress.at("ping-pong", (double) (number - warmUpMessages) / options.iterations);
            }
        }
        nanos = System.nanoTime() - start;
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
                messagesVerified,
                messagesVerified * size,
                false,
                roundTrips);
    }

    @Override
    public void close() {
        endpoint.close();
    }
}
