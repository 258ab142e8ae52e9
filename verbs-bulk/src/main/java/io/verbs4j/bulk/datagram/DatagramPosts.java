/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.datagram;

import io.verbs4j.Errno;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.SendFlags;
import io.verbs4j.WcStatus;
import io.verbs4j.bulk.strategy.Posts;
import java.util.function.LongSupplier;

/**
 * A reliable connection over datagrams. It takes the requests of a reliable queue pair, but READ only if the device
 * performs it itself. Requests are cut into packets, which are sent until the peer has acknowledged them. The peer
 * accepts them in order, each once, and puts the bytes in their place. A request completes when all its packets are
 * acknowledged and have left the send queue, so that its memory is not touched afterwards. For one thread at a time;
 * allocates nothing.
 */
public final class DatagramPosts implements Posts {
    /** Maximum time in nanoseconds for the send queue to drain when the connection ends. */
    private static final long DRAIN = 100_000_000;

    /** Bits of a receive's identifier that hold the number of its slot. */
    private static final int SLOT_MASK = 0xffff;

    private final Wire wire;
    private final DatagramSlots slots;
    private final DatagramUser user;
    private final DatagramSettings settings;
    private final LongSupplier clock;
    private final RequestQueue requests;
    private final PacketTaker taker;
    private final ReceiveWindow incoming;
    private final Liveness liveness = new Liveness();
    private SendWindow window;
    private PacketSender sender;
    private boolean acknowledges;
    private boolean refused;
    private boolean failing;
    private boolean ended;
    private long peerToken;
    private int peerMtu;
    private boolean writes;
    private int resetReason;
    private long failedAt;
    private long dropped;

    /**
     * Creates a connection whose peer is not known yet.
     *
     * @param clock the time in nanoseconds, like {@link System#nanoTime()}
     */
    public DatagramPosts(
            Wire wire, DatagramSlots slots, DatagramUser user, DatagramSettings settings, LongSupplier clock) {
        this.wire = wire;
        this.slots = slots;
        this.user = user;
        this.settings = settings;
        this.clock = clock;
        requests = new RequestQueue(settings.depth());
        taker = new PacketTaker(wire, slots, user);
        incoming = new ReceiveWindow(settings.window(), (int) settings.token());
    }

    /** Posts the receives for datagrams. Returns 0 or an errno. */
    public int prepare() {
        for (int i = 0; i < wire.receives(); i++) {
            int errno = wire.receive(i);
            if (errno != 0) {
                return errno;
            }
        }
        return 0;
    }

    /**
     * Sets the peer, before {@link #connected}. Another thread may do so.
     *
     * @param token the token in packets to it
     * @param mtu maximum size of a datagram that it accepts
     */
    public void peer(long token, int mtu) {
        peerToken = token;
        peerMtu = mtu;
    }

    /**
     * Sets whether the devices write to memory themselves, before {@link #connected}. Otherwise datagrams carry the
     * bytes.
     */
    public void writesDirectly(boolean value) {
        writes = value;
    }

    @Override
    public void connected() {
        window = new SendWindow(settings.window(), (int) peerToken, wire.isLossless());
        sender = new PacketSender(wire, slots, requests, window, Math.min(peerMtu, wire.mtu()), peerToken);
        liveness.start(clock.getAsLong());
        user.active(); // packets may have arrived
    }

    @Override
    public int write(long wrId, int flags, int lkey, long address, int length, int rkey, long remoteAddress) {
        int kind = writes ? RequestQueue.DIRECT_WRITE : PacketLayout.WRITE;
        return add(kind, wrId, flags, lkey, address, length, rkey, remoteAddress);
    }

    @Override
    public int writeAndTell(
            long wrId, int flags, int lkey, long address, int length, int rkey, long remoteAddress, int value) {
        boolean apart = writes && length > 0;
        if (requests.room() < (apart ? 2 : 1)) {
            return Errno.ENOMEM;
        }
        if (apart) {
            int unsignaled = flags & ~SendFlags.SIGNALED;
            add(RequestQueue.DIRECT_WRITE, wrId, unsignaled, lkey, address, length, rkey, remoteAddress);
        }
        add(PacketLayout.WRITE, wrId, flags, lkey, address, apart ? 0 : length, rkey, remoteAddress);
        requests.tell(value);
        return 0;
    }

