/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import io.verbs4j.Errno;
import io.verbs4j.bulk.control.ControlKind;
import io.verbs4j.bulk.control.Hello;
import io.verbs4j.bulk.memory.IdTable;
import io.verbs4j.bulk.memory.RemoteWindow;
import io.verbs4j.bulk.ring.EntryCode;
import io.verbs4j.bulk.strategy.Posts;
import io.verbs4j.bulk.strategy.Protocol;

/** A connection to a peer: its pending work, and how it ends. */
public final class Link implements FairQueue.Flow {
    /** Bit in the identifiers of receives. */
    static final long RECEIVE = Long.MIN_VALUE;

    private static final int NUMBER = 32; // bits

    final Transfers transfers;
    final Limits limits;
    final Slots slots;
    final PostedQueue posted;
    final Lane first;
    final Rails rails;
    final MessageQueue messages = new MessageQueue();
    final IdTable<RemoteWindow> windows = new IdTable<>();
    final Matcher matcher;
    final LinkSender sender;
    final LinkReceiver receiver;
    final Asker asker = new Asker(this);
    final Answerer answerer = new Answerer(this);
    final Addresses addresses = new Addresses(this);

    /** Messages that wait for their turn, in order. */
    final TransferList sends = new TransferList();

    /** Bytes, and messages with FENCE, that wait for their turn, in order. */
    final TransferList data = new TransferList();

    final TransferList flying = new TransferList();
    final TransferList announced = new TransferList();

    /** The device that it uses; for the driving thread. */
    DeviceLoad load;

    private final int id;
    private final FairQueue.Share share = new FairQueue.Share();
    private final LinkState state = new LinkState();
    private final TransferEnds ends = new TransferEnds(this);
    private final LinkRecovery recovery = new LinkRecovery(this);
    private final LinkDatagrams datagrams;
    private volatile Home home;
    private Landings landings;
    private Posts posts;
    private Protocol protocol;
    private volatile Object attachment;

    /** Creates a link for a new connection on a home's device; the link closes the home. Any thread may call it. */
    public Link(int id, Transfers transfers, Home home) {
        this.id = id;
        this.transfers = transfers;
        this.home = home;
        load = home.load();
        limits = transfers.limits;
        landings = new RegisteredLandings(this);
        datagrams = new LinkDatagrams(this);
        slots = new Slots(limits, RECEIVE | (long) id << NUMBER);
        home.register(slots);
        slots.use(home.slots());
        slots.useReceives(slots.receives(0, home.slots()));
        posted = new PostedQueue(limits.sendDepth());
        first = new FirstLane(this);
        rails = new Rails(this);
        matcher = new Matcher(this);
        receiver = new LinkReceiver(this);
        sender = new LinkSender(this);
    }

    /** Returns the link id in a work request's identifier. */
    public static int idOf(long wrId) {
        return (int) (wrId >>> NUMBER) & Integer.MAX_VALUE;
    }

    public int id() {
        return id;
    }

    /** The program's object for the connection. */
    public Object attachment() {
        return attachment;
    }

    /** Changes {@link #attachment()}. */
    public void attachment(Object value) {
        attachment = value;
    }

    /** Whether the connection uses this device. */
    public boolean isOf(DeviceLoad device) {
        return load == device;
    }

    /** Its share of its device. Any thread may ask. */
    public Home home() {
        return home;
    }

    /** Moves to another device, on which it has no queue pair yet, or an empty one. */
    void move(Home to) {
        landings.leave();
        home.close();
        home = to;
        load = to.load();
        slots.use(to.slots());
        addresses.moved();
        int errno = landings.move();
        if (errno != 0 && !transfers.isLost(load, errno)) {
            fail(errno); // the peer was told where to write, and can't any more
        }
    }

    /** Releases its resources on a lost device, after its queue pair is closed. */
    void leave() {
        landings.leave();
        home.close();
    }

    /** Handles the loss of its device: posted requests will not complete. */
    public void deviceLost() {
        state.abandon();
        if (state.isClosing()) {
            fail(state.errno());
        } else if (!state.isConnecting()) { // otherwise its maker notices
            lose(Errno.ENODEV);
        }
    }

