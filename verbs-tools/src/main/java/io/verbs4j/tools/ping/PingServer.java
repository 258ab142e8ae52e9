/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.ping;

import io.verbs4j.AccessFlags;
import io.verbs4j.Context;
import io.verbs4j.MemoryRegion;
import io.verbs4j.VerbsException;
import io.verbs4j.WrOpcode;
import io.verbs4j.cm.CmConnection;
import io.verbs4j.cm.CmListener;
import io.verbs4j.tools.base.ToolException;
import io.verbs4j.tools.cm.CmFailures;
import io.verbs4j.tools.net.RemoteMemory;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/** The server's part of one connection: reads the data, and writes it back. */
final class PingServer implements AutoCloseable {
    private static final int ROOM = PingData.MOST + 1;

    private final PingOptions options;
    private final ByteBuffer data = ByteBuffer.allocateDirect(ROOM);
    private final PingSide side;
    private final MemoryRegion region;
    private long pings;
    private long bytes;

    private PingServer(Context context, PingOptions options) {
        this.options = options;
        side = new PingSide(context, options);
        boolean done = false;
        try {
            // With iWARP the peer writes the memory that this side reads into.
            region = side.register(data, AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE);
            done = true;
        } finally {
            if (!done) {
                side.close();
            }
        }
    }

    /** Waits for a client; returns null if none comes in time. */
    static PingServer accept(CmListener listener, Context context, PingOptions options) {
        PingServer server = new PingServer(context, options);
        boolean done = false;
        try {
            done = server.accept(listener);
            return done ? server : null;
        } finally {
            if (!done) {
                server.close();
            }
        }
    }

    private boolean accept(CmListener listener) {
        try {
            CmConnection connection = listener.accept(
                    side.pd(),
                    side.attr(),
                    PingSide.PARAM,
                    side::postRecv,
                    options.timeoutNanos(),
                    TimeUnit.NANOSECONDS);
            if (connection == null) {
                return false;
            }
            side.connected(connection);
            return true;
        } catch (VerbsException e) {
            throw CmFailures.of(e);
        }
    }

    CmConnection connection() {
        return side.connection();
    }

    /** Serves until the client disconnects. */
    void serve(PrintStream shown) {
        while (true) {
            RemoteMemory source = side.receive();
            if (source == null) {
                return;
            }
            check(source);
            boolean there = side.rdma(WrOpcode.RDMA_READ, region, source.length(), source);
            if (there) {
                PingData.verify(data, 0, source.length(), pings);
                if (shown != null) {
                    shown.println("server ping data: " + PingData.toString(data, 0, source.length()));
                }
                goAhead(source);
                RemoteMemory sink = side.receive();
                there = sink != null && write(sink);
            }
            if (!there) {
                throw ToolException.failed("the client disconnected in the middle of ping " + pings);
            }
            goAhead(source);
            pings++;
            bytes += source.length();
        }
    }

    private boolean write(RemoteMemory sink) {
        check(sink);
        int length = Math.min(sink.length(), PingData.textLength(data, 0, sink.length()) + 1);
        return side.rdma(WrOpcode.RDMA_WRITE, region, length, sink);
    }

    private void check(RemoteMemory told) {
        if (told.length() < 1 || told.length() > ROOM) {
            throw ToolException.failed("the client's ping " + pings + " has " + Integer.toUnsignedString(told.length())
                    + " bytes; pings of rping have at most " + PingData.MOST);
        }
    }

    /** Sends a go-ahead. Its contents do not matter; rping sends the address of its data. */
    private void goAhead(RemoteMemory source) {
        side.send(region.addr(), region.rkey(), source.length());
    }

    long pings() {
        return pings;
    }

    long bytes() {
        return bytes;
    }

    @Override
    public void close() {
        side.close();
    }
}
