/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import io.verbs4j.MemoryRegion;
import io.verbs4j.bulk.control.RailKeys;
import io.verbs4j.bulk.memory.RegisteredMemory;
import io.verbs4j.bulk.memory.RemoteWindow;
import io.verbs4j.bulk.ring.EntryCode;

/** One submitted entry, from submission to its final completion. Reused afterwards. */
final class Transfer {
    /** State of a transfer. */
    enum Phase {
        /** Waits for the previous entry of its chain. */
        CHAINED,
        /** May be started. */
        READY,
        /** Waits for its turn to be posted, or is partly posted. */
        QUEUED,
        /** A message that was announced to the peer, which has not read it yet. */
        ANNOUNCED,
        /** The peer was asked to write the bytes and has not finished. */
        ASKED,
        /** A receive that waits for its message. */
        MATCHING,
        /** All of it is posted, or no more will be. */
        FLYING,
        /** A local copy. */
        COPYING
    }

    private static final int GENERATION = 32; // shift

    /** Place in the pool. */
    final int slot;

    int generation;
    Phase phase;

    Submitter ring;
    int opcode;
    int flags;
    int stream;
    int peer;
    long userData;
    long length;
    int bufferIndex;

    /** Memory of {@link #bufferIndex}, once the transfer is started. */
    RegisteredMemory memory;

    long localOffset;
    long windowId;
    long remoteOffset;
    long value;

    /** Of COPY: the destination. */
    RegisteredMemory target;

    /** Deadline in {@link System#nanoTime()}, if {@link #timed}. */
    long deadline;

    boolean timed;

    /** Of PUT and GET: the peer's window, once the transfer is submitted to its link. */
    RemoteWindow window;

    /** Address of the bytes at the peer. */
    long remoteAddress;

    int remoteKey;

    /** Value of {@link Addresses#moves} when address and key were learned. */
    int learned;

    /** The connection whose peer was asked for them, or null. */
    Link locating;

    /** Of a matched RECV: the rails' keys of the bytes. */
    final RailKeys ownRailKeys = new RailKeys();

    /** Of a long message: whether the peer was sent the rails' keys. */
    boolean keysTold;

    /** Whether bytes were posted to a rail other than the connection's own queue pair. */
    boolean spread;

    /** Of a matched RECV, and of bytes that the peer has requested: the peer's transfer. */
    long remoteTransfer;

    /** The landings with its memory that the peer writes to, or null. */
    Landings landings;

    /** Its chunk of {@link #landings}, or -1; its own region, or null. */
    int chunk = -1;

    MemoryRegion landing;

    /** Number of bytes posted. */
    long posted;

    /** Number of bytes transferred. */
    long done;

    /** Number of its requests and messages in flight. */
    int outstanding;

    /** The errno that it ends with, or 0. */
    int error;

    /** Whether the peer was notified, or is being notified, after the bytes. */
    boolean notified;

    /** Whether bytes were copied through memory of the transport. */
    boolean copied;

    /** Whether bytes were posted again after the connection was lost. */
    boolean replayed;

    Transfer chain;
    Transfer chainedBehind;

    TransferList list;
    Transfer next;
    Transfer previous;
    Transfer timerNext;
    Transfer timerPrevious;

    Transfer(int slot) {
        this.slot = slot;
    }

    /** The peer's name for it. */
    long id() {
        return (long) generation << GENERATION | slot;
    }

    static int slotOf(long id) {
        return (int) id;
    }

    static int generationOf(long id) {
        return (int) (id >>> GENERATION);
    }

    boolean has(int flag) {
        return (flags & flag) != 0;
    }

    /** Whether its requests move bytes to this side. */
    boolean isRead() {
        return opcode == EntryCode.GET || opcode == EntryCode.RECV;
    }

    boolean isMessage() {
        return opcode == EntryCode.SEND;
    }

    /** Returns the size of the next piece; 0 if all is posted, or no more will be. */
    int nextPiece(int pieceBytes) {
        return error != 0 ? 0 : (int) Math.min(pieceBytes, length - posted);
    }

    void piecePosted(int bytes) {
        posted += bytes;
        outstanding++;
    }

    /** Records the completion of one of its requests or messages. */
    void completed(int bytes, int errno) {
        outstanding--;
        if (errno == 0) {
            done += bytes;
        } else if (error == 0) {
            error = errno;
        }
    }

    /** Whether no request is in flight, now and later. */
    boolean isIdle() {
        return outstanding == 0 && (error != 0 || posted == length);
    }

    long localAddress(int device) {
        return memory.address(device) + localOffset;
    }

    /** The rails' keys of the bytes at the peer. */
    RailKeys railKeys() {
        return window == null ? ownRailKeys : window.railKeys();
    }

    /** Resets everything except its place. */
    void clear() {
        generation++;
        phase = null;
        ring = null;
        memory = null;
        target = null;
        window = null;
        timed = false;
        posted = 0;
        done = 0;
        outstanding = 0;
        error = 0;
        notified = false;
        copied = false;
        replayed = false;
        spread = false;
        keysTold = false;
        ownRailKeys.clear();
        landings = null;
        locating = null;
        chain = null;
        chainedBehind = null;
    }
}
