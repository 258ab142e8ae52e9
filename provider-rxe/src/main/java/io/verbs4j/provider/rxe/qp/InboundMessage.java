/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.qp;

import io.verbs4j.AccessFlags;
import io.verbs4j.CompCntrOps;
import io.verbs4j.TmHeader;
import io.verbs4j.WcFlags;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.rxe.memory.KeyMemory;
import io.verbs4j.provider.rxe.memory.MemoryKey;
import io.verbs4j.provider.rxe.memory.RemoteMemory;
import io.verbs4j.provider.rxe.queue.RecvWqe;
import io.verbs4j.provider.rxe.queue.ScatterList;
import io.verbs4j.provider.rxe.queue.TaggedMessage;
import io.verbs4j.provider.rxe.wire.Opcode;
import io.verbs4j.provider.rxe.wire.Packet;
import java.lang.invoke.VarHandle;

/**
 * The SEND or RDMA WRITE that a connected queue pair is receiving: stores its packets where they belong. Guarded by the
 * receive lock.
 *
 * <p>Keys are looked up for each packet, so that a region that is deregistered in the middle of a message is not
 * touched any more.
 */
public final class InboundMessage {
    /** The packet was accepted. */
    public static final int OK = 0;

    /** No receive work request is available; nothing has changed. */
    public static final int NOT_READY = 1;

    /** The packet is not valid here, has the wrong length, or the queue pair does not grant the right. */
    public static final int INVALID = 2;

    /** The request's key does not allow it. */
    public static final int ACCESS = 3;

    /** The receive work request is too small. */
    public static final int TOO_LONG = 4;

    /** The receive work request's keys do not allow it. */
    public static final int PROTECTION = 5;

    /** It names a shared receive queue that does not exist; treated as {@link #INVALID}. */
    public static final int NO_QUEUE = 6;

    /** The message has arrived, but its completion could not be reported. */
    public static final int UNTOLD = 7;

    /** The memory of its key has gone away. */
    public static final int GONE = 8;

    /**
     * The message was accepted and its receive completed with an error: the key to invalidate could not be invalidated.
     */
    public static final int NOT_INVALIDATED = 9;

    /** The data could not be fetched from the other process; treated as if the packet had not come. */
    public static final int LOST = 10;

    private static final int NONE = 0;
    private static final int SEND = 1;
    private static final int WRITE = 2;

    private final Inbox inbox;
    private final RecvWqe receive;
    private final int mtu;

    /** Matches messages to tagged buffers; null if the queue does not match tags. */
    private final TaggedMessage tagged;

    private boolean hasReceive;

    /** Number of leading bytes of the message that are not stored in the receive. */
    private int skipped;

    private int srqNum;

    /** The other process's queues that the message goes to; null for this process. */
    private RemoteQueues remote;

    private int kind;
    private long offset;

    // For an RDMA WRITE.
    private long address;
    private int rkey;
    private long total;

    /** Creates it, without a message. */
    public InboundMessage(Inbox inbox) {
        this.inbox = inbox;
        this.receive = inbox.newRecvWqe();
        this.mtu = inbox.mtu();
        this.tagged = inbox.newTaggedMessage();
    }

    /** Accepts a packet and, if it is the last one, completes the message; returns a constant of this class. */
    public int accept(Packet packet) {
        int opcode = packet.opcode();
        RemoteMemory there = packet.remote();
        int bytes = there == null ? packet.payloadLength() : (int) there.bytes();
        boolean start = Opcode.isStart(opcode);
        boolean end = Opcode.isEnd(opcode);
        int packetKind = Opcode.isSend(opcode) ? SEND : Opcode.isWrite(opcode) ? WRITE : NONE;
        if (packetKind == NONE || kind != (start ? NONE : packetKind) || !mayCome(opcode)) {
            return INVALID;
        }
        if (there == null ? end ? bytes > mtu || bytes == 0 && !start : bytes != mtu : !end && bytes % mtu != 0) {
            return INVALID;
        }
        if (packetKind == WRITE && !inbox.grants(AccessFlags.REMOTE_WRITE)) {
            return INVALID;
        }
        if (start) {
            srqNum = packet.xrcSrqNum();
            if (!inbox.select(srqNum)) {
                return NO_QUEUE;
            }
        } else if (packet.xrcSrqNum() != srqNum) {
            return INVALID;
        }
        int result = take(packet, packetKind, bytes, start, end);
        if (result == OK) {
            offset += bytes;
            kind = end ? NONE : packetKind;
        }
        return result;
    }

    /** Only RC can invalidate keys: no window can be bound on the receiving side of XRC. */
    private static boolean mayCome(int opcode) {
        return !Opcode.hasIeth(opcode) || Opcode.service(opcode) == Opcode.RC;
    }

    private int take(Packet packet, int packetKind, int bytes, boolean start, boolean end) {
        remote = inbox.remote();
        if (remote != null) {
            return remote.accept(inbox.accessFlags(), packet);
        }
        return packetKind == SEND ? send(packet, bytes, start, end) : write(packet, bytes, start, end);
    }

    private int send(Packet packet, int bytes, boolean start, boolean end) {
        if (start) {
            int begun = tagged != null ? begin(packet, bytes, end) : hasReceive() ? OK : NOT_READY;
            if (begun != OK) {
                return begun;
            }
            offset = 0;
        }
        if (offset + bytes - skipped > receive.data.total()) {
            return TOO_LONG;
        }
        int skip = start ? skipped : 0;
        int copied = bytes == skip ? ScatterList.OK : scatter(packet, offset + skip - skipped, skip, bytes - skip);
        if (copied != ScatterList.OK) {
            return copied == ScatterList.OTHER_NOT_ALLOWED ? LOST : PROTECTION;
        }
        return end ? complete(packet, WcOpcode.RECV, offset + bytes) : OK;
    }

