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
 * Configuration of an endpoint. Immutable: each {@code with} method returns a changed copy. Options that are not set
 * keep their defaults.
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
     * Returns a configuration with all defaults.
     *
     * @param contexts open devices, at least one, the preferred one first. They still belong to the program, which must
     *     close them after the endpoint. The endpoint consumes their asynchronous events. If a device is lost, its
     *     connections move to the others
     * @return the configuration
     * @throws VerbsException {@link Errno#EINVAL} if no context is given
     */
    public static BulkConfig of(Context... contexts) {
        if (contexts.length == 0) {
            throw invalid("no context is given; open a device, for instance Verbs.defaultDevice()");
        }
        return new BulkConfig(List.of(contexts));
    }

    /**
     * Sets the address that the endpoint listens at. By default it does not listen.
     *
     * @param value the address; port 0 picks a free port, the wildcard address means all addresses of the devices
     * @return the changed copy
     */
    public BulkConfig withAddress(InetSocketAddress value) {
        BulkConfig copy = new BulkConfig(this);
        copy.address = value;
        return copy;
    }

    /**
     * Sets which thread drives the endpoint; {@link BulkProgress#CALLER} by default.
     *
     * @param value the thread
     * @return the changed copy
     */
    public BulkConfig withProgress(BulkProgress value) {
        BulkConfig copy = new BulkConfig(this);
        copy.progress = require("progress", value);
        return copy;
    }

    /**
     * Sets how the endpoint connects to others; {@link BulkConnections#AUTOMATIC} by default.
     *
     * @param value the method
     * @return the changed copy
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
     * @return the changed copy
     */
    public BulkConfig withListener(BulkListener value) {
        BulkConfig copy = new BulkConfig(this);
        copy.listener = require("listener", value);
        return copy;
    }

    /**
     * Sets how many messages a peer may send before it needs credits from this side; 32 by default.
     *
     * @param value 8 to 4096
     * @return the changed copy
     * @throws VerbsException {@link Errno#EINVAL} if the value is out of range
     */
    public BulkConfig withSlots(int value) {
        BulkConfig copy = new BulkConfig(this);
        copy.slots = require("slots", value, Hello.MIN_SLOTS, MAX_SLOTS);
        return copy;
    }

    /**
     * Sets the size of a receive slot; 4096 bytes by default. A message that is at least 64 bytes shorter than the slot
     * is copied once, at the receiver. A longer message arrives without a copy if the devices support READ. The smaller
     * value of both sides applies.
     *
     * @param value 64 to 65536
     * @return the changed copy
     * @throws VerbsException {@link Errno#EINVAL} if the value is out of range
     */
    public BulkConfig withSlotBytes(int value) {
        BulkConfig copy = new BulkConfig(this);
        copy.slotBytes = require("slotBytes", value, ControlLayout.SIZE, MAX_SLOT_BYTES);
        return copy;
    }

    /**
     * Sets the size of the pieces that long transfers are split into; 1048576 bytes by default. At most 16 pieces are
     * in flight on a connection, and 64 on a device.
     *
     * @param value 4096 to 2^30
     * @return the changed copy
     * @throws VerbsException {@link Errno#EINVAL} if the value is out of range
     */
    public BulkConfig withPieceBytes(int value) {
        BulkConfig copy = new BulkConfig(this);
        copy.pieceBytes = require("pieceBytes", value, MIN_PIECE_BYTES, MAX_PIECE_BYTES);
        return copy;
    }

    /**
     * Sets how long the driving thread spins before it sleeps when there is no work; 30 us by default.
     *
     * @param time the time, from 0
     * @param unit its unit
     * @return the changed copy
     * @throws VerbsException {@link Errno#EINVAL} for a negative time
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
     * Sets how long the transport tries to restore a lost connection before it fails the peer's entries with
     * {@link Errno#ECONNRESET}; 30 s by default. Both sides need a time above 0 and should use the same one.
     *
     * <p>The default allows for events that take seconds and that TCP survives: a cable that is moved, a switch that
     * restarts, a link that fails over. If the peer is gone for good, the side that had connected usually gives up at
     * once: nothing listens at the peer's address any more, or the peer does not know the connection. The other side
     * waits for the whole time.
     *
     * @param time the time, counted from the loss; 0 ends the peer at once
     * @param unit its unit
     * @return the changed copy
     * @throws VerbsException {@link Errno#EINVAL} for a negative time
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
     * Sets how many queue pairs, called rails, a connection may have; 8 by default, which is the maximum. The
     * connection gets one rail for each port of this side's devices paired with one of the peer's, as far as both sides
     * have ports. Transfers of at least a sixteenth of {@link #withPieceBytes} are spread over the rails; shorter ones
     * and all messages use the first rail. The smaller value of both sides applies.
     *
     * @param value 1 to 8; 1 for a single queue pair
     * @return the changed copy
     * @throws VerbsException {@link Errno#EINVAL} if the value is out of range
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
