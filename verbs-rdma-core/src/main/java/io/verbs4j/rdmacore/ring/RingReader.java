/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.ring;

import io.verbs4j.Errno;
import io.verbs4j.PollCqAttr;
import io.verbs4j.VerbsException;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.natives.lock.RingLock;
import io.verbs4j.rdmacore.object.CqReader;
import io.verbs4j.rdmacore.object.ReadingTurn;
import java.util.function.BooleanSupplier;

/**
 * Reads the completions of a ring in place. The current completion is a copy, made by the vendor's poll, unless the
 * vendor reads it in the ring. Its place stays valid, and is not returned to the device, before {@link #endPoll}: until
 * then the ring does not move to other memory, does not close, and returns nothing to the device.
 */
public class RingReader implements CqReader {
    private final CompletionRing ring;
    private final RingLock lock;
    private final ReadingTurn turn;
    private final BooleanSupplier overrun;
    private final WorkCompletion now = new WorkCompletion();
    private long current; // its address, 0 if none; valid for the reading thread while it reads

    /**
     * Creates the reader of a ring.
     *
     * @param overrun whether completions were lost
     */
    public RingReader(CompletionRing ring, BooleanSupplier overrun) {
        this.ring = ring;
        this.lock = ring.lock();
        this.turn = ring.turn();
        this.overrun = overrun;
    }

    /**
     * Takes the next completion, with the fields of reading in place. The lock is held.
     *
     * @param size number of later fields that the program knows
     * @return its address in the ring, or 0
     */
    protected long take(WorkCompletion to, int size) {
        to.expect(size);
        return ring.next(to);
    }

    /**
     * Makes the next completion current. The lock is held.
     *
     * @param to receives the fields that {@link #now} returns
     * @return its address in the ring, or 0
     */
    protected long advance(WorkCompletion to) {
        return take(to, WorkCompletion.SIZE);
    }

    /** Called before completions are taken. The lock is held. */
    protected void begin() {}

    /** {@return whether a completion is current and the calling thread is the reader} */
    public final boolean isCurrent() {
        return current != 0 && turn.isMine();
    }

    @Override
    public int startPoll(PollCqAttr attr) {
        if (attr != null && (attr.compMask() | attr.compMask2()) != 0 && !attr.hasOnly(0, 0)) {
            return Errno.EOPNOTSUPP;
        }
        do {
            boolean asOwner = lock.lock();
            try {
                if (ring.mayStartReading()) {
                    return start();
                }
                if (ring.isClosed()) {
                    return Errno.EINVAL;
                }
            } finally {
                lock.unlock(asOwner);
            }
        } while (ring.awaitTurn());
        return Errno.EBUSY;
    }

    private int start() {
        begin();
        current = advance(now);
        if (current != 0) {
            ring.startReading();
            return 0;
        }
        ring.giveBack(); // there may have been some of destroyed queue pairs
        return overrun.getAsBoolean() ? Errno.EOVERFLOW : Errno.ENOENT;
    }

    @Override
    public int nextPoll() {
        if (!turn.isMine()) {
            return Errno.EINVAL;
        }
        boolean asOwner = lock.lock();
        try {
            if (!turn.isMine()) {
                return Errno.EINVAL; // another thread has ended it meanwhile
            }
            current = advance(now);
            return current != 0 ? 0 : Errno.ENOENT;
        } finally {
            lock.unlock(asOwner);
        }
    }

    @Override
    public int endPoll() {
        if (!turn.isMine()) {
            return Errno.EINVAL;
        }
        boolean asOwner = lock.lock();
        try {
            if (!turn.isMine()) {
                return Errno.EINVAL; // another thread has ended it meanwhile
            }
            ring.endReading();
        } finally {
            lock.unlock(asOwner);
        }
        return 0;
    }

    @Override
    public int poll(int numEntries, WorkCompletion[] wc, int wcSize) {
        if (numEntries < 0 || wc == null || numEntries > wc.length) {
            return -Errno.EINVAL;
        }
        do {
            boolean asOwner = lock.lock();
            try {
                if (ring.isReady()) {
                    return pollOpen(numEntries, wc, wcSize);
                }
                if (ring.isClosed()) {
                    return -Errno.EINVAL;
                }
            } finally {
                lock.unlock(asOwner);
            }
        } while (ring.awaitTurn());
        return -Errno.EBUSY;
    }

    private int pollOpen(int numEntries, WorkCompletion[] wc, int wcSize) {
        begin();
        int taken = 0;
        while (taken < numEntries && wc[taken] != null && take(wc[taken], wcSize) != 0) {
            taken++;
        }
        ring.giveBack();
        if (taken > 0 || numEntries == 0) {
            return taken;
        }
        return wc[0] == null ? -Errno.EINVAL : overrun.getAsBoolean() ? -Errno.EOVERFLOW : 0;
    }

    // ---- the current completion

    /** Returns the fields of the current completion from {@link #advance}; throws EINVAL if there is none. */
    protected final WorkCompletion now() {
        current();
        return now;
    }

    /** Returns the address of the current completion; throws EINVAL if there is none. */
    protected final long current() {
        long at = current;
        if (at == 0 || !turn.isMine()) {
            throw new VerbsException(
                    Errno.EINVAL,
                    "start_poll",
                    "there is no current completion; startPoll or nextPoll must have returned 0");
        }
        return at;
    }

    @Override
    public boolean hasFailed() {
        return now.status() != WcStatus.SUCCESS;
    }

    @Override
    public long wrId() {
        return now().wrId();
    }

    @Override
    public int status() {
        return now().status();
    }

    @Override
    public int opcode() {
        return now().opcode();
    }

    @Override
    public int vendorErr() {
        return now().vendorErr();
    }

    @Override
    public int byteLen() {
        return now().byteLen();
    }

    @Override
    public int immData() {
        return now().immData();
    }

    @Override
    public int qpNum() {
        return now().qpNum();
    }

    @Override
    public int srcQp() {
        return now().srcQp();
    }

    @Override
    public int wcFlags() {
        return now().wcFlags();
    }

    @Override
    public int slid() {
        return now().slid();
    }

    @Override
    public int sl() {
        return now().sl();
    }

    @Override
    public int dlidPathBits() {
        return now().dlidPathBits();
    }

    @Override
    public long completionTs() {
        return now().completionTs();
    }

    @Override
    public long completionWallclockNs() {
        return now().completionWallclockNs();
    }
}
