/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

import io.verbs4j.Gid;
import io.verbs4j.VerbsException;
import io.verbs4j.provider.rxe.link.Link;
import io.verbs4j.provider.rxe.link.TxBatch;
import io.verbs4j.provider.rxe.qp.AddressVector;
import java.util.List;

/**
 * A batch of datagrams for each local address that a queue pair sends from, borrowed while there are any. Guarded by
 * the send lock, except for construction, which opens the links so that posting opens none.
 */
final class UdOutputs {
    private final Link[] links;
    private final TxBatch[] batches;

    /** Opens the links of a port. That of index 0 must open; another address may be in use by another process. */
    UdOutputs(PacketHost port) {
        List<Gid> gids = port.gids();
        links = new Link[gids.size()];
        batches = new TxBatch[gids.size()];
        for (int i = 0; i < links.length; i++) {
            try {
                links[i] = port.link(gids.get(i));
                links[i].batches().reserve(1);
            } catch (VerbsException e) {
                if (i == 0) {
                    throw e;
                }
            }
        }
    }

    /** Returns whether there is a link with an address. */
    boolean has(Gid source) {
        for (Link link : links) {
            if (link != null && link.localGid().equals(source)) {
                return true;
            }
        }
        return false;
    }

    /** Returns the batch of a source address, or null if there is no link with it. */
    TxBatch batch(Gid source) {
        for (int i = 0; i < links.length; i++) {
            if (links[i] != null && links[i].localGid().equals(source)) {
                if (batches[i] == null) {
                    batches[i] = links[i].batches().take();
                }
                return batches[i];
            }
        }
        return null;
    }

    /**
     * Looks for a channel to a destination that bypasses packets: when its address handle is first used, and then at
     * most every 5 seconds.
     */
    void reach(AddressVector av, long now) {
        if (av.isNew(now)) {
            for (Link link : links) {
                if (link != null && link.localGid().equals(av.source())) {
                    link.wish(av.destination());
                }
            }
        }
    }

    void flush() {
        for (int i = 0; i < batches.length; i++) {
            TxBatch batch = batches[i];
            if (batch != null) {
                batch.flush();
                links[i].batches().give(batch);
                batches[i] = null;
            }
        }
    }
}
