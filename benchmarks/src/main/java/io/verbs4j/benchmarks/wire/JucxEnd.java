/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.wire;

import io.verbs4j.benchmarks.harness.MissingException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HexFormat;
import org.openucx.jucx.ucp.UcpContext;
import org.openucx.jucx.ucp.UcpEndpoint;
import org.openucx.jucx.ucp.UcpEndpointParams;
import org.openucx.jucx.ucp.UcpMemory;
import org.openucx.jucx.ucp.UcpParams;
import org.openucx.jucx.ucp.UcpRemoteKey;
import org.openucx.jucx.ucp.UcpRequest;
import org.openucx.jucx.ucp.UcpWorker;
import org.openucx.jucx.ucp.UcpWorkerParams;

/**
 * One end of a connection of UCX through jucx, its Java binding, polled continuously. Between processes of one machine,
 * UCX chooses shared memory.
 */
final class JucxEnd {
    private static final long TAG = 7;
    private static final long WHOLE_TAG = -1;

    private final UcpContext context = context();
    private final UcpWorker worker = context.newWorker(new UcpWorkerParams());
    private final UcpEndpoint endpoint;
    private final int window;
    private final Deque<UcpRequest> underWay = new ArrayDeque<>();

    /** Connects to the other process for messages of {@code size} bytes. */
    JucxEnd(Link link, int size) throws IOException {
        window = Math.max(1, Math.min(Rc.MOST_UNDER_WAY, Rc.BYTES_UNDER_WAY / size));
        endpoint = worker.newEndpoint(new UcpEndpointParams().setUcpAddress(exchange(link, worker.getAddress())));
    }

    private static UcpContext context() {
        return new UcpContext(new UcpParams().requestTagFeature().requestRmaFeature());
    }

    /** Throws if UCX is not installed. */
    static void require() throws MissingException {
        try {
            context().close();
        } catch (LinkageError e) {
            throw new MissingException(
                    "UCX is missing; install it (Debian: apt-get install libucx0): " + e.getMessage(), e);
        }
    }

    private static ByteBuffer exchange(Link link, ByteBuffer own) throws IOException {
        byte[] bytes = new byte[own.remaining()];
        own.duplicate().get(bytes);
        byte[] theirs = HexFormat.of().parseHex(link.exchange(HexFormat.of().formatHex(bytes)));
        return ByteBuffer.allocateDirect(theirs.length).put(theirs).flip();
    }

    UcpMemory register(ByteBuffer memory) {
        return context.registerMemory(memory);
    }

    /** Exchanges keys of memory with the other process. */
    UcpRemoteKey exchangeKeys(Link link, UcpMemory own) throws IOException {
        return endpoint.unpackRemoteKey(exchange(link, own.getRemoteKeyBuffer()));
    }

    UcpRequest send(ByteBuffer message) {
        return endpoint.sendTaggedNonBlocking(message, TAG, null);
    }

    UcpRequest receive(ByteBuffer message) {
        return worker.recvTaggedNonBlocking(message, TAG, WHOLE_TAG, null);
    }

    UcpRequest get(long from, UcpRemoteKey key, long to, int bytes) {
        return endpoint.getNonBlocking(from, key, to, bytes, null);
    }

    /** Waits until one more request may be in flight. */
    void makeRoom() throws IOException {
        leave(window - 1);
    }

    /** Counts a request as in flight. */
    void add(UcpRequest request) {
        underWay.add(request);
    }

    /** Waits for all requests in flight. */
    void drain() throws IOException {
        leave(0);
    }

    private void leave(int most) throws IOException {
        while (underWay.size() > most) {
            await(underWay.remove());
        }
    }

    void await(UcpRequest request) throws IOException {
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

    void close() throws IOException {
        await(endpoint.closeNonBlockingFlush());
        worker.close();
        context.close();
    }
}
