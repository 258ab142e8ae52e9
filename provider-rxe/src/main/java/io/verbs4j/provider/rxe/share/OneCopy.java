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
 * One copy of one local address: who sends to it, and where it sends to. Belongs to a link. {@link #poll} is for one thread at a time, the
 * rest for any.
 */
public final class OneCopy implements AutoCloseable {
    private static final long LOOK_AFTER_CHANNELS = 50_000_000;

    /** Between two looks whether those at the other ends of rings are there still. */
    static final long LOOK_AFTER_PEERS = 1_000_000_000;

    /** Between two looks whether others are still told of the address. */
    static final long LOOK_AFTER_NAME = 10_000_000_000L;

    private static final long RENEWAL = 3_600_000_000_000L;

    /** Whether it was told that an address could not be published. */
    private static final AtomicBoolean TOLD = new AtomicBoolean();

    /** Offers looked at between two passes of the thread that looks after all: anybody can send a datagram. */
    private static final int MOST_OFFERS = 64;

    private final Kernel kernel;
    private final Gid local;
    private final Surroundings surroundings;
    private final Processes processes;

    // What is made when it begins; written before that is told.
    private Directory directory;
    private Mailbox mailbox;
    private Peer self;

    /** Whether it has begun. Until then nobody sends here by a ring, and nobody from here. */
    private volatile boolean begun;

    /** Whether somebody has asked for a way to an address since all were looked after. */
    private volatile boolean wanted;

    /** Others read it here: 16 bytes, zeros when the address is no longer this one's. */
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

    /** Makes it, for an address that is this process's alone; it does nothing until {@link #begin}. */
    public OneCopy(Kernel kernel, Gid local, Surroundings surroundings) {
        this.kernel = kernel;
        this.local = local;
        this.surroundings = surroundings;
        this.processes = new Processes(kernel);
    }

    /**
     * Begins: tells others of the address. Apart from making it, as it takes some milliseconds of which no connection is to wait for.
     *
     * @throws IOException where it is not to be had here: why
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

    /** Tells once that others do not find an address of this process; answers why. */
    private IOException notPublished(IOException cause) {
        if (!TOLD.getAndSet(true)) {
            log().log(
                            System.Logger.Level.WARNING,
                            "other processes of this machine send to "
                                    + local.toInetAddress().getHostAddress()
                                    + " by packets, as they do not find it: nothing can be written to the folder for"
                                    + " temporary files, "
                                    + System.getProperty("java.io.tmpdir") + ": " + cause
                                    + "; -Djava.io.tmpdir names another one");
        }
        return cause;
    }

    /** Not a constant: to load what logs takes longer than to open the device. */
    private static System.Logger log() {
        return System.getLogger(OneCopy.class.getName());
    }

    /** Whether it has begun. */
    public boolean hasBegun() {
        return begun;
    }

    /** Why it is not to be had here, whoever the peer is; null where it is. */
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

    /** Looks at a process that has published an address; counts where it must not be read. */
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

    Surroundings surroundings() {
        return surroundings;
    }

    boolean isClosed() {
        return closed;
    }

    // ---- sending

    /** The channel to an address; null where it is none of this machine, or nobody has asked for it. */
    public Channel channel(long high, long low) {
        return channels.find(high, low);
    }

    /**
     * The same, made where there is none; to be called where something begins that sends there. A ring is looked for by
     * {@link #maintain}. Whoever keeps
     * it asks again when it {@linkplain Channel#isDropped is dropped}.
     */
    public Channel reach(Gid to) {
        Channel channel = closed ? null : channels.reach(to);
        if (channel != null) {
            wanted = true;
        }
        return channel;
    }

    /** As {@link #reach}, by the thread that looks after all. */
    public void wish(Gid to) {
        if (channel(to.subnetPrefix(), to.interfaceId()) == null && wishes.size() < MOST_OFFERS) {
            wishes.add(to);
        }
    }

    /** How many addresses there is or may be a way to. */
    int channelCount() {
        return channels.all().length;
    }

    Mailbox mailbox() {
        return mailbox;
    }

    Channel[] channels() {
        return channels.all();
    }

    /** How many rings are received from. */
    int readerCount() {
        return readers.size();
    }

    /** The receiver of a ring takes no more. */
    void end(Channel channel, RingWriter ring) {
        channel.end(ring);
    }

    // ---- receiving

    /** Whether anybody sends here by a ring, or has: {@link #poll} has something to do. */
    public boolean isReceiving() {
        return readers.isReceiving();
    }

    /** Whether there are so many that those are looked at that something is noted of. */
    boolean isNoted() {
        return readers.isNoted();
    }

    /** Takes packets in; answers how many records were looked at. {@code drain} takes in what came by the socket. */
    public int poll(PacketSink sink, int most, Runnable drain) {
        return readers.poll(sink, most, drain);
    }

    /**
     * Whether nothing is there to be taken in. What is there is found by the next {@link #poll}, whatever its sender
     * has noted.
     */
    public boolean isEmpty() {
        return readers.isEmpty();
    }

    /** Nobody polls: senders are to wake who waits. To be followed by a look whether {@link #isEmpty}. */
    public void sleeps() {
        if (begun) {
            mailbox.sleeps();
        }
    }

    /** Ends that. */
    public void wakes() {
        if (begun) {
            mailbox.wakes();
        }
    }

    /** A datagram has come that offers a ring, from whomever. For the thread that polls. */
    public void offered(long fromHigh, long fromLow, long address) {
        if (closed || !begun || offers.getAndIncrement() >= MOST_OFFERS) {
            return; // it is offered again
        }
        try {
            accept(Gid.of(fromHigh, fromLow), address);
        } catch (IOException | UnsupportedOperationException | OutOfMemoryError e) {
            // the sender goes on with packets, and tries again
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
        RingReader reader = RingReader.open(kernel, peer, (int) fd, number, from, local, surroundings);
        if (readers.replace(from, reader)) {
            reader.accept();
            Channel back = channel(from.subnetPrefix(), from.interfaceId());
            if (back != null) {
                back.wanted(); // it was not there perhaps when this side began
                back.maintain(System.nanoTime());
            }
        }
    }

    // ---- looking after

    /** Looks after what can't be done while messages are sent; to be called every now and then by one thread. */
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

    /** Tells others again of the address where what was told is gone. */
    void lookAfterName(long now) {
        boolean renews = now - nextRenewal >= 0;
        if (renews) {
            nextRenewal = now + RENEWAL;
        }
        try {
            directory.keep(local, self, renews);
        } catch (IOException e) {
            notPublished(e); // and tries again
        }
    }

    /** Gives back what is held for those who are gone. */
    void lookAfter(long now) {
        readers.lookAfter();
        channels.lookAfter(now);
    }

    /** Ends it all. The address may be another's afterwards. */
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
