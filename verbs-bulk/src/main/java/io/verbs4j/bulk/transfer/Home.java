/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import io.verbs4j.ProtectionDomain;
import io.verbs4j.VerbsException;

/**
 * A connection's share of its device. While a connection has no queue pair, the home at another device
 * may take its place.
 */
public class Home {
    private static final System.Logger LOG = System.getLogger("io.verbs4j.bulk");

    private final ProtectionDomain pd;
    private final DeviceLoad load;
    private final Runnable left;
    private SlotRegions slots;
    private boolean closed;

    /**
     * At a device.
     *
     * @param pd where its memory belongs
     * @param left what is done when the connection has left it
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
     * Registers the memory of a connection's messages, to take the place of its home.
     *
     * @param ring whether the peer writes messages
     */
    public final void register(Link link, boolean ring) {
        register(link.slots);
        if (ring) {
            openRing();
        }
    }

    /** Memory that the peer may write messages to, if it should come to that. */
    public final void openRing() {
        slots.openRing();
    }

    /** The peer sends its messages. */
    final void closeRing() {
        slots.closeRing();
    }

    /** Where that is; 0 where there is none. */
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

    /** Gives the memory back, once; there is no queue pair. A lost device may say what it likes. */
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
