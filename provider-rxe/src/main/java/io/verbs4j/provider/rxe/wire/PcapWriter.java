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
 * Writes packets to a file that tcpdump and Wireshark read: classic pcap with nanoseconds, of raw IP packets.
 *
 * <p>The IP and UDP headers are made up from the addresses, since a UDP socket does not show them: right checksums, "do not
 * fragment", time to live 64. Packets are gathered and written when a second is over, when the buffer is full, at
 * {@link #close()} and when the JVM ends. A file that has grown to its limit becomes the earlier one, with {@code .1} behind
 * its name, and a new one begins: no more than twice the limit is ever kept, and the newest packets always are. Thread-safe.
 *
 * <p>A file that cannot be opened or written never disturbs the caller: the first failure is told through
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
    /** Null when nothing can be written any more. A stream, since a channel is closed when its user is interrupted. */
    private OutputStream out;
    /** Packets in the buffer. */
    private long waiting;

    /** Bytes in the file. */
    private long fileBytes;

    private long written;
    private long dropped;

    /**
     * Makes a file, or empties it.
     *
     * @param file where to write
     * @param limit bytes that it may have, at least one packet in any case
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
     * Writes a packet. It is one of IPv4 where both addresses are IPv4 mapped.
     *
     * @param nanosSinceEpoch when it was sent or received
     * @param b big-endian buffer
     * @param offset of the BTH in it
     * @param length BTH to ICRC
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

    /** Writes to the file what was gathered. */
    public void flush() {
        synchronized (lock) {
            if (out != null) {
                flushPending();
            }
        }
    }

    /**
     * Number of packets taken.
     *
     * @return a count; they reach the file with the next flush
     */
    public long written() {
        synchronized (lock) {
            return written;
        }
    }

    /**
     * Number of packets refused: after a failure or after {@link #close()}, or of an impossible length.
     *
     * @return a count
     */
    public long dropped() {
        synchronized (lock) {
            return dropped;
        }
    }

    /** Writes what was gathered and closes the file. Idempotent. */
    @Override
    public void close() {
        closeQuietly();
        try {
            Runtime.getRuntime().removeShutdownHook(shutdownHook);
        } catch (IllegalStateException e) {
            // The JVM is ending already: the hook does then what was done above, which does nothing twice.
            return;
        }
    }

    private void start() {
        try {
            Runtime.getRuntime().addShutdownHook(shutdownHook);
        } catch (IllegalStateException e) {
            log().log(System.Logger.Level.DEBUG, "the JVM is ending; {0} is flushed by close() only", file);
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

    /** A heap that is full for a moment does not end the thread. */
    private void flushSafely() {
        try {
            flushPending();
        } catch (RuntimeException | OutOfMemoryError e) {
            log().log(System.Logger.Level.WARNING, "packets are missing in {0}", file);
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

    /** Sees to it that a record fits into the buffer and into the file. */
    private boolean makeRoom(int record) {
        boolean first = fileBytes + pending.position() <= PcapFormat.FILE_HEADER;
        if (!first && fileBytes + pending.position() + record > limit) {
            return flushPending() && rotate();
        }
        return pending.remaining() >= record || flushPending();
    }

    /** Goes on in a new file; nothing is pending. */
    private boolean rotate() {
        closeFile();
        try {
            if (Files.isRegularFile(file)) { // not a pipe that somebody reads
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
        log().log(System.Logger.Level.WARNING, "no packets are captured any more: cannot write " + file, cause);
    }

    /** Not a constant: to load what logs takes longer than to open the device. */
    private static System.Logger log() {
        return System.getLogger(PcapWriter.class.getName());
    }
}
