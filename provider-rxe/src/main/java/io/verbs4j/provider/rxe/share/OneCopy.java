/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.share;

import io.verbs4j.Gid;
import io.verbs4j.natives.memory.NativeMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.SecureRandom;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One copy for one local address, in both directions. Belongs to a link. {@link #poll} must be called by one thread at
 * a time; the other methods are thread-safe.
 */
public final class OneCopy implements AutoCloseable {
    private static final long LOOK_AFTER_CHANNELS = 50_000_000;

    /** Interval at which the processes at the other ends of rings are checked. */
    static final long LOOK_AFTER_PEERS = 1_000_000_000;

    /** Interval at which the published address is checked. */
    static final long LOOK_AFTER_NAME = 10_000_000_000L;

    private static final long RENEWAL = 3_600_000_000_000L;

    /** Whether the failure to publish an address was logged. */
    private static final AtomicBoolean TOLD = new AtomicBoolean();

    /** Maximum number of offers examined between two passes of {@link #maintain}: anyone can send a datagram. */
    private static final int MOST_OFFERS = 64;

    private final Kernel kernel;
    private final Gid local;
    private final Surroundings surroundings;
    private final Processes processes;

    // Created by begin, before it sets begun.
    private Directory directory;
    private Mailbox mailbox;
    private Peer self;

    /** Whether {@link #begin} is complete. Until then no rings exist in either direction. */
    private volatile boolean begun;

    /** Whether a channel was requested since the last maintenance. */
    private volatile boolean wanted;

    /** Read by other processes: 16 bytes, zeros once the address no longer belongs to this process. */
    private final ByteBuffer nonce = ByteBuffer.allocateDirect(Processes.NONCE).order(ByteOrder.nativeOrder());

    private final Queue<Gid> wishes = new ConcurrentLinkedQueue<>();
    private final Channels channels = new Channels(this);
    private final Readers readers = new Readers(this);
    private volatile boolean closed;
    private final AtomicInteger offers = new AtomicInteger();
    private long nextLook = System.nanoTime();
    private long nextLookAtPeers = nextLook;
    private long nextLookAtName = nextLook + LOOK_AFTER_NAME;
    private long nextRenewal = nextLook + RENEWAL;

    /** Creates one copy for an address that belongs to this process alone. It does nothing until {@link #begin}. */
    public OneCopy(Kernel kernel, Gid local, Surroundings surroundings) {
        this.kernel = kernel;
        this.local = local;
        this.surroundings = surroundings;
        this.processes = new Processes(kernel);
    }

    /**
     * Publishes the address. Separate from the constructor, because it takes some milliseconds for which no connection
     * should wait.
     *
     * @throws IOException if one copy is not available here; the message says why
     */
    public synchronized void begin() throws IOException {
        if (closed || begun) {
            return;
        }
        String problem = processes.problem();
        if (problem != null) {
            throw new IOException(problem);
        }
        try {
            directory = Directory.find(kernel, processes);
        } catch (IOException e) {
            throw notPublished(e);
        }
        mailbox = new Mailbox(kernel);
        SecureRandom random = new SecureRandom();
        nonce.putLong(0, random.nextLong() | 1).putLong(8, random.nextLong());
        int pid = Math.toIntExact(ProcessHandle.current().pid());
        self = new Peer(pid, nonce.getLong(0), nonce.getLong(8), NativeMemory.address(nonce), mailbox.fd());
        boolean complete = false;
        try {
            directory.publish(local, self);
            complete = true;
        } catch (IOException e) {
            throw notPublished(e);
        } finally {
            if (!complete) {
                mailbox.close();
            }
        }
        begun = true;
    }

    /** Logs, the first time, that others cannot find this process's address. Returns the cause. */
    private IOException notPublished(IOException cause) {
        if (!TOLD.getAndSet(true)) {
            log().log(
                            System.Logger.Level.WARNING,
                            "other processes of this machine send to "
                                    + local.toInetAddress().getHostAddress()
                                    + " by packets because they can't find it: this process can't write to"
                                    + " the folder for temporary files, "
                                    + System.getProperty("java.io.tmpdir") + ": " + cause
                                    + "; use -Djava.io.tmpdir to choose another one");
        }
        return cause;
    }

    /** Not a constant, because loading the logging classes takes longer than opening the device. */
    private static System.Logger log() {
        return System.getLogger(OneCopy.class.getName());
    }

    /** {@return whether {@link #begin} is complete} */
    public boolean hasBegun() {
        return begun;
    }

    /** Returns why one copy is not available here, whoever the peer is; null if it is available. */
    public static String problem(Kernel kernel) {
        try {
            Processes processes = new Processes(kernel);
            Directory.find(kernel, processes);
            new Mailbox(kernel).close();
            String problem = processes.problem();
            return problem != null ? problem : Ptrace.problem();
        } catch (IOException | UnsupportedOperationException e) {
            return e.toString();
        }
    }

    Kernel kernel() {
        return kernel;
    }

    Processes processes() {
        return processes;
    }

    /** Checks a process that has published an address; counts the case that it may not be read. */
    Processes.Sight look(Peer peer) {
        Processes.Sight sight = processes.look(peer);
        if (sight == Processes.Sight.REFUSED) {
            surroundings.count(Surroundings.Count.REFUSED, 1);
        }
        return sight;
    }

    Directory directory() {
        return directory;
    }

    Gid local() {
        return local;
    }

    Surroundings surroundings() {
        return surroundings;
    }

    boolean isClosed() {
        return closed;
    }

    // ---- sending

    /**
     * Returns the channel to an address; null if the address does not belong to this machine or no channel was
     * requested.
     */
    public Channel channel(long high, long low) {
        return channels.find(high, low);
    }

    /**
     * Returns the channel to an address and creates it if necessary; call it when a connection begins. {@link
     * #maintain} makes the ring. Callers that keep the channel must call this again once it {@linkplain
     * Channel#isDropped is dropped}.
     */
    public Channel reach(Gid to) {
        Channel channel = closed ? null : channels.reach(to);
        if (channel != null) {
            wanted = true;
        }
        return channel;
    }

    /** As {@link #reach}, but leaves the work to {@link #maintain}. */
    public void wish(Gid to) {
        if (channel(to.subnetPrefix(), to.interfaceId()) == null && wishes.size() < MOST_OFFERS) {
            wishes.add(to);
        }
    }

    /** Returns the number of channels, with or without a ring. */
    int channelCount() {
        return channels.all().length;
    }

    Mailbox mailbox() {
        return mailbox;
    }

    Channel[] channels() {
        return channels.all();
    }

    /** Returns the number of rings to receive from. */
    int readerCount() {
        return readers.size();
    }

    /** Ends a ring whose receiver takes no more. */
    void end(Channel channel, RingWriter ring) {
        channel.end(ring);
    }

    // ---- receiving

    /** Returns whether {@link #poll} has something to do, because a ring to receive from exists or just ended. */
    public boolean isReceiving() {
        return readers.isReceiving();
    }

    /** Returns whether there are so many rings that only those with notes are polled. */
    boolean isNoted() {
        return readers.isNoted();
    }

    /**
     * Receives packets. Returns the number of records processed. {@code drain} receives what came through the socket.
     */
    public int poll(PacketSink sink, int most, Runnable drain) {
        return readers.poll(sink, most, drain);
    }

    /**
     * Returns whether there is nothing to receive. If there is, the next {@link #poll} finds it, whatever its sender
     * noted.
     */
    public boolean isEmpty() {
        return readers.isEmpty();
    }

    /** Notes that no thread polls, so senders must wake the receiver. Call {@link #isEmpty} afterwards. */
    public void sleeps() {
        if (begun) {
            mailbox.sleeps();
        }
    }

    /** Notes that a thread polls again. */
    public void wakes() {
        if (begun) {
            mailbox.wakes();
        }
    }

    /** Handles a datagram that offers a ring, from any sender. For the polling thread. */
    public void offered(long fromHigh, long fromLow, long address) {
        if (closed || !begun || offers.getAndIncrement() >= MOST_OFFERS) {
            return; // it is offered again
        }
        try {
            accept(Gid.of(fromHigh, fromLow), address);
        } catch (IOException | UnsupportedOperationException | OutOfMemoryError e) {
            // the sender continues with packets and tries again
        }
    }

    private void accept(Gid from, long address) throws IOException {
        Peer peer = directory.find(from);
        if (peer == null || look(peer) != Processes.Sight.THERE) {
            return;
        }
        ByteBuffer description = processes.read(peer, address, Channel.DESCRIPTION);
        if (description == null
                || description.getLong(0) != RingLayout.MAGIC
                || description.getLong(24) != RingLayout.SIZE
                || description.getLong(32) != local.subnetPrefix()
                || description.getLong(40) != local.interfaceId()) {
            return;
        }
        long number = description.getLong(8);
        if (readers.has(peer, number)) {
            return;
        }
        long fd = description.getLong(16);
        if (fd < 0 || fd > Integer.MAX_VALUE) {
            return;
        }
        RingReader reader = RingReader.open(this, peer, (int) fd, number, from);
        if (readers.replace(from, reader)) {
            reader.accept();
            Channel back = channel(from.subnetPrefix(), from.interfaceId());
            if (back != null) {
                back.wanted(); // the peer may not have existed when this side began
                back.maintain(System.nanoTime());
            }
        }
    }

    // ---- maintenance

    /** Does the work that cannot be done while sending messages. One thread must call it periodically. */
    public void maintain() {
        long now = System.nanoTime();
        if (closed || !begun || !wanted && now - nextLook < 0) {
            return;
        }
        wanted = false;
        nextLook = now + LOOK_AFTER_CHANNELS;
        offers.set(0);
        for (Gid to = wishes.poll(); to != null; to = wishes.poll()) {
            reach(to);
        }
        for (Channel c : channels.all()) {
            c.maintain(now);
        }
        if (now - nextLookAtPeers >= 0) {
            nextLookAtPeers = now + LOOK_AFTER_PEERS;
            lookAfter(now);
        }
        if (now - nextLookAtName >= 0) {
            nextLookAtName = now + LOOK_AFTER_NAME;
            lookAfterName(now);
        }
    }

    /** Publishes the address again if its file is gone. */
    void lookAfterName(long now) {
        boolean renews = now - nextRenewal >= 0;
        if (renews) {
            nextRenewal = now + RENEWAL;
        }
        try {
            directory.keep(local, self, renews);
        } catch (IOException e) {
            notPublished(e); // tried again later
        }
    }

    /** Frees what is held for processes that are gone. */
    void lookAfter(long now) {
        readers.lookAfter();
        channels.lookAfter(now);
    }

    /** Ends all rings and withdraws the address, which another process may have afterwards. */
    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        if (begun) {
            directory.withdraw(local, self);
        }
        nonce.putLong(0, 0).putLong(8, 0);
        readers.close();
        channels.close();
        if (begun) {
            mailbox.close();
        }
    }
}
