/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.wire;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * Writes packets to a file that tcpdump and Wireshark can read: classic pcap with nanoseconds, of raw IP packets.
 *
 * <p>The IP and UDP headers are synthesized from the addresses, because a UDP socket does not reveal them: correct
 * checksums, "don't fragment", time to live 64. Packets are buffered, and written once a second, when the buffer is
 * full, by {@link #close()} and when the JVM ends. A file that reaches its limit is renamed to end in {@code .1},
 * replacing the previous one, and a new file begins: at most twice the limit is kept, always with the newest packets.
 * Thread-safe.
 *
 * <p>A file that can't be opened or written never affects the caller: the first failure is logged to
 * {@link System.Logger}, later packets are counted in {@link #dropped()}.
 */
public final class PcapWriter implements AutoCloseable {
    private static final int BUFFER_SIZE = 1 << 20;
    private static final long FLUSH_MILLIS = 1000;

    private final Object lock = new Object();
    private final Path file;
    private final long limit;
    private final ByteBuffer pending = ByteBuffer.allocate(BUFFER_SIZE);
    private final Thread shutdownHook = new Thread(this::closeQuietly, "verbs4j-pcap-shutdown");
    /**
     * Null once nothing can be written any more. A stream, because interrupting the user of a channel closes the
     * channel.
     */
    private OutputStream out;
    /** Number of packets in the buffer. */
    private long waiting;

    /** Number of bytes in the file. */
    private long fileBytes;

    private long written;
    private long dropped;

    /**
     * Creates a file, or truncates it.
     *
     * @param file file to write to
     * @param limit maximum size in bytes; at least one packet is written in any case
     */
    public PcapWriter(Path file, long limit) {
        this.file = file;
        this.limit = limit;
        try {
            open();
        } catch (IOException | RuntimeException e) {
            fail(e);
        }
        if (out != null) {
            start();
        }
    }

    /**
     * Writes a packet. It is an IPv4 packet if both addresses are IPv4-mapped.
     *
     * @param nanosSinceEpoch time when it was sent or received
     * @param b big-endian buffer
     * @param offset index of the BTH in the buffer
     * @param length length from BTH to ICRC
     * @param srcHigh upper half of the sender's address
     * @param srcLow lower half of the sender's address
     * @param dstHigh upper half of the receiver's address
     * @param dstLow lower half of the receiver's address
     * @param srcPort UDP port of the sender
     * @param dstPort UDP port of the receiver
     * @param ipId IPv4 identification, such as {@link Icrc#solvedId()}
     */
    public void write(
            long nanosSinceEpoch,
            ByteBuffer b,
            int offset,
            int length,
            long srcHigh,
            long srcLow,
            long dstHigh,
            long dstLow,
            int srcPort,
            int dstPort,
            int ipId) {
        synchronized (lock) {
            if (out == null
                    || length < 0
                    || length > Icrc.MAX_PACKET_LENGTH
                    || offset < 0
                    || offset > b.limit() - length) {
                dropped++;
                return;
            }
            if (!makeRoom(PcapFormat.MAX_OVERHEAD + length)) {
                dropped++;
                return;
            }
            boolean ipv4 = IpAddresses.isIpv4(srcHigh, srcLow, dstHigh, dstLow);
            PcapFormat.recordHeader(pending, nanosSinceEpoch, length, ipv4);
            int ip = pending.position();
            if (ipv4) {
                PcapFormat.ipv4(pending, length, (int) srcLow, (int) dstLow, ipId);
            } else {
                PcapFormat.ipv6(pending, length, srcHigh, srcLow, dstHigh, dstLow);
            }
            int udp = pending.position();
            PcapFormat.udp(pending, length, srcPort, dstPort);
            pending.put(pending.position(), b, offset, length).position(pending.position() + length);
            PcapFormat.udpChecksum(pending, ip, udp, length, ipv4);
            written++;
            waiting++;
        }
    }

    /** Writes the buffered packets to the file. */
    public void flush() {
        synchronized (lock) {
            if (out != null) {
                flushPending();
            }
        }
    }

    /** {@return the number of packets accepted} They reach the file with the next flush. */
    public long written() {
        synchronized (lock) {
            return written;
        }
    }

    /**
     * {@return the number of packets rejected: after a failure or after {@link #close()}, or of an impossible length}
     */
    public long dropped() {
        synchronized (lock) {
            return dropped;
        }
    }

    /** Writes the buffered packets and closes the file. Idempotent. */
    @Override
    public void close() {
        closeQuietly();
        try {
            Runtime.getRuntime().removeShutdownHook(shutdownHook);
        } catch (IllegalStateException e) {
            // The JVM is shutting down: the hook repeats what was done above, which has no effect.
            return;
        }
    }

    private void start() {
        try {
            Runtime.getRuntime().addShutdownHook(shutdownHook);
        } catch (IllegalStateException e) {
            log().log(System.Logger.Level.DEBUG, "the JVM is shutting down; only close() flushes {0}", file);
        }
        Thread flusher = new Thread(this::flushEachSecond, "verbs4j-pcap-flush");
        flusher.setDaemon(true);
        flusher.start();
    }

    private void flushEachSecond() {
        synchronized (lock) {
            while (out != null) {
                try {
                    lock.wait(FLUSH_MILLIS);
                } catch (InterruptedException e) {
                    return;
                }
                if (out != null) {
                    flushSafely();
                }
            }
        }
    }

    /** Flushes without letting a temporarily full heap end the thread. */
    private void flushSafely() {
        try {
            flushPending();
        } catch (RuntimeException | OutOfMemoryError e) {
            log().log(System.Logger.Level.WARNING, "packets are missing from {0}", file);
        }
    }

    private void closeQuietly() {
        synchronized (lock) {
            if (out == null) {
                return;
            }
            if (flushPending()) {
                closeFile();
            }
            lock.notifyAll();
        }
    }

    private void open() throws IOException {
        out = new FileOutputStream(file.toFile());
        fileBytes = 0;
        PcapFormat.fileHeader(pending);
    }

    /** Makes room for a record in the buffer and in the file. */
    private boolean makeRoom(int record) {
        boolean first = fileBytes + pending.position() <= PcapFormat.FILE_HEADER;
        if (!first && fileBytes + pending.position() + record > limit) {
            return flushPending() && rotate();
        }
        return pending.remaining() >= record || flushPending();
    }

    /** Continues in a new file; nothing is pending. */
    private boolean rotate() {
        closeFile();
        try {
            if (Files.isRegularFile(file)) { // not a pipe that someone reads
                Files.move(file, file.resolveSibling(file.getFileName() + ".1"), StandardCopyOption.REPLACE_EXISTING);
            }
            open();
            return true;
        } catch (IOException | RuntimeException e) {
            fail(e);
            return false;
        }
    }

    private boolean flushPending() {
        try {
            out.write(pending.array(), 0, pending.position());
            fileBytes += pending.position();
            return true;
        } catch (IOException e) {
            written -= waiting;
            dropped += waiting;
            fail(e);
            closeFile();
            return false;
        } finally {
            pending.clear();
            waiting = 0;
        }
    }

    private void closeFile() {
        try {
            out.close();
        } catch (IOException e) {
            log().log(System.Logger.Level.DEBUG, "cannot close " + file, e);
        }
        out = null;
    }

    private void fail(Exception cause) {
        log().log(System.Logger.Level.WARNING, "packet capture has stopped: cannot write " + file, cause);
    }

    /** Not a constant, because loading the logging classes takes longer than opening the device. */
    private static System.Logger log() {
        return System.getLogger(PcapWriter.class.getName());
    }
}
