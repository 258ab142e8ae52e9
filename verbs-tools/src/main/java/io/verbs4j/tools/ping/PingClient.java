/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.ping;

import io.verbs4j.AccessFlags;
import io.verbs4j.MemoryRegion;
import io.verbs4j.VerbsException;
import io.verbs4j.cm.CmConnection;
import io.verbs4j.tools.base.ToolException;
import io.verbs4j.tools.cm.CmFailures;
import io.verbs4j.tools.cm.Reach;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** The client: announces where its data is, and where it is to be written back. */
final class PingClient implements AutoCloseable {
    private final PingOptions options;
    private final ByteBuffer source;
    private final ByteBuffer sink;
    private final PingSide side;
    private final MemoryRegion sourceRegion;
    private final MemoryRegion sinkRegion;
    private final Histogram roundTrips = new Histogram(3);

    private PingClient(Reach server, PingOptions options) {
        this.options = options;
        source = ByteBuffer.allocateDirect(options.size);
        sink = ByteBuffer.allocateDirect(options.size);
        side = new PingSide(server.context(), options);
        boolean done = false;
        try {
            sourceRegion = side.register(source, AccessFlags.REMOTE_READ);
            sinkRegion = side.register(sink, AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE);
            done = true;
        } finally {
            if (!done) {
                side.close();
            }
        }
    }

    static PingClient connect(Reach server, PingOptions options) {
        PingClient client = new PingClient(server, options);
        boolean done = false;
        try {
            client.connect(server);
            done = true;
            return client;
        } finally {
            if (!done) {
                client.close();
            }
        }
    }

    private void connect(Reach server) {
        try {
            side.connected(CmConnection.connect(
                    side.pd(),
                    server.address(),
                    side.attr(),
                    PingSide.PARAM,
                    side::postRecv,
                    options.timeoutNanos(),
                    TimeUnit.NANOSECONDS));
        } catch (VerbsException e) {
            throw CmFailures.of(e);
        }
    }

    CmConnection connection() {
        return side.connection();
    }

    /** Sends the requested number of pings; records their times in {@link #roundTrips}. */
    void ping(PrintStream shown) {
        for (long ping = 0; options.count == 0 || ping < options.count; ping++) {
            PingData.fill(source, 0, options.size, ping);
            long start = System.nanoTime();
            tell(sourceRegion, ping); // the server reads it
            tell(sinkRegion, ping); // the server writes it
            roundTrips.recordValue(System.nanoTime() - start);
            PingData.verify(sink, 0, options.size, ping);
            if (shown != null) {
                shown.println("ping data: " + PingData.toString(sink, 0, options.size));
            }
        }
    }

    private void tell(MemoryRegion region, long ping) {
        side.send(region.addr(), region.rkey(), options.size);
        if (side.receive() == null) {
            throw ToolException.failed("the server disconnected during ping " + ping
                    + ": see its output for the reason; rping as the server needs -S " + options.size + " or larger");
        }
    }

    Histogram roundTrips() {
        return roundTrips;
    }

    @Override
    public void close() {
        side.close();
    }
}
