/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa.ring;

import io.verbs4j.AddressHandle;
import io.verbs4j.Errno;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendBuilder;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.VerbsException;
import io.verbs4j.natives.lock.RingLock;
import io.verbs4j.rdmacore.object.BadWr;

/**
 * A send queue that Java writes: posts lists of work requests, and the requests of builders. Each request is validated
 * completely before the first byte of its descriptor is written: the ring is device memory, so the device may consume
 * what is written there, and it cannot be read back.
 */
public final class SendRing extends SendElements {
    private static final int FLAGS =
            SendFlags.FENCE | SendFlags.SIGNALED | SendFlags.SOLICITED | SendFlags.INLINE; // others are unknown
    private static final int POSSIBLE = SendFlags.SIGNALED | SendFlags.INLINE;

    private final RingLock lock;
    private final int allowed;
    private final int implied;
    private final int maxBatch;
    private final int maxSge;
    private boolean open;
    private boolean handedOver; // to device code, for good
    private int hints; // already shifted to their place beside the address handle number

    /** Creates a queue in memory shared with the device; nothing can be posted yet. */
    public SendRing(Setup s, RingLock lock) {
        super(s);
        this.lock = lock;
        allowed = (int) s.operations() & 0xff;
        implied = s.signalAll() ? SendFlags.SIGNALED : 0;
        maxBatch = Math.max(1, s.where().maxBatch());
        maxSge = s.maxSge();
    }

    /**
     * Sets the hints of requests posted from now on, {@link io.verbs4j.efadv.EfaProcessingHints} bits. The lock must be
     * held.
     */
    public void hint(int bits) {
        hints = bits << Short.SIZE;
    }

    /** Posts a list. Returns 0 or an errno. */
    public int post(SendWorkRequest first, SendWorkRequest[] badWr) {
        if (first != null) {
            boolean asOwner = lock.lock();
            try {
                if (open) {
                    return postOpen(first, badWr);
                }
                if (handedOver) {
                    return BadWr.tell(first, badWr, Errno.EBUSY);
                }
            } finally {
                lock.unlock(asOwner);
            }
        }
        return BadWr.tell(first, badWr, Errno.EINVAL);
    }

    private int postOpen(SendWorkRequest first, SendWorkRequest[] badWr) {
        SendWorkRequest wr = first;
        fence();
        if (wr.next() == null) { // most lists have one request
            int error = write(wr, false);
            if (error == 0) {
                ring();
                return 0;
            }
            return BadWr.tell(wr, badWr, error);
        }
        int error = 0;
        int begun = written();
        int rung = begun;
        do {
            int ah = number(wr.ah());
            int left = ids.most() - (written() - begun); // limits a cyclic list, even if another thread polls
            if (ah >= 0) {
                int room = Math.min(Math.min(ids.room(), left), maxBatch - (written() - rung));
                wr = putPlain(wr, ah | hints, room);
            }
            if (written() - rung < maxBatch && wr != null) { // not a plain request, or the queue is full
                error = written() - begun == ids.most() ? Errno.ENOMEM : write(wr, false);
                if (error != 0) {
                    BadWr.tell(wr, badWr, error);
                    break;
                }
                wr = wr.next();
            }
            if (written() - rung == maxBatch && wr != null) {
                ring();
                fence();
                rung = written();
            }
        } while (wr != null);
        if (written() != rung) {
            ring();
        }
        return error;
    }

    /** Posts all requests of a builder, or none. Returns 0 or an errno. */
    public int post(SendBuilder built) {
        boolean asOwner = lock.lock();
        try {
            return open ? postOpen(built) : handedOver ? Errno.EBUSY : Errno.EINVAL;
        } finally {
            lock.unlock(asOwner);
        }
    }

    private int postOpen(SendBuilder built) {
        int count = built.count();
        int error = count == 1 ? 0 : refusal(built, count);
        if (error != 0) {
            return error;
        }
        int batch = 0;
        fence();
        for (int i = 0; i < count; i++) {
            error = write(built, i, false);
            if (error != 0) {
                break; // only the first request can fail, unless another thread uses the builder as well
            }
            if (++batch == maxBatch) {
                ring();
                fence();
                batch = 0;
            }
        }
        if (batch != 0) {
            ring();
        }
        return error;
    }

