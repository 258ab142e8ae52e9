/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import io.verbs4j.AccessFlags;
import io.verbs4j.Errno;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.VerbsException;
import java.nio.ByteBuffer;

/**
 * Memory of a connection that the peer writes what it was asked for to. Each is for one transfer alone: a chunk, which
 * is copied from, or for more bytes than a chunk has a region over the program's own memory, made for that transfer.
 */
final class RegisteredLandings implements Landings {
    private static final System.Logger LOG = System.getLogger("io.verbs4j.bulk");
    private static final int CHUNKS = 16;
    private static final int ACCESS = AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE;

    /** Bytes of a chunk: more are worth a registration. */
    static final int CHUNK_BYTES = 64 << 10;

    private final Link link;
    private final ProtectionDomain pd;
    private final int[] free = new int[CHUNKS];
    private int freeCount;
    private ByteBuffer bytes;
    private MemoryRegion chunks;

    RegisteredLandings(Link link, ProtectionDomain pd) {
        this.link = link;
        this.pd = pd;
    }

    @Override
    public int open(Transfer transfer) {
        if (transfer.landings != null) {
            return 0;
        }
        try {
            if (transfer.length > CHUNK_BYTES) {
                ByteBuffer part = transfer.memory.bytes().slice((int) transfer.localOffset, (int) transfer.length);
                transfer.landing = pd.regMr(part, ACCESS);
            } else {
                makeChunks();
                if (freeCount == 0) {
                    return Errno.EAGAIN;
                }
                transfer.chunk = free[--freeCount];
            }
            transfer.landings = this;
            return 0;
        } catch (VerbsException e) {
            LOG.log(System.Logger.Level.DEBUG, "no memory for what a peer writes", e);
            return e.errno();
        }
    }

    private void makeChunks() {
        if (chunks == null) {
            bytes = ByteBuffer.allocateDirect(CHUNKS * CHUNK_BYTES);
            chunks = pd.regMr(bytes, ACCESS);
            while (freeCount < CHUNKS) {
                free[freeCount] = freeCount++;
            }
        }
    }

    @Override
    public long address(Transfer transfer) {
        return transfer.landing != null ? transfer.landing.addr() : chunks.addr() + (long) transfer.chunk * CHUNK_BYTES;
    }

    @Override
    public int key(Transfer transfer) {
        return transfer.landing != null ? transfer.landing.rkey() : chunks.rkey();
    }

    @Override
    public void deliver(Transfer transfer, int count) {
        if (transfer.chunk >= 0 && count > 0) {
            transfer.memory.bytes().put((int) transfer.localOffset, bytes, transfer.chunk * CHUNK_BYTES, count);
            transfer.copied = true;
        }
    }

    @Override
    public void close(Transfer transfer) {
        if (transfer.chunk >= 0) {
            free[freeCount++] = transfer.chunk;
            transfer.chunk = -1;
            link.activate(); // others may wait for it
        }
        if (transfer.landing != null) {
            close(transfer.landing);
            transfer.landing = null;
        }
        transfer.landings = null;
    }

    private static void close(MemoryRegion region) {
        try {
            region.close();
        } catch (VerbsException e) {
            LOG.log(System.Logger.Level.WARNING, "memory that a peer has written to stays registered", e);
        }
    }

    @Override
    public void close() {
        if (chunks != null) {
            close(chunks);
        }
    }
}
