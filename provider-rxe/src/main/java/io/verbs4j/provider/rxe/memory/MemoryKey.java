/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.memory;

import io.verbs4j.AccessFlags;
import io.verbs4j.ProtectionDomain;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * What a local or remote key stands for: a range of memory, a domain and rights. Does not change but for its end; that of
 * a window of type 2 changes where it has ended.
 *
 * <p>Whoever touches the memory pins the key first; {@link #revoke()} returns when nobody does any more.
 */
public final class MemoryKey {
    private static final int REVOKED = Integer.MIN_VALUE;
    private static final VarHandle PINS;

    static {
        try {
            PINS = MethodHandles.lookup().findVarHandle(MemoryKey.class, "pins", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private int key;
    private ProtectionDomain pd;
    private long addr;
    private long length;
    private int access;
    private MemoryKey parent;
    private boolean mayGoAway;

    /** Of a window of type 2: the windows of the queue pair that alone may use it; null: any of the domain may. */
    private BoundWindows user;

    /** Of which window of type 2 it is, or null. */
    private final QpWindow window;

    @SuppressWarnings("unused") // through PINS
    private int pins;

    /**
     * Makes a key.
     *
     * @param parent key that must stay pinned while this one is (a window's region), or null
     * @param mayGoAway whether the memory may go away while the key is there
     */
    MemoryKey(int key, ProtectionDomain pd, long addr, long length, int access, MemoryKey parent, boolean mayGoAway) {
        this.key = key;
        this.pd = pd;
        this.addr = addr;
        this.length = length;
        this.access = access;
        this.parent = parent;
        this.mayGoAway = mayGoAway;
        this.window = null;
    }

    /** Makes the key of a window of type 2, ended. */
    MemoryKey(int key, QpWindow window) {
        this.key = key;
        this.window = window;
        this.pins = REVOKED;
    }

    /** Has a key that has ended begin anew, as that of a window that is bound. */
    void open(int newKey, ProtectionDomain holder, BoundWindows by, long from, long bytes, int rights, MemoryKey of) {
        key = newKey;
        pd = holder;
        user = by;
        addr = from;
        length = bytes;
        access = rights;
        parent = of;
        mayGoAway = of.mayGoAway;
        PINS.setVolatile(this, 0); // last: who pins it sees all this
    }

    QpWindow window() {
        return window;
    }

    /** Whether a queue pair with these windows may use it; null for whom has none. */
    boolean isFor(BoundWindows by) {
        return window == null || user == by;
    }

    /** The number. */
    public int key() {
        return key;
    }

    /** First address. */
    public long addr() {
        return addr;
    }

    /** Length in bytes. */
    public long length() {
        return length;
    }

    /** Whether the memory may go away while it is registered: how it is to be accessed, see {@link FragileMemory}. */
    public boolean mayGoAway() {
        return mayGoAway;
    }

    /**
     * Whether this key lets its holder do something.
     *
     * @param holder domain of the queue pair that asks
     * @param from first address
     * @param count bytes, not negative
     * @param rights {@link AccessFlags} bits needed; 0 for reading locally
     */
    public boolean allows(ProtectionDomain holder, long from, long count, int rights) {
        // Differences, not sums: addresses are unsigned and a sum may wrap.
        long offset = from - addr;
        return holder == pd
                && (access & rights) == rights
                && Long.compareUnsigned(offset, length) <= 0
                && Long.compareUnsigned(count, length - offset) <= 0;
    }

    /** Keeps the memory from going away until {@link #unpin()}; false where it is gone already. */
    public boolean pin() {
        while (true) {
            int now = (int) PINS.getVolatile(this);
            if (now < 0) {
                return false;
            }
            if (PINS.compareAndSet(this, now, now + 1)) {
                break;
            }
        }
        if (parent != null && !parent.pin()) {
            PINS.getAndAdd(this, -1);
            return false;
        }
        return true;
    }

    /** Ends a {@link #pin()}. */
    public void unpin() {
        if (parent != null) {
            parent.unpin();
        }
        PINS.getAndAdd(this, -1); // last: it may change then
    }

    /** Ends the key, and waits until nobody touches the memory. */
    void revoke() {
        PINS.getAndBitwiseOr(this, REVOKED);
        for (int i = 0; (int) PINS.getVolatile(this) != REVOKED; i++) {
            if (i < 1000) {
                Thread.onSpinWait();
            } else {
                LockSupport.parkNanos(10_000);
            }
        }
    }
}