    @Override
    public int read(long wrId, int flags, int lkey, long address, int length, int rkey, long remoteAddress) {
        return add(RequestQueue.DIRECT_READ, wrId, flags, lkey, address, length, rkey, remoteAddress);
    }

    @Override
    public int send(
            long wrId, int flags, int headerKey, long header, int headerLength, int lkey, long address, int length) {
        int errno = add(PacketLayout.SEND, wrId, flags, lkey, address, length, 0, 0);
        if (errno == 0) {
            requests.header((int) (header - slots.address()), headerLength);
        }
        return errno;
    }

    private int add(int kind, long wrId, int flags, int lkey, long address, int length, int rkey, long remoteAddress) {
        if (requests.room() == 0) {
            return Errno.ENOMEM;
        }
        requests.add(kind, wrId, flags, lkey, address, length);
        requests.target(rkey, remoteAddress);
        return 0;
    }

    @Override
    public int receive(RecvWorkRequest request) {
        if (failing) {
            user.active(); // which gives it back
        }
        return taker.post((int) request.wrId() & SLOT_MASK) ? 0 : Errno.ENOMEM;
    }

    @Override
    public int flush() {
        user.active();
        return failing || sender == null ? 0 : sendAll();
    }

    private int sendAll() {
        int errno = sender.sendData(incoming.expected());
        if (errno != 0) {
            return errno;
        }
        if (!window.isEmpty()) {
            liveness.waiting(true, clock.getAsLong());
        }
        return wire.flush();
    }

    /**
     * Handles a completed receive, with a datagram of {@code length} bytes at {@link Wire#receivedAt}, or a failure of
     * the device.
     */
    public void arrived(int place, int status, int length) {
        user.active();
        if (status != WcStatus.SUCCESS) {
            failUserBy(status);
        } else if (!failing) {
            take(place, length);
        }
    }

    private void take(int place, int length) {
        int at = wire.receivedAt(place);
        if (wire.received().getLong(at + PacketLayout.TOKEN) != settings.token()
                || (wire.received().getShort(at + PacketLayout.LENGTH) & 0xffff) != length - PacketLayout.SIZE) {
            drop(place);
            return;
        }
        int acknowledged = wire.received().getInt(at + PacketLayout.ACKNOWLEDGED);
        if (sender != null && !window.isPossible(acknowledged)) {
            drop(place);
            return;
        }
        switch (wire.received().get(at + PacketLayout.KIND)) {
            case PacketLayout.WRITE, PacketLayout.SEND -> {
                heard(acknowledged, 0);
                data(place, wire.received().getInt(at + PacketLayout.SEQUENCE));
            }
            case PacketLayout.ACK -> {
                heard(acknowledged, wire.received().getLong(at + PacketLayout.ADDRESS));
                post(place);
            }
            case PacketLayout.PING -> {
                heard(acknowledged, 0);
                acknowledges = true;
                post(place);
            }
            case PacketLayout.RESET -> {
                heard(acknowledged, 0);
                refused = wire.received().getInt(at + PacketLayout.KEY) == PacketLayout.REFUSED;
                failUser(Errno.ECONNRESET);
            }
            default -> drop(place);
        }
    }

    private void drop(int place) {
        dropped++;
        post(place);
    }

    /** Number of datagrams that were not packets of the connection. */
    public long dropped() {
        return dropped;
    }

    private void heard(int acknowledged, long early) {
        if (sender == null) {
            return;
        }
        long now = clock.getAsLong();
        liveness.heard(now);
        if (window.acknowledged(acknowledged, early)) {
            liveness.acknowledged(now);
            complete();
        }
    }

    private void data(int place, int sequence) {
        acknowledges = true;
        if (!incoming.offer(sequence, place)) {
            post(place);
            return;
        }
        boolean more = sequence == incoming.expected();
        while (more && !failing) {
            int next = incoming.take();
            if (!taker.take(next)) {
                resetReason = PacketLayout.REFUSED;
                user.failed(Errno.EPROTO);
                return;
            }
            more = incoming.taken();
            post(next);
        }
    }

