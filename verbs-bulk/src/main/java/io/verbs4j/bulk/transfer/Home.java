/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import io.verbs4j.ProtectionDomain;
import io.verbs4j.VerbsException;

/**
 * A connection's share of its device. A share of another device may replace it while the connection has no queue pair.
 */
public class Home {
    private static final System.Logger LOG = System.getLogger("io.verbs4j.bulk");

    private final ProtectionDomain pd;
    private final DeviceLoad load;
    private final Runnable left;
    private SlotRegions slots;
    private boolean closed;

    /**
     * Creates the share of a device.
     *
     * @param pd protection domain of its memory
     * @param left runs when the connection has left it
     */
    public Home(ProtectionDomain pd, DeviceLoad load, Runnable left) {
        this.pd = pd;
        this.load = load;
        this.left = left;
    }

    public final ProtectionDomain pd() {
        return pd;
    }

    final DeviceLoad load() {
        return load;
    }

    /** The memory of the connection's messages, once it is registered. */
    final SlotRegions slots() {
        return slots;
    }

    final void register(Slots memory) {
        slots = memory.register(pd);
    }

    /**
     * Registers the memory of a connection's messages before this replaces the connection's home.
     *
     * @param ring whether the peer writes messages
     */
    public final void register(Link link, boolean ring) {
        register(link.slots);
        if (ring) {
            openRing();
        }
    }

    /** Opens memory that the peer may write messages to, if the protocol needs it. */
    public final void openRing() {
        slots.openRing();
    }

    /** Closes that memory, because the peer sends its messages. */
    final void closeRing() {
        slots.closeRing();
    }

    /** Address of that memory; 0 if there is none. */
    public final long ringAddress() {
        return slots.ringAddress();
    }

    /** Its remote key. */
    public final int ringKey() {
        return slots.ringKey();
    }

    /** Whether the connection has left it. */
    public final synchronized boolean isClosed() {
        return closed;
    }

    /** Releases the memory once, without a queue pair. Errors of a lost device are only logged. */
    public final synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            if (slots != null) {
                slots.close();
            }
        } catch (VerbsException e) {
            LOG.log(
                    load.isLost() ? System.Logger.Level.DEBUG : System.Logger.Level.WARNING,
                    "the memory of a connection's messages stays registered",
                    e);
        } finally {
            left.run();
        }
    }
}
