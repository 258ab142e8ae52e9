/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.bench;

import io.verbs4j.SendWorkRequest;
import io.verbs4j.tools.base.ToolException;
import io.verbs4j.tools.traffic.Completions;
import io.verbs4j.tools.traffic.Endpoint;
import io.verbs4j.tools.traffic.Pattern;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.Map;

/** What a test works with on either side. */
final class Side {
    /** How long to wait for messages of a service that loses some. */
    static final long LOSS_NANOS = 100_000_000L;

    private static final int CLIENT = 0;
    private static final int SERVER = 1;

    final Step step;
    final Endpoint endpoint;
    final ByteBuffer buffer;
    final Control control;
    final long timeoutNanos;
    final Stopwatch stopwatch;
    private final boolean client;
    final SendWorkRequest request = new SendWorkRequest();

    private long remoteAddress;
    private int remoteKey;
    private long bytesVerified;

    Side(
            boolean client,
            Step step,
            Endpoint endpoint,
            ByteBuffer buffer,
            Control control,
            long timeoutNanos,
            Stopwatch stopwatch) {
        this.client = client;
        this.step = step;
        this.endpoint = endpoint;
        this.buffer = buffer;
        this.control = control;
        this.timeoutNanos = timeoutNanos;
        this.stopwatch = stopwatch;
    }

    /** Records the peer's memory. */
    void remote(Map<String, String> told) {
        remoteAddress = Control.number(told, "memory");
        remoteKey = (int) Control.number(told, "rkey");
    }

    /** Posts an operation on a place in the peer's memory. */
    void postRemote(int opcode, long id, int offset, int remoteOffset, int length) {
        request.opcode(opcode).wrId(id).remoteAddr(remoteAddress + remoteOffset).rkey(remoteKey);
        endpoint.postSend(0, request, offset, length);
    }

    /** Posts a message with a number as immediate data. */
    void postMessage(int opcode, long id, int offset, int length, long number) {
        request.opcode(opcode).wrId(id).immData((int) number);
        endpoint.postSend(0, request, offset, length);
    }

    /** Posts the receive of a slot. */
    void postRecv(long slot) {
        endpoint.postRecv(
                slot, Layout.in(step, slot), step.size() + step.service().headroom());
    }

    /**
     * Waits for completions.
     *
     * @return the number of completions; 0 if the peer has sent a line
     * @throws ToolException if none come in time
     */
    int await() {
        int n = awaitFor(timeoutNanos);
        while (n == 0 && !control.hasLine() && control.heardWithin(timeoutNanos)) {
            n = awaitFor(timeoutNanos);
        }
        if (n == 0 && !control.hasLine()) {
            throw ToolException.failed("nothing happened for " + timeoutNanos / 1_000_000_000L + " s");
        }
        return n;
    }

    /**
     * Waits for completions as a client, to which the peer sends a line only if it failed.
     *
     * @return the number of completions, at least one
     */
    int awaitOwn() {
        int n = await();
        if (n == 0) {
            throw ToolException.failed("the peer sent '" + control.receive() + "' out of turn");
        }
        return n;
    }

    /** Waits for completions that may not come. */
    int awaitFor(long nanos) {
        if (client) {
            control.alive();
        }
        return endpoint.completions().await(nanos, control::hasLine);
    }

    Completions completions() {
        return endpoint.completions();
    }

    /** Fills a message of this side. */
    void fill(int offset, boolean client, long sequence) {
        if (step.verify()) {
            Pattern.fill(buffer, offset, step.size(), seed(client, sequence));
        }
    }

    /** Compares a message with what the other side filled it with. */
    void verify(int offset, boolean fromClient, long sequence) {
        if (!step.verify()) {
            return;
        }
        int at = Pattern.firstDifference(buffer, offset, step.size(), seed(fromClient, sequence));
        if (at >= 0) {
            throw differs(offset, at, fromClient, sequence);
        }
        bytesVerified += step.size();
    }

    /**
     * Polls the memory until a message of the other side is complete.
     *
     * @return whether it came in time; always true if data is not verified
     */
    @SuppressWarnings("ThreadPriorityCheck") // more threads may poll than there are processors
    boolean awaitMemory(int offset, boolean fromClient, long sequence, long nanos) {
        long end = System.nanoTime() + nanos;
        while (step.verify() && Pattern.firstDifference(buffer, offset, step.size(), seed(fromClient, sequence)) >= 0) {
            if (System.nanoTime() - end >= 0) {
                return false;
            }
            Thread.yield();
            VarHandle.acquireFence(); // another thread, or the device, writes it
        }
        return true;
    }

    ToolException differs(int offset, int at, boolean fromClient, long sequence) {
        return ToolException.failed(String.format(
                java.util.Locale.ROOT,
                "data mismatch: %s %d of %d bytes has 0x%02x at offset %d, where 0x%02x was expected",
                step.operation().label(),
                sequence,
                step.size(),
                buffer.get(offset + at),
                at,
                Pattern.at(seed(fromClient, sequence), at)));
    }

    static long seed(boolean client, long sequence) {
        return Pattern.seed(client ? CLIENT : SERVER, 0, sequence);
    }

    /** Records bytes that were compared elsewhere. */
    void verified(long bytes) {
        bytesVerified += bytes;
    }

    long bytesVerified() {
        return bytesVerified;
    }

    boolean reliable() {
        return step.service().isReliable();
    }
}
