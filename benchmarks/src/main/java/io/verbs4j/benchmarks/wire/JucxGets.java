/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.wire;

import io.verbs4j.benchmarks.harness.Contents;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.openucx.jucx.ucp.UcpMemory;
import org.openucx.jucx.ucp.UcpRemoteKey;

/**
 * Gets of UCX, from memory that the program at the other end allocated. That program polls: without it, UCX does not
 * answer gets.
 */
final class JucxGets implements Transport {
    private final int size;
    private final JucxEnd end;
    private final Places places;
    private final ByteBuffer done = Contents.allocate(1);
    private final UcpMemory memory;
    private final UcpRemoteKey key;
    private final long source;
    private final long target;

    JucxGets(Link link, int size) throws IOException {
        this.size = size;
        places = new Places(size);
        end = new JucxEnd(link, size);
        memory = end.register(places.memory());
        key = end.exchangeKeys(link, memory);
        target = memory.getAddress();
        source = Long.parseLong(link.exchange(Long.toString(target + places.sourceOffset())));
        link.exchange("connected");
    }

    @Override
    public void prepare(long seed) {
        places.prepare(seed);
    }

    @Override
    public void send(long messages) throws IOException {
        for (long i = 0; i < messages; i++) {
            end.makeRoom();
            end.add(end.get(source, key, target + i % places.count() * size, size));
        }
        end.drain();
        end.await(end.send(done));
    }

    @Override
    public void receive(long messages) throws IOException {
        end.await(end.receive(done));
    }

    @Override
    public boolean isRead() {
        return true;
    }

    @Override
    public void check(long messages) {
        places.check(messages, false);
    }

    @Override
    public void close() throws IOException {
        key.close();
        memory.close();
        end.close();
    }
}
