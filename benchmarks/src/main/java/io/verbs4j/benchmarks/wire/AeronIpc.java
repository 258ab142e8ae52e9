/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.wire;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.logbuffer.FragmentHandler;
import java.io.IOException;
import org.HdrHistogram.Histogram;
import org.agrona.concurrent.SleepingMillisIdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Messages of Aeron between processes of one machine, through shared memory, polled continuously. Its media driver runs
 * in the first process; messages do not go through it.
 */
final class AeronIpc extends BufferTransport {
    private static final String CHANNEL = "aeron:ipc";
    private static final int LARGEST = 65_504;
    private static final int TERM_BYTES = 4 << 20;
    private static final int LOOKS = 1 << 14;
    private static final long LOST_NANOS = 30_000_000_000L;

    /** Null in the second process. */
    private final MediaDriver driver;

    private final Aeron aeron;
    private final ExclusivePublication publication;
    private final Subscription subscription;
    private final UnsafeBuffer outgoing = new UnsafeBuffer(source);
    private final FragmentHandler handler;

    AeronIpc(Link link, boolean client, int size) throws IOException {
        super(size);
        driver = client ? launch() : null;
        String folder = client ? driver.aeronDirectoryName() : link.hear();
        if (client) {
            link.tell(folder);
        }
        aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(folder));
        publication = aeron.addExclusivePublication(CHANNEL, client ? 1 : 2);
        subscription = aeron.addSubscription(CHANNEL, client ? 2 : 1);
        handler = (buffer, offset, length, header) -> buffer.getBytes(offset, target, 0, length);
        long start = System.nanoTime();
        while (!publication.isConnected() || !subscription.isConnected()) {
            giveUpAfter(start);
        }
    }

    private static MediaDriver launch() {
        return MediaDriver.launchEmbedded(new MediaDriver.Context()
                .threadingMode(ThreadingMode.SHARED)
                .sharedIdleStrategy(new SleepingMillisIdleStrategy(1))
                .ipcMtuLength(LARGEST)
                .ipcTermBufferLength(TERM_BYTES)
                .dirDeleteOnShutdown(true));
    }

    /** Lets other threads run, and throws if the other process has done nothing for long. */
    @SuppressWarnings("ThreadPriorityCheck") // the other process may need this processor
    private static void giveUpAfter(long start) throws IOException {
        if (System.nanoTime() - start > LOST_NANOS) {
            throw new IOException("the other process does nothing");
        }
        Thread.yield();
    }

    private void write() throws IOException {
        for (int i = 0; i < LOOKS; i++) {
            if (offer()) {
                return;
            }
        }
        long start = System.nanoTime();
        while (!offer()) {
            giveUpAfter(start);
        }
    }

    private boolean offer() throws IOException {
        long result = publication.offer(outgoing);
        if (result == Publication.CLOSED || result == Publication.MAX_POSITION_EXCEEDED) {
            throw new IOException("Aeron takes no message: " + Publication.errorString(result));
        }
        return result > 0;
    }

    private void read() throws IOException {
        for (int i = 0; i < LOOKS; i++) {
            if (subscription.poll(handler, 1) > 0) {
                return;
            }
        }
        long start = System.nanoTime();
        while (subscription.poll(handler, 1) == 0) {
            giveUpAfter(start);
        }
    }

    @Override
    public void send(long messages) throws IOException {
        for (long i = 0; i < messages; i++) {
            write();
        }
    }

    @Override
    public void receive(long messages) throws IOException {
        for (long i = 0; i < messages; i++) {
            read();
        }
    }

    @Override
    public void ping(long messages, Histogram roundTrips) throws IOException {
        for (long i = 0; i < messages; i++) {
            long start = System.nanoTime();
            write();
            read();
            roundTrips.recordValue(System.nanoTime() - start);
        }
    }

    @Override
    public void pong(long messages) throws IOException {
        for (long i = 0; i < messages; i++) {
            read();
            write();
        }
    }

    @Override
    public void close() {
        publication.close();
        subscription.close();
        aeron.close();
        if (driver != null) {
            driver.close();
        }
    }
}