    /** Handles a request that the device refused or failed: the connection is lost with the device, or ends. */
    void refused(int errno) {
        if (!transfers.isLost(load, errno)) {
            fail(Errno.EIO);
        }
    }

    /** Posts the receives, if any, to the queue pair, which is not connected yet. Returns 0 or an errno. */
    public int prepare(Posts to, boolean receives) {
        posts = to;
        datagrams.use();
        for (int i = 0; receives && i < limits.slots(); i++) {
            int errno = to.receive(slots.receive(i));
            if (errno != 0) {
                return errno;
            }
            receiver.posted();
        }
        return 0;
    }

    /** Its queue pairs, if it uses datagrams. */
    public LinkDatagrams datagrams() {
        return datagrams;
    }

    /** Memory to which the peer writes requested bytes. */
    Landings landings() {
        return landings;
    }

    /** How it is restored after a loss. */
    public LinkRecovery recovery() {
        return recovery;
    }

    /** Posts requests to another queue pair from now on. */
    void post(Posts to) {
        posts = to;
    }

    /** Starts transfers with the agreed protocol after the connection to the peer is established. */
    public void up(Hello peer, Protocol agreed) {
        if (!state.up()) {
            return;
        }
        protocol = agreed;
        if (agreed.datagrams()) {
            datagrams.open();
        }
        posts.connected();
        if (!agreed.writes()) {
            landings = datagrams.landings();
        }
        int slotBytes = Math.min(peer.slotBytes(), limits.slotBytes());
        if (agreed.ring()) {
            posts = new RingWriter(posts, slots, peer);
            posted.limit(limits.sendDepth() / RingWriter.REQUESTS);
            slotBytes = RingWriter.stride(slotBytes);
            receiver.startRing();
            transfers.addPolled(this);
        } else {
            home.closeRing();
        }
        sender.start(peer.slots(), slotBytes);
        activate();
        rails.setup().start();
    }

    /** Whether the peer writes its messages. */
    public boolean usesRing() {
        return protocol.ring();
    }

    /** How transfers are done, once it is connected. */
    Protocol protocol() {
        return protocol;
    }

    Posts posts() {
        return posts;
    }

    long wrId(int number) {
        return requestId(recovery.tag()) | number & PostedQueue.NUMBER_MASK;
    }

    /** Returns the identifier of request 0 with a tag. */
    long requestId(int tag) {
        return (long) id << NUMBER | Integer.toUnsignedLong(tag);
    }

    /** The additional queue pairs of the connection. */
    public Rails rails() {
        return rails;
    }

    TransferEnds ends() {
        return ends;
    }

    /** Whether one more piece may be in flight on a lane. */
    boolean fits(Lane lane, int piece) {
        return lane.underWay() == 0 || lane.underWay() + piece <= limits.peerWindow();
    }

    LinkState state() {
        return state;
    }

    /** Includes it in the next round. */
    void activate() {
        transfers.fair.activate(this);
    }

    @Override
    public FairQueue.Share share() {
        return share;
    }

    @Override
    public long send(long budget) {
        long sent = sender.send(budget);
        flush();
        return sent;
    }

    /** Posts the gathered requests. */
    void flush() {
        rails.flush();
        int errno = posts.flush();
        if (errno != 0) {
            refused(errno);
        }
    }

    @Override
    public boolean wantsMore() {
        return sender.wantsMore();
    }

    /** Sends a message when credits allow. */
    void message(int kind, long messageId, long a) {
        messages.add(kind, messageId, a, 0, 0, 0, null);
        activate();
    }

    /** Accepts a transfer with valid arguments. */
    void submit(Transfer transfer) {
        if (!state.isOpen()) {
            transfers.completer.fail(transfer, state.errno());
            return;
        }
        if (transfer.opcode == EntryCode.RECV) {
            matcher.receive(transfer);
            return;
        }
        transfer.phase = Transfer.Phase.QUEUED;
        if (transfer.isMessage()) {
            sender.queueMessage(transfer);
        } else {
            transfer.window = window(transfer.windowId);
            transfer.window.use();
            data.add(transfer);
        }
        activate();
    }

