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

/** A connection to a peer: what it still has to do, and how it ends. */
public final class Link implements FairQueue.Flow {
    /** Bit of the identifiers of receives. */
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

    /** The device that it goes by; for the thread that drives. */
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

    /** A connection that is about to be made, by the device of a home, which it closes. Any thread may do so. */
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

    /** The link that a work request's identifier names. */
    public static int idOf(long wrId) {
        return (int) (wrId >>> NUMBER) & Integer.MAX_VALUE;
    }

    public int id() {
        return id;
    }

    /** What the program knows the connection by. */
    public Object attachment() {
        return attachment;
    }

    /** Changes {@link #attachment()}. */
    public void attachment(Object value) {
        attachment = value;
    }

    /** Whether it is a connection of that device. */
    public boolean isOf(DeviceLoad device) {
        return load == device;
    }

    /** Its share of its device. Any thread may ask. */
    public Home home() {
        return home;
    }

    /** It goes by another device from now on, to which it has no queue pair yet, or an empty one. */
    void move(Home to) {
        landings.leave();
        home.close();
        home = to;
        load = to.load();
        slots.use(to.slots());
        addresses.moved();
        int errno = landings.move();
        if (errno != 0 && !transfers.isLost(load, errno)) {
            fail(errno); // the peer has been told where to write, and can't any more
        }
    }

    /** Its device is lost, and its queue pair closed: gives back what it has of the device. */
    void leave() {
        landings.leave();
        home.close();
    }

    /** Its device is lost: nothing that was posted will complete. */
    public void deviceLost() {
        state.abandon();
        if (state.isClosing()) {
            fail(state.errno());
        } else if (!state.isConnecting()) { // else who makes it notices
            lose(Errno.ENODEV);
        }
    }

    /** A device has refused a request, or failed it: the connection is lost with the device, or ends. */
    void refused(int errno) {
        if (!transfers.isLost(load, errno)) {
            fail(Errno.EIO);
        }
    }

    /** The queue pair is there, and not connected yet: posts the receives, if it has some. Returns 0 or an errno. */
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

    /** Its queue pairs, if it goes by datagrams. */
    public LinkDatagrams datagrams() {
        return datagrams;
    }

    /** Where the peer writes what it was asked for. */
    Landings landings() {
        return landings;
    }

    /** How it is made again when it is lost. */
    public LinkRecovery recovery() {
        return recovery;
    }

    /** From now on requests go to another queue pair. */
    void post(Posts to) {
        posts = to;
    }

    /** It is connected, to a peer that has said so, and transfers are to be done so. */
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

    /** Whether messages are written by the peer. */
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

    /** The identifier of request 0 with a tag. */
    long requestId(int tag) {
        return (long) id << NUMBER | Integer.toUnsignedLong(tag);
    }

    /** More queue pairs of the connection. */
    public Rails rails() {
        return rails;
    }

    TransferEnds ends() {
        return ends;
    }

    /** Whether a lane may have a piece more under way. */
    boolean fits(Lane lane, int piece) {
        return lane.underWay() == 0 || lane.underWay() + piece <= limits.peerWindow();
    }

    LinkState state() {
        return state;
    }

    /** Has it looked at in the next round. */
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

    /** Posts what was gathered. */
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

    /** Sends a message when it may. */
    void message(int kind, long messageId, long a) {
        messages.add(kind, messageId, a, 0, 0, 0, null);
        activate();
    }

    /** Takes a transfer whose arguments are right. */
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

    /** No request of a transfer is under way, and none will be. */
    void idle(Transfer transfer) {
        ends.idle(transfer);
    }

    /** The device has completed a request with that part of its identifier, and all before it. */
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

    /** The device has completed a receive with that part of its identifier. */
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

    /** A request with that part of its identifier is done, and all before it. */
    void sent(int number, int status) {
        if (recovery.isOfNow(number)) {
            ends.sent(posted.number(number & PostedQueue.NUMBER_MASK), status);
        }
    }

    /** A message or a value has come in the slot of that part of an identifier, or nothing will. */
    void received(int number, int status, boolean told, int immediate, int length) {
        if (recovery.isOfNow(number) || status == 0 && recovery.adopts(number)) {
            receiver.received(number & PostedQueue.NUMBER_MASK, status, told, immediate, length);
        }
    }

    /** The queue pair has failed, for no fault of the peer's: recovers the connection, if both sides want that. */
    void lose(int errno) {
        if (!state.isLost() && !state.isRecovering() && !recovery.begin()) {
            fail(errno);
        }
    }

    /** The peer keeps no rules, or is gone: ends the connection. */
    public void fail(int errno) {
        if (state.fail(errno, System.nanoTime())) {
            posts.fail();
            rails.failAll();
            transfers.addEnding(this);
        }
    }

    /** The peer has said that it goes. */
    void peerLeft() {
        state.peerLeft();
        fail(Errno.ECONNRESET);
    }

    /** Ends the connection from this side, after the peer was told. What is under way ends with an errno. */
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
        boolean unused = receiver.pollRing(); // all that the peer has sent counts
        if (state.isTold(posted.isEmpty(), now)) {
            fail(state.errno());
        }
        return state.isOver(posted.isSettled() && receiver.isEmpty() && rails.areSettled(), now);
    }

    /** The queue pair is closed, or everything has completed: no memory of the program's is touched any more. */
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

    /** Why it has ended: an errno; 0 where one side has closed it. */
    public int reason() {
        return state.reason();
    }

    /** Gives the memory back, when the queue pair is closed. */
    public void closeMemory() {
        landings.leave();
        home.close();
        landings.close();
    }
}
