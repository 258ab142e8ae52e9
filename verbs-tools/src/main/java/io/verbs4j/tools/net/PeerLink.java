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
 * The connection after the addresses were exchanged. libibverbs' programs close it. Programs of this project keep it
 * and use it to report that they have finished or failed. Neither disturbs the other.
 *
 * <p>A side that has everything it waits for needs it: it must not destroy its queue pairs while the other side may
 * still have to retransmit something.
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
     * Starts to watch a connection.
     *
     * @param socket the connection; closed with this object
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

    /** Marks the peer as a program of this project: if it ends the connection early, it is gone. */
    public void keepsLink() {
        keepsLink = true;
    }

    /** {@return what is wrong with the peer, in words, or null if nothing is known to be} */
    public String problem() {
        if (reason != null) {
            return "the peer reports: " + reason;
        }
        return keepsLink && !finished && end.getCount() == 0
                ? "the peer is gone: its program ended before the work was done"
                : null;
    }

    /** {@return whether the peer has everything it waits for} */
    public boolean hasFinished() {
        return finished;
    }

    /**
     * Reports that this side has everything it waits for, and waits until the peer has too.
     *
     * @param timeoutMillis longest time to wait
     */
    public void finish(long timeoutMillis) {
        send(new byte[] {FINISHED});
        try {
            if (!end.await(timeoutMillis, TimeUnit.MILLISECONDS)) {
                return; // this side is done; what delays the peer, the peer will report
            }
            if (!finished && !keepsLink) {
                Thread.sleep(100); // a C program: it does not report when it has our last acknowledgement
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        String problem = problem();
        if (problem != null) {
            throw ToolException.failed(problem);
        }
    }

    /** Reports to the peer that this side gives up, and why. */
    public void fail(String why) {
        send(((char) FAILED + why).getBytes(StandardCharsets.UTF_8));
    }

    private void send(byte[] bytes) {
        try {
            socket.getOutputStream().write(bytes);
            socket.shutdownOutput();
        } catch (IOException e) {
            // A C program has closed its end, or the peer is gone, which problem() reports.
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
