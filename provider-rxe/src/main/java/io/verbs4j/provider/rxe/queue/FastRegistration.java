/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.queue;

import io.verbs4j.AccessFlags;
import io.verbs4j.Errno;
import io.verbs4j.FastRegister;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcStatus;
import io.verbs4j.provider.rxe.memory.FastKey;
import io.verbs4j.provider.rxe.memory.RxeMemoryRegionKey;
import java.util.Arrays;

/** The part of a work request that is specific to fast registrations. Guarded by the send lock of its queue pair. */
public final class FastRegistration {
    /** Maximum number of pieces that the device supports. */
    public static final int MAX_PIECES = 512;

    private static final int WRITES = AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_ATOMIC;

    private static final int RIGHTS = AccessFlags.LOCAL_WRITE
            | AccessFlags.REMOTE_WRITE
            | AccessFlags.REMOTE_READ
            | AccessFlags.REMOTE_ATOMIC
            | AccessFlags.FLUSH_GLOBAL;

    private MemoryRegion mr;
    private boolean complete;
    private int newKey;
    private int access;
    private long addr;
    private long[] from = new long[4];
    private int[] length = new int[4];
    private int[] lkey = new int[4];
    private int count;
    private FastKey key;

    FastRegistration() {}

    /** Copies the request's fields, reading each once: the copy is what is checked. */
    void set(SendWorkRequest wr) {
        FastRegister register = wr.fastRegister();
        complete = register != null && pieces(wr.sgList(), wr.numSge());
        if (complete) {
            mr = register.mr();
            newKey = register.key();
            access = register.access() & ~AccessFlags.OPTIONAL_RANGE;
            addr = register.addr();
        }
    }

    private boolean pieces(ScatterGatherElement[] list, int number) {
        if (list == null || number < 1 || number > Math.min(list.length, MAX_PIECES)) {
            return false;
        }
        if (number > from.length) { // grows once or twice at most
            int room = Math.min(MAX_PIECES, Math.max(number, from.length * 4));
            from = new long[room];
            length = Arrays.copyOf(length, room);
            lkey = Arrays.copyOf(lkey, room);
        }
        for (int i = 0; i < number; i++) {
            ScatterGatherElement e = list[i];
            int bytes = e == null ? 0 : e.length();
            if (bytes <= 0) {
                return false;
            }
            from[i] = e.addr();
            length[i] = bytes;
            lkey[i] = e.lkey();
        }
        count = number;
        return true;
    }

    /** Checks key and memory; returns 0 or an errno. Changes nothing that a program can see. */
    public int check() {
        if (!complete
                || !(mr instanceof RxeMemoryRegionKey handle)
                || count > handle.key.maxEntries()
                || (access & WRITES) != 0 && (access & AccessFlags.LOCAL_WRITE) == 0) {
            return Errno.EINVAL;
        }
        if ((access & ~RIGHTS) != 0) {
            return Errno.EOPNOTSUPP;
        }
        if (!handle.key.takesNumber(newKey)) {
            return Errno.EINVAL;
        }
        key = handle.key;
        return 0;
    }

    /**
     * Notes that the request is posted: the handle reports the new keys from here on. If the key was closed since the
     * check, the request fails when it is carried out.
     */
    void posted() {
        key.registrationPosted(newKey);
    }

    /**
     * Returns, in words, the rule that a request breaks which passed the library's checks, or null if it breaks none.
     */
    public static String broken(SendWorkRequest wr) {
        FastRegister register = wr.fastRegister();
        if (!(register.mr() instanceof RxeMemoryRegionKey handle)) {
            return "fastRegister must name a key from allocMrKey, of this device";
        }
        int most = handle.key.maxEntries();
        if (wr.numSge() < 1 || wr.numSge() > most) {
            return "sgList has " + wr.numSge() + " pieces of memory, but the key was created for 1 to " + most
                    + "; create it with a larger maxEntries";
        }
        for (int i = 0; i < wr.numSge(); i++) {
            if (wr.sgList()[i].length() <= 0) {
                return "sgList[" + i + "] is empty; leave it out";
            }
        }
        int asked = register.access() & ~AccessFlags.OPTIONAL_RANGE;
        if ((asked & WRITES) != 0 && (asked & AccessFlags.LOCAL_WRITE) == 0) {
            return "access " + AccessFlags.toString(asked) + " allows remote writes without LOCAL_WRITE";
        }
        if ((asked & ~RIGHTS) != 0) {
            return "access has " + AccessFlags.toString(asked & ~RIGHTS)
                    + ", which fast registers do not support; they support " + AccessFlags.toString(RIGHTS);
        }
        return null;
    }

    /** Carries out the request; returns a {@link WcStatus} value. */
    public int execute(ProtectionDomain qpPd) {
        return key.register(qpPd, newKey, addr, access, from, length, lkey, count);
    }

    /** Ends the request; if it was posted but not executed, it won't be any more. */
    void end(boolean executed) {
        if (key != null && !executed) {
            key.registrationDropped();
        }
        forget();
    }

    /** Forgets the objects that the request named. */
    void forget() {
        mr = null;
        key = null;
    }
}