    private RemoteWindow window(long windowId) {
        RemoteWindow window = windows.find(windowId);
        if (window == null) {
            window = new RemoteWindow(windowId);
            windows.add(window);
            message(ControlKind.LOOKUP, windowId, 0);
        } else {
            addresses.use(window);
        }
        return window;
    }

    /** Ends a transfer early, see {@link Transfers#stop}. */
    int stop(Transfer transfer, int errno) {
        return ends.stop(transfer, errno);
    }

    /** Handles a transfer without requests in flight, now and later. */
    void idle(Transfer transfer) {
        ends.idle(transfer);
    }

    /** Handles the device's completion of a request, by the low half of its identifier, and of all before it. */
    public void sendCompleted(int number, int status) {
        if (!datagrams.areUsed()) {
            if (RailLane.railOf(number) == 0) {
                sent(number, status);
            } else {
                rails.completed(number, status);
            }
            return;
        }
        DatagramSide side = datagrams.side(number);
        if (side != null) {
            side.completed(number, status);
        }
    }

    /** Handles the device's completion of a receive, by the low half of its identifier. */
    public void receiveCompleted(int number, int status, boolean told, int immediate, int length) {
        if (!datagrams.areUsed()) {
            received(number, status, told, immediate, length);
            return;
        }
        DatagramSide side = datagrams.side(number);
        if (side != null) {
            side.arrived(number, status, length);
        }
    }

    /** Handles the end of a request, by the low half of its identifier, and of all before it. */
    void sent(int number, int status) {
        if (recovery.isOfNow(number)) {
            ends.sent(posted.number(number & PostedQueue.NUMBER_MASK), status);
        }
    }

    /** Handles a message or value in the slot that the low half of an identifier names, or the end of its receive. */
    void received(int number, int status, boolean told, int immediate, int length) {
        if (recovery.isOfNow(number) || status == 0 && recovery.adopts(number)) {
            receiver.received(number & PostedQueue.NUMBER_MASK, status, told, immediate, length);
        }
    }

    /** Recovers the connection if both sides want that; its queue pair has failed, which is not the peer's fault. */
    void lose(int errno) {
        if (!state.isLost() && !state.isRecovering() && !recovery.begin()) {
            fail(errno);
        }
    }

    /** Ends the connection because the peer violates the protocol or is gone. */
    public void fail(int errno) {
        if (state.fail(errno, System.nanoTime())) {
            posts.fail();
            rails.failAll();
            transfers.addEnding(this);
        }
    }

    /** Handles the peer's message that it leaves. */
    void peerLeft() {
        state.peerLeft();
        fail(Errno.ECONNRESET);
    }

    /** Notifies the peer and ends the connection from this side. Transfers in flight end with the errno. */
    public void close(int errno) {
        if (!state.isOpen()) {
            return;
        }
        boolean tell = state.isUp();
        state.close(errno, System.nanoTime());
        if (tell) {
            transfers.addEnding(this);
            activate();
        } else {
            fail(errno);
        }
    }

    /** Whether the queue pair may be closed now. */
    public boolean isOver(long now) {
        boolean unused = receiver.pollRing(); // counts everything that the peer has sent
        if (state.isTold(posted.isEmpty(), now)) {
            fail(state.errno());
        }
        return state.isOver(posted.isSettled() && receiver.isEmpty() && rails.areSettled(), now);
    }

    /** Ends all transfers when the queue pair is closed or everything has completed; no memory is accessed any more. */
    void end() {
        state.down();
        datagrams.close();
        int reason = state.errno();
        receiver.notifications().deliverLast();
        transfers.failAll(flying, reason);
        transfers.failAll(announced, reason);
        asker.fail(reason);
        answerer.fail(reason);
        transfers.failAll(data, reason);
        transfers.failAll(sends, reason);
        matcher.fail(reason);
        messages.clear();
        first.leaveLoad();
        rails.end();
        transfers.windows.forget(id);
    }

    /** The errno of its end; 0 if one side has closed it. */
    public int reason() {
        return state.reason();
    }

    /** Releases the memory after the queue pair is closed. */
    public void closeMemory() {
        landings.leave();
        home.close();
        landings.close();
    }
}
