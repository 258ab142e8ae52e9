/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import io.verbs4j.MemoryRegion;
import io.verbs4j.bulk.control.RailKeys;
import io.verbs4j.bulk.memory.RegisteredMemory;
import io.verbs4j.bulk.memory.RemoteWindow;
import io.verbs4j.bulk.ring.EntryCode;

/** One submitted entry, from submission to its final completion. Used again afterwards. */
final class Transfer {
    /** Where a transfer stands. */
    enum Phase {
        /** Waits for the entry before it in its chain. */
        CHAINED,
        /** May be started. */
        READY,
        /** Waits for its turn to be posted, or is posted in part. */
        QUEUED,
        /** A message that the peer was told of, and has not read yet. */
        ANNOUNCED,
        /** Bytes that the peer was asked to write, and has not written all. */
        ASKED,
        /** A receive that waits for its message. */
        MATCHING,
        /** All of it is posted, or nothing more is to be posted. */
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

    /** Of {@link #bufferIndex}, from the start on. */
    RegisteredMemory memory;

    long localOffset;
    long windowId;
    long remoteOffset;
    long value;

    /** Of COPY: where to. */
    RegisteredMemory target;

    /** {@link System#nanoTime()} of the deadline, if {@link #timed}. */
    long deadline;

    boolean timed;

    /** Of PUT and GET, when it is known: the peer's window. */
    RemoteWindow window;

    /** Where the bytes are at the peer. */
    long remoteAddress;

    int remoteKey;

    /** {@link Addresses#moves} of when the two were learned. */
    int learned;

    /** The connection whose peer is asked for them, or null. */
    Link locating;

    /** Of a matched RECV: keys by which rails reach the bytes. */
    final RailKeys ownRailKeys = new RailKeys();

    /** Of a long message: the peer was told the keys by which rails reach it. */
    boolean keysTold;

    /** Bytes went by a rail beside the connection's first queue pair. */
    boolean spread;

    /** Of a matched RECV, and of bytes that the peer wants to have written: the peer's transfer. */
    long remoteTransfer;

    /** Who has given it memory that the peer writes to, or null. */
    Landings landings;

    /** Chunk of {@link #landings}, or a region of its own; -1 and null where it has none. */
    int chunk = -1;

    MemoryRegion landing;

    /** Bytes that were posted. */
    long posted;

    /** Bytes that are where they belong. */
    long done;

    /** Requests and messages that were posted and have not completed. */
    int outstanding;

    /** The errno that it ends with, or 0. */
    int error;

    /** The peer was told at the end of the bytes, or is being told. */
    boolean notified;

    /** Bytes went through memory of the transport's. */
    boolean copied;

    /** Bytes were posted again after the connection was lost. */
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

    /** What the peer calls it by. */
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

    /** Whether its requests bring bytes here. */
    boolean isRead() {
        return opcode == EntryCode.GET || opcode == EntryCode.RECV;
    }

    boolean isMessage() {
        return opcode == EntryCode.SEND;
    }

    /** Size of the next piece; 0 where all is posted, or nothing more is to be posted. */
    int nextPiece(int pieceBytes) {
        return error != 0 ? 0 : (int) Math.min(pieceBytes, length - posted);
    }

    void piecePosted(int bytes) {
        posted += bytes;
        outstanding++;
    }

    /** A request or message of the transfer has completed. */
    void completed(int bytes, int errno) {
        outstanding--;
        if (errno == 0) {
            done += bytes;
        } else if (error == 0) {
            error = errno;
        }
    }

    /** Whether no request is under way, and none will be. */
    boolean isIdle() {
        return outstanding == 0 && (error != 0 || posted == length);
    }

    long localAddress(int device) {
        return memory.address(device) + localOffset;
    }

    /** Keys by which rails reach the bytes at the peer. */
    RailKeys railKeys() {
        return window == null ? ownRailKeys : window.railKeys();
    }

    /** Forgets all but its place. */
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