    /** Returns 0 if all requests can be posted, otherwise the errno of the first that cannot. */
    private int refusal(SendBuilder built, int count) {
        int room = ids.room();
        for (int i = 0; i < count; i++) {
            int error = i < room ? write(built, i, true) : Errno.ENOMEM;
            if (error != 0) {
                return error;
            }
        }
        return 0;
    }

    // ---- one request: validated, and written unless this is a dry run

    private int write(SendWorkRequest wr, boolean dry) {
        int opcode = wr.opcode();
        int flags = wr.sendFlags();
        int refused = refusal(opcode, flags, dry);
        if (refused != 0) {
            return refused;
        }
        int ah = number(wr.ah());
        ScatterGatherElement[] list = wr.sgList();
        int count = wr.numSge();
        if (ah < 0 || count < 0 || count > maxSge || (list == null ? 0 : list.length) < count) {
            return Errno.EINVAL;
        }
        long target = Descriptor.words(wr.remoteQkey(), wr.remoteQpn());
        if (count == 1) {
            ScatterGatherElement e = list[0];
            if (e == null) {
                return Errno.EINVAL;
            }
            return writeOne(
                    opcode,
                    flags,
                    wr.wrId(),
                    Descriptor.words(wr.immData(), ah | hints),
                    target,
                    wr.rkey(),
                    wr.remoteAddr(),
                    e.lkey(), // read once each, so that the checked values are those written
                    e.addr(),
                    e.length(),
                    dry);
        }
        return writeList(wr, opcode, flags, Descriptor.words(wr.immData(), ah | hints), target, list, count, dry);
    }

    private int write(SendBuilder built, int i, boolean dry) {
        int opcode = built.opcode(i);
        int flags = built.sendFlags(i) | (built.isInline(i) ? SendFlags.INLINE : 0);
        int refused = refusal(opcode, flags, dry);
        if (refused != 0) {
            return refused;
        }
        if (!built.isAddressed(i) || built.isVendorAddressed(i) || built.namesSrq(i)) {
            return built.isVendorAddressed(i) ? Errno.EOPNOTSUPP : Errno.EINVAL;
        }
        int ah = number(built.ah(i));
        if (ah < 0) {
            return Errno.EINVAL;
        }
        long imm = Descriptor.words(built.immData(i), ah | hints);
        long target = Descriptor.words((int) built.remoteKey(i), built.remoteNum(i));
        if (built.numSge(i) == 1) {
            return writeOne(
                    opcode,
                    flags,
                    built.wrId(i),
                    imm,
                    target,
                    built.rkey(i),
                    built.remoteAddr(i),
                    built.lkey(i),
                    built.addr(i),
                    built.length(i),
                    dry);
        }
        SendWorkRequest wr = built.numSge(i) > maxSge ? null : built.request(i);
        if (wr == null) {
            return built.numSge(i) > maxSge ? Errno.EINVAL : Errno.ENOMEM;
        }
        return writeList(wr, opcode, flags, imm, target, wr.sgList(), wr.numSge(), dry);
    }

    /** Returns 0 if the queue pair can send an opcode with these flags and has room for it, otherwise an errno. */
    private int refusal(int opcode, int flags, boolean dry) {
        if ((opcode & ~7 | flags & ~FLAGS) != 0 || (allowed >>> opcode & 1) == 0) {
            return Errno.EOPNOTSUPP;
        }
        if (((flags | implied) & SendFlags.SIGNALED) == 0 || (flags & ~POSSIBLE) != 0) {
            return Errno.EINVAL; // like libefa: every request is signaled, and none can wait for another
        }
        return !dry && ids.isFull() ? Errno.ENOMEM : 0;
    }

    /**
     * Returns the device's number of an address handle; negative unless the handle is open and of this protection
     * domain.
     */
    private int number(AddressHandle ah) {
        return ah instanceof EfaAddressHandle known
                        && (ah.pd() == pd || ah.pd().base() == pd)
                        && known.ibv.pin().isOpen()
                ? known.number
                : -1;
    }

