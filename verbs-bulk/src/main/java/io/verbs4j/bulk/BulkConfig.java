/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk;

import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.bulk.control.ControlLayout;
import io.verbs4j.bulk.control.Hello;
import io.verbs4j.bulk.control.RailKeys;
import io.verbs4j.bulk.transfer.Limits;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * What an endpoint is opened with. Immutable: each {@code with} method returns a copy. What is not set keeps its
 * default.
 */
public final class BulkConfig {
    private static final int SLOTS = 32;
    private static final int SLOT_BYTES = 4096;
    private static final int MAX_SLOTS = 4096;
    private static final int MAX_SLOT_BYTES = 1 << 16;
    private static final int SEND_DEPTH = 128;
    private static final int PIECE_BYTES = 1 << 20;
    private static final int MIN_PIECE_BYTES = 4096;
    private static final int MAX_PIECE_BYTES = 1 << 30;
    private static final int PEER_PIECES = 16;
    private static final int DEVICE_PIECES = 64;
    private static final int MAX_RAILS = RailKeys.MOST + 1;
    private static final long SPIN_NANOS = 30_000;
    private static final long RECOVERY_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final List<Context> contexts;
    private InetSocketAddress address;
    private BulkProgress progress = BulkProgress.CALLER;
    private BulkConnections connections = BulkConnections.AUTOMATIC;
    private BulkListener listener = new BulkListener() {};
    private int slots = SLOTS;
    private int slotBytes = SLOT_BYTES;
    private int pieceBytes = PIECE_BYTES;
    private long spinNanos = SPIN_NANOS;
    private long recoveryNanos = RECOVERY_NANOS;
    private int rails = MAX_RAILS;

    private BulkConfig(List<Context> contexts) {
        this.contexts = contexts;
    }

    private BulkConfig(BulkConfig from) {
        contexts = from.contexts;
        address = from.address;
        progress = from.progress;
        connections = from.connections;
        listener = from.listener;
        slots = from.slots;
        slotBytes = from.slotBytes;
        pieceBytes = from.pieceBytes;
        spinNanos = from.spinNanos;
        recoveryNanos = from.recoveryNanos;
        rails = from.rails;
    }

    /**
     * A configuration with all defaults.
     *
     * @param contexts open devices, at least one, the preferred one first; they stay the program's, which closes them
     *     after the endpoint. The connections of one that is lost go by the others. The endpoint takes their
     *     asynchronous events
     * @return the configuration
     * @throws VerbsException {@link Errno#EINVAL} without a context
     */
    public static BulkConfig of(Context... contexts) {
        if (contexts.length == 0) {
            throw invalid("no context is given; open a device, for instance Verbs.defaultDevice()");
        }
        return new BulkConfig(List.of(contexts));
    }

    /**
     * Sets where the endpoint listens; nowhere by default.
     *
     * @param value the address; port 0 for one that is free, the wildcard for all addresses of the devices
     * @return a copy with it
     */
    public BulkConfig withAddress(InetSocketAddress value) {
        BulkConfig copy = new BulkConfig(this);
        copy.address = value;
        return copy;
    }

    /**
     * Sets who drives the endpoint; {@link BulkProgress#CALLER} by default.
     *
     * @param value who
     * @return a copy with it
     */
    public BulkConfig withProgress(BulkProgress value) {
        BulkConfig copy = new BulkConfig(this);
        copy.progress = require("progress", value);
        return copy;
    }

    /**
     * Sets how the endpoint connects with others; {@link BulkConnections#AUTOMATIC} by default.
     *
     * @param value how
     * @return a copy with it
     */
    public BulkConfig withConnections(BulkConnections value) {
        BulkConfig copy = new BulkConfig(this);
        copy.connections = require("connections", value);
        return copy;
    }

    /**
     * Sets the listener for peers that connect and disconnect; none by default.
     *
     * @param value the listener
     * @return a copy with it
     */
    public BulkConfig withListener(BulkListener value) {
        BulkConfig copy = new BulkConfig(this);
        copy.listener = require("listener", value);
        return copy;
    }

    /**
     * Sets how many messages a peer may send before it hears from this side; 32 by default.
     *
     * @param value 8 to 4096
     * @return a copy with it
     * @throws VerbsException {@link Errno#EINVAL} where the value is out of range
     */
    public BulkConfig withSlots(int value) {
        BulkConfig copy = new BulkConfig(this);
        copy.slots = require("slots", value, Hello.MIN_SLOTS, MAX_SLOTS);
        return copy;
    }

