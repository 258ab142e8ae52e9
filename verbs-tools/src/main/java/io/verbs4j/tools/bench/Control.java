/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.bench;

import io.verbs4j.tools.base.ToolException;
import io.verbs4j.tools.net.Wire;
import io.verbs4j.tools.text.Printable;
import java.io.IOException;
import java.io.Reader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * The TCP connection over which client and server agree on what to do. A line is a word and {@code name=value} pairs:
 *
 * <pre>
 * client                                     server
 *   verbs4j-bench version=2             -->
 *                                       <--    verbs4j-bench version=2
 *   step operation=SEND ... address=... -->
 *                                       <--    ready address=... memory=... rkey=... mtu=... reads=...
 *   check first=0 count=128             -->                        (writes: as often as all slots are written)
 *                                       <--    checked lost=0
 *   lost number=17                      -->                        (writes, latency, uc: no answer came)
 *   stop sent=100000                    -->
 *                                       <--    stopped received=100000 verified=6553600000
 *   end                                 -->
 * </pre>
 *
 * Instead of any line either side may send {@code error} and a text for people. While it measures, the client sends
 * {@code alive} every second, because a server whose device does all the work sees nothing else.
 */
final class Control implements AutoCloseable {
    static final String HELLO = "verbs4j-bench version=2";

    private static final String ERROR = "error ";
    private static final String REPORTED = "the peer reports: ";
    private static final String ALIVE = "alive";
    private static final String END = "\0";
    private static final String TOO_LONG = "\0too long";

    /** Limits, so that an unsolicited flood from a peer can't fill the memory. */
    private static final int LONGEST_LINE = 8192;

    private static final int MOST_LINES = 64;
    private static final long ALIVE_NANOS = 1_000_000_000L;

    private final Socket socket;
    private final Reader in;
    private final Thread reader;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>(MOST_LINES);
    private final long timeoutMillis;
    private volatile long heard = System.nanoTime();
    private long alive = heard;

    Control(Socket socket, int timeoutMillis) {
        this.socket = socket;
        this.timeoutMillis = timeoutMillis == 0 ? Long.MAX_VALUE / 4 : timeoutMillis;
        in = Wire.text(socket);
        reader = new Thread(this::read, "bench-control");
        reader.setDaemon(true);
        reader.start();
    }

    private void read() {
        try {
            for (String line = readLine(); line != null; line = readLine()) {
                heard = System.nanoTime();
                if (!line.equals(ALIVE)) {
                    lines.put(line);
                }
                if (line.equals(TOO_LONG)) {
                    return;
                }
            }
            lines.put(END);
        } catch (InterruptedException e) {
            // closed: nobody waits for a line any more
        }
    }

    /** Reads the next line, without characters that a terminal might obey; null at the end. */
    private String readLine() {
        StringBuilder line = new StringBuilder();
        try {
            for (int c = in.read(); c != '\n'; c = in.read()) {
                if (c < 0) {
                    return null;
                }
                if (line.length() == LONGEST_LINE) {
                    return TOO_LONG;
                }
                line.append((char) c);
            }
            return Printable.of(line.toString());
        } catch (IOException e) {
            return null; // treated as the end
        }
    }

    void send(String line) {
        try {
            socket.getOutputStream().write((line + '\n').getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            if (lines.stream().anyMatch(l -> l.startsWith(ERROR))) {
                return; // the peer's own error is read next and says more
            }
            throw ToolException.failed("the peer is gone: " + e.getMessage(), e);
        }
    }

    /** Reports to the peer that this side is at work; cheap enough to be called often. */
    void alive() {
        long now = System.nanoTime();
        if (now - alive >= ALIVE_NANOS) {
            alive = now;
            send(ALIVE);
        }
    }

    /** {@return whether the peer has sent anything within a time} */
    boolean heardWithin(long nanos) {
        return System.nanoTime() - heard < nanos;
    }

    /** Reports to the peer that this side gives up, and why. */
    void fail(String why) {
        try {
            send(ERROR + String.valueOf(why).replace('\n', ' '));
        } catch (ToolException e) {
            // the peer is gone
        }
    }

    /**
     * Waits a while for the peer to report why it gave up.
     *
     * @return the peer's error, or null if there is none
     */
    ToolException words(long millis) {
        try {
            for (String line = poll(millis); line != null && !line.equals(END); line = poll(millis)) {
                if (line.startsWith(ERROR) && !line.startsWith(ERROR + REPORTED)) {
                    return reported(line);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return null;
    }

    private String poll(long millis) throws InterruptedException {
        return lines.poll(millis, TimeUnit.MILLISECONDS);
    }

    private static ToolException reported(String line) {
        return ToolException.failed(REPORTED + line.substring(ERROR.length()));
    }

    /** {@return whether the peer has sent a line} Does not wait. */
    boolean hasLine() {
        return !lines.isEmpty();
    }

    /** Waits for any line. */
    String receive() {
        try {
            String line = poll(timeoutMillis);
            while (line == null && heardWithin(TimeUnit.MILLISECONDS.toNanos(timeoutMillis))) {
                line = poll(timeoutMillis);
            }
            if (line == null) {
                throw ToolException.failed("the peer has sent nothing for " + timeoutMillis / 1000 + " s");
            }
            if (line.equals(END)) {
                throw ToolException.failed("the peer is gone: its program ended before the work was done");
            }
            if (line.equals(TOO_LONG)) {
                throw ToolException.failed("the peer sent a line of more than " + LONGEST_LINE
                        + " characters: is the program at the other end 'verbs bench'?");
            }
            if (line.startsWith(ERROR)) {
                throw reported(line);
            }
            return line;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw ToolException.failed("interrupted", e);
        }
    }

    /**
     * Waits for a line that begins with a word.
     *
     * @return its pairs
     */
    Map<String, String> receive(String word) {
        String line = receive();
        if (!line.equals(word) && !line.startsWith(word + " ")) {
            throw ToolException.failed("the peer sent '" + line + "' where '" + word
                    + "' was expected: do both sides run the same release of verbs4j?");
        }
        return pairs(line);
    }

    static Map<String, String> pairs(String line) {
        Map<String, String> pairs = new LinkedHashMap<>();
        for (String pair : line.split(" ", -1)) {
            int at = pair.indexOf('=');
            if (at > 0) {
                pairs.put(pair.substring(0, at), pair.substring(at + 1));
            }
        }
        return pairs;
    }

    /** {@return a number of a line} Throws an exception if it is missing or not a number. */
    static long number(Map<String, String> pairs, String name) {
        try {
            return Long.decode(pairs.getOrDefault(name, ""));
        } catch (NumberFormatException e) {
            throw ToolException.failed("the peer sent no number for '" + name + "': " + pairs, e);
        }
    }

    @Override
    public void close() {
        reader.interrupt();
        try {
            socket.close();
        } catch (IOException e) {
            // nothing is lost
        }
    }
}
