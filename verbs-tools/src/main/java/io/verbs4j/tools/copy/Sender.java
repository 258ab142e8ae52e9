/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.copy;

import io.verbs4j.Context;
import io.verbs4j.VerbsException;
import io.verbs4j.tools.base.ToolException;
import io.verbs4j.tools.cm.CmFailures;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Sends files to a receiver, over as many connections as necessary. */
final class Sender implements AutoCloseable {
    private static final long CONNECT_SECONDS = 10;

    private final long copyId = new SecureRandom().nextLong();
    private final Context context;
    private final InetSocketAddress address;
    private final SenderOptions options;
    private final CopyProgress progress;
    private final List<CopyResult> results;
    private final Retry retry;

    /** Another thread closes it when the program is interrupted. */
    private volatile SenderSession session;

    private volatile boolean ended;
    private int connections;

    /**
     * Creates a sender, which connects when there is something to send.
     *
     * @param context the device; the caller closes it
     * @param address the receiver's address
     * @param results receives a result for each file that was sent
     */
    Sender(
            Context context,
            InetSocketAddress address,
            SenderOptions options,
            CopyProgress progress,
            List<CopyResult> results) {
        this.results = results;
        this.context = context;
        this.address = address;
        this.options = options;
        this.progress = progress;
        retry = new Retry(options.retrySeconds());
    }

    /**
     * Sends files, and continues after one that can't be sent.
     *
     * @param files the files
     * @param path the user's path at the receiver
     * @return a message for each file that could not be sent
     * @throws ToolException if the receiver can no longer be reached
     */
    List<String> send(List<SourceFile> files, String path) {
        List<String> failures = new ArrayList<>();
        for (SourceFile file : files) {
            try {
                results.add(send(file, path));
            } catch (FileRefused e) {
                failures.add(file.name() + ": " + e.getMessage());
            }
        }
        bye();
        return failures;
    }

    private CopyResult send(SourceFile file, String path) throws FileRefused {
        long start = System.nanoTime();
        int before = Math.max(1, connections); // the first connection is not a reconnection
        while (true) {
            try {
                connect();
                CopyResult done = session.copy(file, path, retry::advanced);
                double seconds = (System.nanoTime() - start) / 1e9;
                return new CopyResult(
                        done.name(),
                        done.bytes(),
                        done.before(),
                        done.unchanged(),
                        connections - before,
                        seconds,
                        done.sha256());
            } catch (ConnectionLost e) {
                lost(e, file.name());
            }
        }
    }

    private void connect() throws ConnectionLost, FileRefused {
        if (session != null) {
            return;
        }
        try {
            SenderSession made = SenderSession.connect(context, address, copyId, CONNECT_SECONDS, options, progress);
            session = made;
            connections++;
            if (ended) {
                made.close();
            }
        } catch (VerbsException e) {
            if (!retry.isTrying()) {
                throw CmFailures.of(e); // it never worked, so waiting is pointless
            }
            throw new ConnectionLost(e.getMessage(), e);
        }
    }

    private void lost(ConnectionLost e, String name) {
        closeSession();
        if (ended) {
            awaitEnd();
        }
        if (!retry.isTrying() && options.retrySeconds() > 0) {
            progress.note(name + ": " + e.getMessage() + "; retrying for " + options.retrySeconds() + " s");
        }
        if (!retry.pause()) {
            throw ToolException.failed(
                    name + ": " + e.getMessage() + "; retried for " + options.retrySeconds()
                            + " s (--retry). The receiver keeps what it has: run the same command again to resume",
                    e);
        }
    }

    /** Waits for the end of the JVM; {@link #interrupt} has already reported why. */
    private static void awaitEnd() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void closeSession() {
        SenderSession old = session;
        session = null;
        if (old != null) {
            old.close();
        }
    }

    private void bye() {
        try {
            if (session != null) {
                session.bye();
            }
        } catch (ConnectionLost e) {
            System.getLogger(Sender.class.getName()).log(System.Logger.Level.DEBUG, "lost after all was sent", e);
        }
    }

    /** Ends the connection while the JVM ends, so that the receiver notices at once. */
    void interrupt() {
        ended = true;
        progress.say("interrupted. The receiver keeps what it has: run the same command again to resume");
        SenderSession now = session;
        if (now != null) {
            now.close();
        }
    }

    @Override
    public void close() {
        closeSession();
    }
}