    /** Finds the buffer for a message by its headers. */
    private int begin(Packet packet, int bytes, boolean end) {
        if (hasReceive) { // the first packet came before, but its data could not be fetched
            return OK;
        }
        int headers = Math.min(bytes, TmHeader.RNDV_LENGTH);
        if (packet.remote() == null) {
            NativeMemory.copy(packet.payload(), tagged.header(), headers);
        } else if (!packet.remote().fetch(0, tagged.header(), headers)) {
            return LOST;
        }
        switch (tagged.begin(bytes, end, end && bytes <= mtu, receive)) {
            case TaggedMessage.BEGUN:
                hasReceive = true;
                skipped = tagged.skipped();
                return OK;
            case TaggedMessage.NOT_READY:
                return NOT_READY;
            default:
                return INVALID;
        }
    }

    /** Copies a part of a packet, without its first {@code skip} bytes, to offset {@code to} of the receive. */
    private int scatter(Packet packet, long to, int skip, int bytes) {
        RemoteMemory there = packet.remote();
        return there == null
                ? receive.data.scatter(inbox.keys(), inbox.pd(), to, packet.payload() + skip, bytes)
                : receive.data.scatter(inbox.keys(), inbox.pd(), to, skip == 0 ? there : tagged.rest(there));
    }

    private int write(Packet packet, int bytes, boolean start, boolean end) {
        if (start) {
            address = packet.rethVa();
            rkey = packet.rethRkey();
            total = packet.rethLength();
            offset = 0;
            if (total > RxeQp.MAX_MESSAGE) {
                return INVALID;
            }
        }
        long left = total - offset;
        if (end ? bytes != left : bytes >= left) {
            return INVALID;
        }
        MemoryKey key = null;
        if (bytes > 0) { // a write of 0 bytes needs no key
            VarHandle.releaseFence(); // whoever sees the bytes of this packet also sees earlier ones
            // The first packet's check covers the whole message: nothing is written unless all of it may be.
            key = pin(start ? total : bytes);
            if (key == null) {
                return ACCESS;
            }
        }
        boolean immediate = Opcode.hasImmDt(packet.opcode());
        boolean ready = !immediate || hasReceive();
        int copied = KeyMemory.OK;
        if (key != null) {
            try {
                if (ready) {
                    copied = copy(packet, key, bytes);
                }
            } finally {
                key.unpin();
            }
        }
        if (!ready) {
            return NOT_READY;
        }
        if (copied != KeyMemory.OK) {
            return copied == KeyMemory.GONE ? GONE : LOST;
        }
        if (end) {
            inbox.taken(CompCntrOps.REMOTE_RDMA_WRITE, total);
        }
        return immediate ? complete(packet, WcOpcode.RECV_RDMA_WITH_IMM, total) : OK;
    }

    private int copy(Packet packet, MemoryKey key, int bytes) {
        if (packet.remote() != null) {
            return KeyMemory.fetch(packet.remote(), 0, key, address + offset, bytes);
        }
        return KeyMemory.copy(null, packet.payload(), key, address + offset, bytes) ? KeyMemory.OK : KeyMemory.GONE;
    }

    private MemoryKey pin(long bytes) {
        return inbox.pin(rkey, address + offset, bytes, AccessFlags.REMOTE_WRITE);
    }

    private boolean hasReceive() {
        if (!hasReceive) {
            hasReceive = inbox.takeReceive(receive);
        }
        return hasReceive;
    }

    private int complete(Packet packet, int opcode, long bytes) {
        boolean immediate = Opcode.hasImmDt(packet.opcode());
        boolean invalidates = Opcode.hasIeth(packet.opcode());
        if (invalidates && !inbox.keys().invalidate(packet.invalidateRkey(), inbox.windows(), inbox.pd())) {
            fail(WcStatus.REM_INV_REQ_ERR);
            return NOT_INVALIDATED;
        }
        hasReceive = false;
        int flags = immediate ? WcFlags.WITH_IMM : invalidates ? WcFlags.WITH_INV : 0;
        int immData = immediate ? packet.immData() : invalidates ? packet.invalidateRkey() : 0;
        if (tagged != null && opcode == WcOpcode.RECV) {
            if (tagged.complete(receive, bytes, flags, immData, packet.solicited())) {
                inbox.serviceSoon();
            }
            return OK;
        }
        boolean told = inbox.completeReceive(
                receive, WcStatus.SUCCESS, opcode, (int) bytes, flags, immData, 0, packet.solicited());
        return told ? OK : UNTOLD;
    }

    /** Returns whether some packets of a message have come, but not the last. */
    public boolean isUnderWay() {
        return kind != NONE;
    }

    /** Completes the receive work request with an error, if one was taken. */
    public void fail(int status) {
        kind = NONE;
        if (remote != null) {
            remote.fail(status);
            remote = null;
        }
        if (hasReceive) {
            hasReceive = false;
            inbox.completeReceive(receive, status, WcOpcode.RECV, 0, 0, 0, 0, false);
        }
    }

    /** Forgets the message; the receive work request is kept for the next one. */
    public void abandon() {
        kind = NONE;
    }

    /** Forgets the message and the receive work request. */
    public void forget() {
        kind = NONE;
        hasReceive = false;
    }
}
