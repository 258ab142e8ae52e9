/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.net;

import io.verbs4j.tools.base.ToolException;
import io.verbs4j.tools.text.Printable;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The connection after the addresses were exchanged. libibverbs' programs close it; programs of this project keep it,
 * and tell each other over it that they have finished or have failed. Neither disturbs the other.
 *
 * <p>It is needed: a side that has all it waits for must not destroy its queue pairs while the other may still have to
 * send it something again.
 */
public final class PeerLink implements AutoCloseable {
    private static final int FINISHED = 'F';
    private static final int FAILED = 'E';
    private static final int LONGEST_REASON = 2000;

    private final Socket socket;
    private final CountDownLatch end = new CountDownLatch(1);
    private volatile boolean finished;
    private volatile String reason;
    private volatile boolean keepsLink;

    /**
     * Watches a connection.
     *
     * @param socket the connection; closed with this
     */
    public PeerLink(Socket socket) {
        this.socket = socket;
        Thread watcher = new Thread(this::watch, "peer-link");
        watcher.setDaemon(true);
        watcher.start();
    }

    private void watch() {
        try {
            socket.setSoTimeout(0);
            InputStream in = socket.getInputStream();
            int first = in.read();
            if (first == FINISHED) {
                finished = true;
            } else if (first == FAILED) {
                reason = Printable.of(new String(in.readNBytes(LONGEST_REASON), StandardCharsets.UTF_8).strip());
            }
        } catch (IOException e) {
            // The same as an end: reason and finished stay as they are.
        } finally {
            end.countDown();
        }
    }

    /** Takes note that the peer is a program of this project: one that ends the connection early is gone. */
    public void keepsLink() {
        keepsLink = true;
    }

    /**
     * What is wrong with the peer.
     *
     * @return words for people, or null where nothing is known to be
     */
    public String problem() {
        if (reason != null) {
            return "the peer reports: " + reason;
        }
        return keepsLink && !finished && end.getCount() == 0
                ? "the peer is gone: its program ended before the work was done"
                : null;
    }

    /** Whether the peer has all that it waits for. */
    public boolean hasFinished() {
        return finished;
    }

    /**
     * Tells the peer that this side has all it waits for, and waits until the peer has too.
     *
     * @param timeoutMillis how long to wait at most
     */
    public void finish(long timeoutMillis) {
        send(new byte[] {FINISHED});
        try {
            if (!end.await(timeoutMillis, TimeUnit.MILLISECONDS)) {
                return; // this side is done; what keeps the peer it will tell itself
            }
            if (!finished && !keepsLink) {
                Thread.sleep(100); // a C program: it can't tell when it has our last acknowledgement
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        String problem = problem();
        if (problem != null) {
            throw ToolException.failed(problem);
        }
    }

    /** Tells the peer that this side gives up, and why. */
    public void fail(String why) {
        send(((char) FAILED + why).getBytes(StandardCharsets.UTF_8));
    }

    private void send(byte[] bytes) {
        try {
            socket.getOutputStream().write(bytes);
            socket.shutdownOutput();
        } catch (IOException e) {
            // A C program has closed its end, or the peer is gone, which problem() tells.
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            // nothing is lost
        }
    }
}