    private int writeOne(
            int opcode,
            int flags,
            long wrId,
            long immAndHandle,
            long target,
            int rkey,
            long remoteAddr,
            int lkey,
            long addr,
            int length,
            boolean dry) {
        boolean sends = Descriptor.isSend(opcode);
        if (length < 0) {
            return Errno.EINVAL;
        }
        if ((flags & SendFlags.INLINE) == 0) {
            if (!dry) {
                putOne(opcode, wrId, immAndHandle, target, rkey, remoteAddr, lkey, addr, length);
            }
            return 0;
        }
        if (!canInline(opcode)) {
            return Errno.EINVAL;
        }
        long to = begin(sends, rkey, remoteAddr);
        if (copyIn(to, lkey, addr, length, maxInline) < 0) {
            return Errno.EINVAL;
        }
        if (!dry) {
            end(sends, length);
            putGathered(opcode, wrId, immAndHandle, target, Descriptor.INLINE, length);
        }
        return 0;
    }

    /** Writes a request with no elements, or with several. */
    private int writeList(
            SendWorkRequest wr,
            int opcode,
            int flags,
            long immAndHandle,
            long target,
            ScatterGatherElement[] list,
            int count,
            boolean dry) {
        boolean sends = Descriptor.isSend(opcode);
        boolean inline = (flags & SendFlags.INLINE) != 0;
        if (inline && !canInline(opcode) || !sends && !inline && count > 1) {
            return Errno.EINVAL;
        }
        long to = begin(sends, wr.rkey(), wr.remoteAddr());
        int total = 0;
        for (int i = 0; i < count; i++) {
            ScatterGatherElement e = list[i];
            int length = e == null ? -1 : e.length();
            if (length < 0) {
                return Errno.EINVAL;
            }
            if (!inline) {
                to = piece(to, e.lkey(), e.addr(), length);
                continue;
            }
            int copied = copyIn(to, e.lkey(), e.addr(), length, maxInline - total);
            if (copied < 0) {
                return Errno.EINVAL;
            }
            to += copied;
            total += copied;
        }
        if (!dry) {
            end(sends, total);
            putGathered(
                    opcode, wr.wrId(), immAndHandle, target, inline ? Descriptor.INLINE : 0, inline ? total : count);
        }
        return 0;
    }

    /** Sets whether requests can be posted. The lock must be held. */
    public void setOpen(boolean value) {
        open = value && !handedOver && isThere();
    }

    /**
     * Hands the queue over to device code, for good. Posting fails with EBUSY from then on.
     *
     * @return where the queue is, and where it stands
     * @throws VerbsException {@link Errno#EOPNOTSUPP} if the queue has no ring; {@link Errno#EBUSY} if requests are
     *     outstanding or the queue was handed over before
     */
    public HandedSends handOver() {
        boolean asOwner = lock.lock();
        try {
            if (!isThere()) {
                throw new VerbsException(Errno.EOPNOTSUPP, HandedSends.VERB, "the queue pair has no send queue");
            }
            if (handedOver) {
                throw new VerbsException(Errno.EBUSY, HandedSends.VERB, "device code already has this queue pair");
            }
            if (!ids.isEmpty()) {
                throw new VerbsException(
                        Errno.EBUSY, HandedSends.VERB, "requests are outstanding; poll their completions first");
            }
            handedOver = true;
            open = false;
            return handed(allowed, maxBatch);
        } finally {
            lock.unlock(asOwner);
        }
    }

    /** Returns whether device code has the queue. */
    public boolean isHandedOver() {
        boolean asOwner = lock.lock();
        try {
            return handedOver;
        } finally {
            lock.unlock(asOwner);
        }
    }

    /** Rings the doorbell for device code: the device may read the descriptors before index {@code upTo}. */
    public void ringFor(long upTo) {
        boolean asOwner = lock.lock();
        try {
            ringFor((int) upTo);
        } finally {
            lock.unlock(asOwner);
        }
    }
}
