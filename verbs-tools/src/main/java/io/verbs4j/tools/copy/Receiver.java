/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.copy;

import io.verbs4j.Context;
import io.verbs4j.VerbsException;
import io.verbs4j.bulk.BulkConfig;
import io.verbs4j.bulk.BulkEndpoint;
import io.verbs4j.bulk.BulkListener;
import io.verbs4j.bulk.BulkPeer;
import io.verbs4j.bulk.BulkProgress;
import io.verbs4j.tools.base.ToolException;
import io.verbs4j.tools.cm.CmFailures;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Waits for senders, and serves several at once, each in its own thread. */
final class Receiver implements BulkListener, AutoCloseable {
    private static final int MOST_SENDERS = 8;

    private final TargetFolder folder;
    private final Claims claims = new Claims();
    private final ReceiverLog log;
    private final CompletableFuture<Boolean> first = new CompletableFuture<>();

    /** A sender may arrive before the field of the endpoint is set. */
    private final CountDownLatch ready = new CountDownLatch(1);

    private final BulkEndpoint endpoint;
    private final Lanes lanes;
    private final BusyAnswers busy;

    private Receiver(TargetFolder folder, ReceiverLog log, Context context, InetSocketAddress address) {
        this.folder = folder;
        this.log = log;
        endpoint = BulkEndpoint.open(BulkConfig.of(context)
                .withProgress(BulkProgress.SERVICE)
                .withRecovery(0, TimeUnit.SECONDS) // the sender reconnects, and continues after what is verified
                .withAddress(address)
                .withListener(this));
        lanes = new Lanes(endpoint, MOST_SENDERS);
        busy = new BusyAnswers(endpoint, "the receiver is already serving " + MOST_SENDERS + " senders");
        ready.countDown();
    }

    /**
     * Starts to wait for senders.
     *
     * @param root the folder to write to
     * @param log where results and problems are reported
     * @param context the device; the caller closes it
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

    /** {@return whether it refuses further senders} */
    boolean isFull() {
        return lanes.areTaken();
    }

    /**
     * Waits for senders.
     *
     * @param once whether to return when one sender has no more files; otherwise it waits for ever
     * @return whether all files were received
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
        Lane lane;
        try {
            lane = lanes.take();
        } catch (VerbsException e) {
            log.say(peer, "not enough memory to serve it: " + e.getMessage());
            peer.close();
            return;
        }
        if (lane == null) {
            busy.add(peer);
            return;
        }
        Thread thread = new Thread(() -> serve(lane, peer), "copy-" + peer.id());
        thread.setDaemon(true);
        thread.start();
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
            lanes.give(lane, session.channel().close());
            if (done) {
                first.complete(!session.isFailed());
            }
        }
    }

    @Override
    public void close() {
        busy.close();
        endpoint.close();
    }
}
