/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import io.verbs4j.Context;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.Resources;
import io.verbs4j.VerbsLevel;
import io.verbs4j.bulk.control.Hello;
import io.verbs4j.bulk.memory.MemoryTable;
import io.verbs4j.bulk.memory.WindowTable;
import io.verbs4j.bulk.strategy.Protocol;
import io.verbs4j.core.Verbs;

/** A connection whose requests are not carried out: the test is the peer. */
final class LinkHarness implements AutoCloseable {
    static final int PIECE = 4096;
    static final int SLOTS = 32;
    static final int SLOT_BYTES = 1024;

    /** Address of the peer's ring. */
    static final long RING = 1L << 41;

    final Resources resources = new Resources();
    final RecordingPosts posts = new RecordingPosts();
    final WindowTable windows = new WindowTable(Runnable::run);
    final Transfers transfers;
    final ProtectionDomain pd;
    final Link link;

    LinkHarness(Protocol protocol) {
        Context context = resources.add(Verbs.open(Verbs.devices().get(0), VerbsLevel.CURRENT));
        pd = resources.add(context.allocPd());
        Limits limits = new Limits(SLOTS, SLOT_BYTES, 128, PIECE, 16L * PIECE, 64L * PIECE);
        transfers = new Transfers(limits, new MemoryTable(), windows, new LinkTable());
        link = new Link(3, transfers, new Home(pd, new DeviceLoad(0, limits.deviceWindow()), () -> {}));
        posts.link = link;
        resources.add(link::closeMemory);
        int errno = link.prepare(posts, !protocol.ring());
        if (errno != 0) {
            throw new IllegalStateException("no receives: " + errno);
        }
        link.up(new Hello(Hello.VERSION, SLOTS, 1, 7, RING, 5, SLOT_BYTES, 0), protocol);
    }

    /** Lets the connection post as much as allowed. */
    void turn() {
        for (int i = 0; i < 5; i++) {
            boolean unused = transfers.advance();
        }
    }

    @Override
    public void close() {
        resources.close();
    }
}
