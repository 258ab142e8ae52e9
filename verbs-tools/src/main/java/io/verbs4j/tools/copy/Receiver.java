/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.copy;

import io.verbs4j.Context;
import io.verbs4j.VerbsException;
import io.verbs4j.bulk.BulkBuffer;
import io.verbs4j.bulk.BulkConfig;
import io.verbs4j.bulk.BulkEndpoint;
import io.verbs4j.bulk.BulkListener;
import io.verbs4j.bulk.BulkPeer;
import io.verbs4j.bulk.BulkProgress;
import io.verbs4j.bulk.BulkRing;
import io.verbs4j.tools.ToolException;
import io.verbs4j.tools.cm.CmFailures;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Waits for senders, and serves several at once, each in a thread of its own. */
final class Receiver implements BulkListener, AutoCloseable {
    private static final int MOST_SENDERS = 8;
    private static final long LATER_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final TargetFolder folder;
    private final Claims claims = new Claims();
    private final ReceiverLog log;
    private final CompletableFuture<Boolean> first = new CompletableFuture<>();
    private final Deque<Lane> lanes = new ArrayDeque<>();

    /** A sender may be there before the endpoint is in its field. */
    private final CountDownLatch ready = new CountDownLatch(1);

    /** For senders that come when all lanes are taken: messages only, no blocks. */
    private final BulkRing busyRing;

    private final BulkBuffer busyMessages;

    private final BulkEndpoint endpoint;
    private int made;

    private Receiver(TargetFolder folder, ReceiverLog log, Context context, InetSocketAddress address) {
        this.folder = folder;
        this.log = log;
        endpoint = BulkEndpoint.open(BulkConfig.of(context)
                .withProgress(BulkProgress.SERVICE)
                .withAddress(address)
                .withListener(this));
        busyRing = endpoint.ring(CopySizes.RING);
        busyMessages = endpoint.allocate(CopyChannel.messageBytes());
        ready.countDown();
    }

    /**
     * Begins to wait for senders.
     *
     * @param root the folder to write to
     * @param log what to say
     * @param context the device, which stays the caller's
     * @param address where to listen
     */
    static Receiver listen(Path root, ReceiverLog log, Context context, InetSocketAddress address) {
        try {
            return new Receiver(new TargetFolder(root), log, context, address);
        } catch (VerbsException e) {
            throw CmFailures.of(e);
        } catch (IOException e) {
            throw ToolException.failed("can't use the folder " + root + ": " + e.getMessage(), e);
        }
    }

    /** {@return the port that it listens at} */
    int port() {
        return endpoint.address().getPort();
    }

    /**
     * Waits.
     *
     * @param once until one sender has no more files; else for ever
     * @return whether all of them were received
     */
    boolean await(boolean once) {
        return once ? first.join() : new CompletableFuture<Boolean>().join();
    }

    @Override
    public void peerUp(BulkPeer peer) {
        try {
            ready.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            peer.close();
            return;
        }
        Lane lane = lane();
        if (lane == null) {
            turnAway(peer);
            return;
        }
        Thread thread = new Thread(() -> serve(lane, peer), "copy-" + peer.id());
        thread.setDaemon(true);
        thread.start();
    }

    private synchronized Lane lane() {
        if (lanes.isEmpty() && made < MOST_SENDERS) {
            made++;
            return Lane.of(endpoint);
        }
        return lanes.poll();
    }

    private void serve(Lane lane, BulkPeer peer) {
        ReceiverSession session = new ReceiverSession(folder, claims, log, lane, peer);
        boolean done = false;
        try {
            session.serve();
            done = true;
        } catch (ConnectionLost e) {
            log.say(peer, e.getMessage());
        } catch (VerbsException e) {
            log.say(peer, String.valueOf(e.getMessage()));
        } finally {
            boolean free = session.channel().close();
            if (free) {
                synchronized (this) {
                    lanes.add(lane);
                }
            }
            if (done) {
                first.complete(!session.isFailed());
            }
        }
    }

    /** The calls to a listener come one after the other, so that there is one of these at a time. */
    private void turnAway(BulkPeer peer) {
        CopyChannel channel = new CopyChannel(busyRing, busyMessages, peer, slot -> {});
        try {
            channel.send(new Message.Busy("the receiver serves " + MOST_SENDERS + " senders already"));
            channel.flush();
            Message unused = channel.receive(LATER_NANOS); // it closes the connection then
        } catch (ConnectionLost e) {
            System.getLogger(Receiver.class.getName()).log(System.Logger.Level.DEBUG, "turned away: " + peer, e);
        } finally {
            boolean unused = channel.close();
        }
    }

    @Override
    public void close() {
        endpoint.close();
    }
}
