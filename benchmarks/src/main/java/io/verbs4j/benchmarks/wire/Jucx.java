/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.wire;

import io.verbs4j.benchmarks.harness.Contents;
import io.verbs4j.benchmarks.harness.MissingException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HexFormat;
import org.HdrHistogram.Histogram;
import org.openucx.jucx.ucp.UcpContext;
import org.openucx.jucx.ucp.UcpEndpoint;
import org.openucx.jucx.ucp.UcpEndpointParams;
import org.openucx.jucx.ucp.UcpParams;
import org.openucx.jucx.ucp.UcpRequest;
import org.openucx.jucx.ucp.UcpWorker;
import org.openucx.jucx.ucp.UcpWorkerParams;

/**
 * Tagged messages of UCX through jucx, its Java binding. Between processes of one machine, UCX chooses shared memory.
 */
final class Jucx implements Transport {
    private static final long TAG = 7;
    private static final long WHOLE_TAG = -1;

    /** Same as the embedded device's side. */
    private static final int BYTES_UNDER_WAY = 2 << 20;

    private static final int MOST_UNDER_WAY = 512;

    private final UcpContext context;
    private final UcpWorker worker;
    private final UcpEndpoint endpoint;
    private final ByteBuffer source;
    private final ByteBuffer target;
    private final int window;
    private final Deque<UcpRequest> underWay = new ArrayDeque<>();

    Jucx(Link link, int size) throws IOException {
        source = Contents.allocate(size);
        target = Contents.allocate(size);
        window = Math.max(1, Math.min(MOST_UNDER_WAY, BYTES_UNDER_WAY / size));
        context = new UcpContext(new UcpParams().requestTagFeature());
        worker = context.newWorker(new UcpWorkerParams());
        ByteBuffer own = worker.getAddress();
        byte[] address = new byte[own.remaining()];
        own.duplicate().get(address);
        byte[] peer = HexFormat.of().parseHex(link.exchange(HexFormat.of().formatHex(address)));
        endpoint = worker.newEndpoint(new UcpEndpointParams()
                .setUcpAddress(ByteBuffer.allocateDirect(peer.length).put(peer).flip()));
    }

    /** Throws if UCX is not installed. */
    static void require() throws MissingException {
        try {
            new UcpContext(new UcpParams().requestTagFeature()).close();
        } catch (LinkageError e) {
            throw new MissingException(
                    "UCX is missing; install it (Debian: apt-get install libucx0): " + e.getMessage(), e);
        }
    }

    @Override
    public void prepare(long seed) {
        Contents.fill(source, seed);
        Contents.clear(target);
    }

    @Override
    public void send(long messages) throws IOException {
        for (long i = 0; i < messages; i++) {
            leave(window - 1);
            underWay.add(endpoint.sendTaggedNonBlocking(source, TAG, null));
        }
        leave(0);
    }

    @Override
    public void receive(long messages) throws IOException {
        for (long i = 0; i < messages; i++) {
            leave(window - 1);
            underWay.add(worker.recvTaggedNonBlocking(target, TAG, WHOLE_TAG, null));
        }
        leave(0);
    }

    @Override
    public void ping(long messages, Histogram roundTrips) throws IOException {
        for (long i = 0; i < messages; i++) {
            long start = System.nanoTime();
            UcpRequest answer = worker.recvTaggedNonBlocking(target, TAG, WHOLE_TAG, null);
            UcpRequest sent = endpoint.sendTaggedNonBlocking(source, TAG, null);
            await(sent);
            await(answer);
            roundTrips.recordValue(System.nanoTime() - start);
        }
    }

    @Override
    public void pong(long messages) throws IOException {
        for (long i = 0; i < messages; i++) {
            await(worker.recvTaggedNonBlocking(target, TAG, WHOLE_TAG, null));
            await(endpoint.sendTaggedNonBlocking(source, TAG, null));
        }
    }

    /** Waits until at most the given number of requests is in flight. */
    private void leave(int most) throws IOException {
        while (underWay.size() > most) {
            await(underWay.remove());
        }
    }

    private void await(UcpRequest request) throws IOException {
        while (!request.isCompleted()) {
            progress();
        }
    }

    private void progress() throws IOException {
        try {
            worker.progress();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) { // only thrown by callbacks, of which there are none
            throw new IOException(e);
        }
    }

    @Override
    public void check(long messages) {
        Contents.check(target, source);
    }

    @Override
    public void close() throws IOException {
        await(endpoint.closeNonBlockingFlush());
        worker.close();
        context.close();
    }
}