    private void post(int place) {
        if (!failing && wire.receive(place) != 0) {
            failUser(Errno.EIO);
        }
    }

    private void failUser(int errno) {
        if (!failing) {
            user.failed(errno);
        }
    }

    /** Handles a datagram, or a request for the peer's memory, that has left the send queue. */
    public void completed(int place, int status) {
        user.active();
        int meant = status == WcStatus.SUCCESS || !failing && !isLoss(status) ? status : WcStatus.WR_FLUSH_ERR;
        int request = sender.completed(place);
        if (request != PacketSender.NO_REQUEST) {
            requests.completed(request, meant);
        }
        if (meant != WcStatus.SUCCESS) {
            failUserBy(meant);
        } else {
            complete();
        }
    }

    /** Whether a status of a lossless device means that the peer is gone. SRD has more such statuses than RC. */
    private boolean isLoss(int status) {
        return wire.isLossless()
                && switch (status) {
                    case WcStatus.RESP_TIMEOUT_ERR,
                            WcStatus.REM_INV_RD_REQ_ERR,
                            WcStatus.REM_ABORT_ERR,
                            WcStatus.REM_OP_ERR -> true;
                    default -> false;
                };
    }

    private void failUserBy(int status) {
        if (!failing) {
            user.failedBy(status);
        }
    }

    private void complete() {
        while (!failing && requests.isOldestDone(window.oldest())) {
            int request = requests.remove();
            if (requests.isSignaled(request)) {
                user.sent(requests.number(request), WcStatus.SUCCESS);
            }
        }
        if (window.isEmpty()) {
            liveness.waiting(false, 0);
        }
    }

    /** Sends whatever is due. Call it after completions were passed on, or when {@link #untilNext} has elapsed. */
    public void advance() {
        long now = clock.getAsLong();
        if (failing) {
            end(now);
        } else if (sender != null) {
            send(now);
        }
    }

    private void send(long now) {
        if (liveness.isDead(now)) {
            user.failed(Errno.ECONNRESET);
            return;
        }
        if (!wire.isLossless() && liveness.mustRepeat(now)) {
            window.timedOut();
        }
        if (liveness.mustAsk(now)) {
            boolean unused = sender.sendOther(PacketLayout.PING, 0, incoming.expected(), 0);
        }
        if (acknowledges && sender.sendOther(PacketLayout.ACK, 0, incoming.expected(), incoming.early())) {
            acknowledges = false;
        }
        if (sendAll() != 0) {
            user.failed(Errno.EIO);
        }
    }

    /** Returns the nanoseconds until {@link #advance()} has work to do by itself, at most {@code most}. */
    public long untilNext(long most) {
        long now = clock.getAsLong();
        if (failing) {
            return ended ? most : Math.min(most, Math.max(0, DRAIN - (now - failedAt)));
        }
        return sender == null ? most : Math.min(most, liveness.untilNext(now, !wire.isLossless()));
    }

    /**
     * Ends the connection and notifies the peer. Posted requests, and requests posted afterwards, complete as failed in
     * {@link #advance()} once the send queue is empty.
     */
    @Override
    public void fail() {
        if (failing) {
            return;
        }
        failing = true;
        failedAt = clock.getAsLong();
        if (sender != null) {
            boolean unused = sender.sendOther(PacketLayout.RESET, resetReason, incoming.expected(), 0);
            int ignored = wire.flush();
        }
        user.active();
    }

    /** Reports only after the device has completed: until the queue pair is closed, it may still use the memory. */
    private void end(long now) {
        boolean drained = sender == null || sender.isIdle();
        if (!ended && (drained || now - failedAt >= DRAIN)) {
            ended = true;
            wire.fail();
        }
        if (!ended || !drained) {
            return;
        }
        if (refused && !requests.isEmpty()) {
            user.sent(requests.number(requests.remove()), WcStatus.REM_ACCESS_ERR);
        }
        while (!requests.isEmpty()) {
            int request = requests.remove();
            user.sent(requests.number(request), requests.status(request));
        }
        taker.flush();
    }
}
