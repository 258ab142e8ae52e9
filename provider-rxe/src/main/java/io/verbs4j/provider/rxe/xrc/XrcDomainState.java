/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.xrc;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.provider.rxe.memory.IntTable;
import io.verbs4j.provider.rxe.memory.MemoryKeys;
import io.verbs4j.provider.rxe.queue.RxeSharedReceiveQueue;
import io.verbs4j.provider.rxe.random.KernelRandom;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** An XRC domain: what its handles in this process share, and its connections to other processes. */
public final class XrcDomainState {
    private static final int NUMBERS = 1 << 24;
    private static final int LOCAL_NUMBERS = 1 << Rendezvous.LOCAL_BITS;
    private static final int MOST = 1 << 20; // as RxeLimits has it; so a free number is found soon
    private static final long GREETING = TimeUnit.SECONDS.toNanos(5);

    /** The file, or null. */
    final DomainFile file;

    private final XrcDomains owner;
    private final Rendezvous rendezvous;
    private final Random random = new KernelRandom();
    private final IntTable<RxeSharedReceiveQueue> srqs = new IntTable<>();
    private final IntTable<XrcTarget> targets = new IntTable<>();
    private final Set<FrameChannel> guests = ConcurrentHashMap.newKeySet();
    private volatile boolean ended;

    /** Guarded by the lock of {@link XrcDomains}. */
    int handles;

    /** Makes a domain; {@code rendezvous} is null where other processes can't share it. */
    XrcDomainState(XrcDomains owner, DomainFile file, Rendezvous rendezvous) {
        this.owner = owner;
        this.file = file;
        this.rendezvous = rendezvous;
    }

    /** Begins to listen to other processes. */
    void listen() {
        owner.threads().execute(() -> rendezvous.accept(this::welcome));
    }

    /** The shared receive queue of a number, or null. */
    public RxeSharedReceiveQueue srq(int number) {
        return srqs.get(number);
    }

    /** Makes a shared receive queue known under a new number, which it is told. */
    public void add(RxeSharedReceiveQueue srq) {
        int most = rendezvous == null ? MOST : LOCAL_NUMBERS - 1;
        if (srqs.size() >= most) {
            throw new VerbsException(Errno.ENOMEM, "create_srq_ex", "the domain has " + most + " queues already");
        }
        do {
            // Programs take 0 for "none".
            srq.number(
                    rendezvous == null
                            ? 1 + random.nextInt(NUMBERS - 1)
                            : rendezvous.prefix() << Rendezvous.LOCAL_BITS | 1 + random.nextInt(LOCAL_NUMBERS - 1));
        } while (!srqs.putIfAbsent(srq.number(), srq));
    }

    /** Forgets a shared receive queue. */
    public void remove(RxeSharedReceiveQueue srq) {
        srqs.remove(srq.number());
    }

    /** The queue pair of a number, or null. */
    XrcTarget target(int number) {
        return targets.get(number);
    }

    void add(XrcTarget target) {
        targets.putIfAbsent(target.qpNum(), target);
    }

    void remove(XrcTarget target) {
        targets.remove(target.qpNum());
    }

    // ---- other processes

    /** How to find other processes; null where there are none. */
    Rendezvous rendezvous() {
        return rendezvous;
    }

    /** Whether a number is of another process's queue. */
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
            if (!ended) { // or nobody would close the connection any more
                converse(frames);
            }
        } catch (IOException | RuntimeException e) {
            // It went away, or says what can't be understood: either way it is not listened to any more.
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
                // nobody that is known
            }
        }
    }

    /** The last handle was closed. */
    void end() {
        ended = true;
        if (rendezvous != null) {
            rendezvous.close();
            guests.forEach(FrameChannel::close);
        }
        if (file != null) {
            file.close(); // from now on its identity may be another file's
        }
    }
}
