/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import io.verbs4j.AccessFlags;
import io.verbs4j.Errno;
import io.verbs4j.MemoryRegion;
import io.verbs4j.VerbsException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Registered memory of a connection to which the peer writes requested bytes. Each landing is for one transfer: a
 * chunk, from which the bytes are copied, or, for more bytes than a chunk holds, a region of the program's own memory,
 * registered for that transfer.
 */
final class RegisteredLandings implements Landings {
    private static final System.Logger LOG = System.getLogger("io.verbs4j.bulk");
    private static final int CHUNKS = 16;
    private static final int ACCESS = AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE;

    /** Size of a chunk; more bytes are worth a registration. */
    static final int CHUNK_BYTES = 64 << 10;

    private final Link link;
    private final int[] free = new int[CHUNKS];
    private int freeCount;
    private ByteBuffer bytes;
    private MemoryRegion chunks;

    /** Transfers with their own region. */
    private final List<Transfer> apart = new ArrayList<>();

    RegisteredLandings(Link link) {
        this.link = link;
    }

    @Override
    public int open(Transfer transfer) {
        if (transfer.landings != null) {
            return 0;
        }
        try {
            if (transfer.length > CHUNK_BYTES) {
                register(transfer);
                apart.add(transfer);
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
            LOG.log(System.Logger.Level.DEBUG, "no memory for a peer's writes", e);
            return e.errno();
        }
    }

    private void register(Transfer transfer) {
        ByteBuffer part = transfer.memory.bytes().slice((int) transfer.localOffset, (int) transfer.length);
        transfer.landing = link.home().pd().regMr(part, ACCESS);
    }

    private void makeChunks() {
        if (chunks == null) {
            ByteBuffer memory = ByteBuffer.allocateDirect(CHUNKS * CHUNK_BYTES);
            chunks = link.home().pd().regMr(memory, ACCESS);
            bytes = memory;
            while (freeCount < CHUNKS) {
                free[freeCount] = freeCount++;
            }
        }
    }

    @Override
    public long address(Transfer transfer) {
        if (transfer.landing == null && chunks == null) {
            return 0; // the connection ends
        }
        return transfer.landing != null ? transfer.landing.addr() : chunks.addr() + (long) transfer.chunk * CHUNK_BYTES;
    }

    @Override
    public int key(Transfer transfer) {
        if (transfer.landing == null && chunks == null) {
            return 0;
        }
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
        } else {
            apart.remove(transfer);
        }
        if (transfer.landing != null) {
            close(transfer.landing);
            transfer.landing = null;
        }
        transfer.landings = null;
    }

    private void close(MemoryRegion region) {
        try {
            region.close();
        } catch (VerbsException e) {
            LOG.log(
                    link.load.isLost() ? System.Logger.Level.DEBUG : System.Logger.Level.WARNING,
                    "memory that a peer has written to stays registered",
                    e);
        }
    }

    @Override
    public int move() {
        try {
            if (bytes != null) {
                chunks = link.home().pd().regMr(bytes, ACCESS);
            }
            apart.forEach(this::register);
            return 0;
        } catch (VerbsException e) {
            LOG.log(System.Logger.Level.DEBUG, "no memory for a peer's writes through another device", e);
            return e.errno();
        }
    }

    @Override
    public void leave() {
        if (chunks != null) {
            close(chunks);
            chunks = null;
        }
        for (Transfer transfer : apart) {
            if (transfer.landing != null) {
                close(transfer.landing);
                transfer.landing = null;
            }
        }
    }

    @Override
    public void close() {
        if (chunks != null) {
            close(chunks);
        }
    }
}