    /**
     * Sets the size of the memory for a message that comes; 4096 by default. Messages of up to 64 bytes less are copied
     * once, at the receiver; longer ones come without a copy, where the devices have READ. The smaller value of both
     * sides counts.
     *
     * @param value 64 to 65536
     * @return a copy with it
     * @throws VerbsException {@link Errno#EINVAL} where the value is out of range
     */
    public BulkConfig withSlotBytes(int value) {
        BulkConfig copy = new BulkConfig(this);
        copy.slotBytes = require("slotBytes", value, ControlLayout.SIZE, MAX_SLOT_BYTES);
        return copy;
    }

    /**
     * Sets the size of the pieces that long transfers are split into; 1048576 by default. A connection has 16 pieces
     * under way at a time, a device 64.
     *
     * @param value 4096 to 2 to the power of 30
     * @return a copy with it
     * @throws VerbsException {@link Errno#EINVAL} where the value is out of range
     */
    public BulkConfig withPieceBytes(int value) {
        BulkConfig copy = new BulkConfig(this);
        copy.pieceBytes = require("pieceBytes", value, MIN_PIECE_BYTES, MAX_PIECE_BYTES);
        return copy;
    }

    /**
     * Sets how long a thread that drives and finds nothing to do looks again before it sleeps; 30 us by default.
     *
     * @param time the time, from 0
     * @param unit its unit
     * @return a copy with it
     * @throws VerbsException {@link Errno#EINVAL} for a time below 0
     */
    public BulkConfig withSpin(long time, TimeUnit unit) {
        if (time < 0) {
            throw invalid("the time to spin is " + time + "; it must not be below 0");
        }
        BulkConfig copy = new BulkConfig(this);
        copy.spinNanos = require("unit", unit).toNanos(time);
        return copy;
    }

    /**
     * Sets how long the transport tries to make a lost connection again before it ends the peer's entries with {@link
     * Errno#ECONNRESET}; 30 s by default. A cable that is moved, a switch that restarts and a link that fails over take
     * seconds, and a program that has survived them with TCP expects the same here. A peer that is gone for good is
     * known sooner as a rule: where nobody listens any more at its address, or it does not know the connection, the
     * side that had connected gives up at once. The other side waits for it until the time has passed. Both sides need
     * a time above 0, and should have the same one.
     *
     * @param time the time from the loss on; 0 to end the peer at once
     * @param unit its unit
     * @return a copy with it
     * @throws VerbsException {@link Errno#EINVAL} for a time below 0
     */
    public BulkConfig withRecovery(long time, TimeUnit unit) {
        if (time < 0) {
            throw invalid("the time to recover is " + time + "; it must not be below 0, and 0 turns recovery off");
        }
        BulkConfig copy = new BulkConfig(this);
        copy.recoveryNanos = require("unit", unit).toNanos(time);
        return copy;
    }

    /**
     * Sets how many queue pairs, called rails, a connection may have: one for each port of this side's devices and of
     * the peer's, as far as both have some; 8 by default, which is the most. Transfers of at least a sixteenth of
     * {@link #withPieceBytes} are spread over them; others, and all messages, go by the first one. The smaller value of
     * both sides counts.
     *
     * @param value 1 to 8; 1 for one queue pair
     * @return a copy with it
     * @throws VerbsException {@link Errno#EINVAL} where the value is out of range
     */
    public BulkConfig withRails(int value) {
        BulkConfig copy = new BulkConfig(this);
        copy.rails = require("rails", value, 1, MAX_RAILS);
        return copy;
    }

    private static <T> T require(String name, T value) {
        if (value == null) {
            throw invalid(name + " is null");
        }
        return value;
    }

    private static int require(String name, int value, int least, int most) {
        if (value < least || value > most) {
            throw invalid(name + " is " + value + "; it must be " + least + " to " + most);
        }
        return value;
    }

    private static VerbsException invalid(String message) {
        return new VerbsException(Errno.EINVAL, "bulk_config", message);
    }

    List<Context> contexts() {
        return contexts;
    }

    InetSocketAddress address() {
        return address;
    }

    BulkProgress progress() {
        return progress;
    }

    BulkConnections connections() {
        return connections;
    }

    BulkListener listener() {
        return listener;
    }

    int rails() {
        return rails;
    }

    long recoveryNanos() {
        return recoveryNanos;
    }

    long spinNanos() {
        return spinNanos;
    }

    Limits limits() {
        return new Limits(
                slots,
                slotBytes,
                SEND_DEPTH,
                pieceBytes,
                (long) pieceBytes * PEER_PIECES,
                (long) pieceBytes * DEVICE_PIECES);
    }
}
