/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.xrc;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.provider.rxe.memory.IntTable;
import io.verbs4j.provider.rxe.memory.MemoryKeys;
import io.verbs4j.provider.rxe.queue.RxeSrq;
import io.verbs4j.provider.rxe.random.KernelRandom;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** An XRC domain: the state that its handles in this process share, and its connections to other processes. */
public final class XrcDomainState {
    private static final int NUMBERS = 1 << 24;
    private static final int LOCAL_NUMBERS = 1 << Rendezvous.LOCAL_BITS;
    private static final int MOST = 1 << 20; // as in RxeLimits; keeps free numbers easy to find
    private static final long GREETING = TimeUnit.SECONDS.toNanos(5);

    /** The file, or null. */
    final DomainFile file;

    private final XrcDomains owner;
    private final Rendezvous rendezvous;
    private final Random random = new KernelRandom();
    private final IntTable<RxeSrq> srqs = new IntTable<>();
    private final IntTable<RxeXrcQp> targets = new IntTable<>();
    private final Set<FrameChannel> guests = ConcurrentHashMap.newKeySet();
    private volatile boolean ended;

    /** Guarded by the lock of {@link XrcDomains}. */
    int handles;

    /** Creates a domain; {@code rendezvous} is null if other processes cannot share it. */
    XrcDomainState(XrcDomains owner, DomainFile file, Rendezvous rendezvous) {
        this.owner = owner;
        this.file = file;
        this.rendezvous = rendezvous;
    }

    /** Begins to accept connections of other processes. */
    void listen() {
        owner.threads().execute(() -> rendezvous.accept(this::welcome));
    }

    /** Returns the shared receive queue with a number, or null. */
    public RxeSrq srq(int number) {
        return srqs.get(number);
    }

    /** Assigns a new number to a shared receive queue and registers the queue. */
    public void add(RxeSrq srq) {
        int most = rendezvous == null ? MOST : LOCAL_NUMBERS - 1;
        if (srqs.size() >= most) {
            throw new VerbsException(
                    Errno.ENOMEM, "create_srq_ex", "the domain already has " + most + " queues, which is the limit");
        }
        do {
            // Programs use 0 for "none".
            srq.number(
                    rendezvous == null
                            ? 1 + random.nextInt(NUMBERS - 1)
                            : rendezvous.prefix() << Rendezvous.LOCAL_BITS | 1 + random.nextInt(LOCAL_NUMBERS - 1));
        } while (!srqs.putIfAbsent(srq.number(), srq));
    }

    /** Removes a shared receive queue. */
    public void remove(RxeSrq srq) {
        srqs.remove(srq.number());
    }

    /** Returns the queue pair with a number, or null. */
    RxeXrcQp target(int number) {
        return targets.get(number);
    }

    void add(RxeXrcQp target) {
        targets.putIfAbsent(target.qpNum(), target);
    }

    void remove(RxeXrcQp target) {
        targets.remove(target.qpNum());
    }

    // ---- other processes

    /** {@return the meeting place with other processes; null if the domain is not shared} */
    Rendezvous rendezvous() {
        return rendezvous;
    }

    /** Returns whether a number belongs to another process's queue. */
    boolean isForeign(int srqNum) {
        return rendezvous != null && srqNum >>> Rendezvous.LOCAL_BITS != rendezvous.prefix();
    }

    MemoryKeys keys() {
        return owner.keys();
    }

    Executor threads() {
        return owner.threads();
    }

    XrcDomains owner() {
        return owner;
    }

    private void welcome(SocketChannel channel) throws IOException {
        FrameChannel frames = new FrameChannel(channel);
        boolean complete = false;
        try {
            guests.add(frames);
            owner.threads().execute(() -> entertain(frames));
            complete = true;
        } finally {
            if (!complete) {
                guests.remove(frames);
                frames.close();
            }
        }
    }

    private void entertain(FrameChannel frames) {
        try {
            if (!ended) { // otherwise nothing would close the connection
                converse(frames);
            }
        } catch (IOException | RuntimeException e) {
            // The peer went away or sent an invalid frame: either way its connection ends.
        } finally {
            guests.remove(frames);
            frames.close();
        }
    }

    private void converse(FrameChannel frames) throws IOException {
        switch (frames.receive(GREETING)) {
            case FrameType.HELLO -> XrcService.serve(frames, this);
            case FrameType.OPEN -> XrcGuest.serve(frames, this);
            default -> {
                // unknown peer
            }
        }
    }

    /** Ends the domain after its last handle was closed. */
    void end() {
        ended = true;
        if (rendezvous != null) {
            rendezvous.close();
            guests.forEach(FrameChannel::close);
        }
        if (file != null) {
            file.close(); // after this, another file may get the same key
        }
    }
}
