/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit.model;

import io.verbs4j.AccessFlags;
import io.verbs4j.DeviceCap;
import io.verbs4j.MwBind;
import io.verbs4j.MwType;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;
import io.verbs4j.compat.kit.Capability;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The model's memory windows of type 2. */
final class ModelWindows {
    private static final int TAG = 0xff;
    private static final int WRITES = AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_ATOMIC;

    /** The bound windows, by the index of their keys. */
    private static final Map<Integer, Fabric.Mw> BOUND = new HashMap<>();

    private static int keys = 1 << 28;

    private ModelWindows() {}

    static int newKey() {
        keys += TAG + 1;
        return keys;
    }

    static long capabilities() {
        long windows = Traits.has(Capability.MEMORY_WINDOWS) ? DeviceCap.MEM_WINDOW : 0;
        long types = DeviceCap.MEM_WINDOW_TYPE_2B | (Fault.BOTH_WINDOW_TYPES.on() ? DeviceCap.MEM_WINDOW_TYPE_2A : 0);
        return windows | (Traits.has(Capability.TYPE_2_WINDOWS) ? DeviceCap.MEM_MGT_EXTENSIONS | types : 0);
    }

    static boolean isLocal(SendWorkRequest wr) {
        return wr.opcode() == WrOpcode.BIND_MW || wr.opcode() == WrOpcode.LOCAL_INV;
    }

    /** Whether a posted request is invalid in any state. */
    static boolean isWrong(SendWorkRequest wr) {
        if (wr.numSge() != 0 || wr.opcode() == WrOpcode.LOCAL_INV) {
            return wr.numSge() != 0;
        }
        MwBind bind = wr.mwBind();
        boolean whole =
                bind != null && bind.mr() != null && wr.mw() != null && wr.mw().type() == MwType.TYPE_2;
        return !whole || ((wr.mwRkey() ^ wr.mw().rkey()) & ~TAG) != 0 && !Fault.ANY_WINDOW_KEY.on();
    }

    /** A posted bind. */
    static final class Bind {
        private final Fabric.Mw mw;
        private final int key;
        private final int lkey;
        private final long addr;
        private final long length;
        private final int access;

        Bind(SendWorkRequest wr) {
            mw = (Fabric.Mw) wr.mw();
            key = wr.mwRkey();
            lkey = wr.mwBind().mr().lkey();
            addr = wr.mwBind().addr();
            length = wr.mwBind().length();
            access = wr.mwBind().mwAccessFlags();
        }

        void posted() {
            Fabric.tells(mw, key);
        }

        void dropped() {
            if (!Fault.KEEPS_FAILED_KEY.on()) {
                Fabric.tells(mw, mw.key);
            }
        }

        private boolean run(ModelQp on) {
            Fabric.Region region = Fabric.KEYS.get(lkey);
            boolean home = mw.pd() == on.handle.pd() || Fault.BINDS_FOREIGN.on();
            boolean free = mw.on == null || Fault.BINDS_BOUND.on();
            if (!home || !free || region == null || region.pd() != mw.pd() || length == 0) {
                return false;
            }
            boolean right = (region.access() & AccessFlags.MW_BIND) != 0
                    && ((access & WRITES) == 0 || (region.access() & AccessFlags.LOCAL_WRITE) != 0);
            if (!right || Fabric.slice(region, addr, length) == null) {
                return false;
            }
            int rights = Fault.NO_TYPE_2_RIGHTS.on() ? -1 : access;
            long most = Fault.NO_TYPE_2_BOUNDS.on() ? length + 1 : length;
            Fabric.KEYS.put(key, new Fabric.Region(mw.pd(), region.memory(), addr, most, rights));
            BOUND.put(key & ~TAG, mw);
            mw.on = on;
            mw.key = key;
            return true;
        }
    }

    /** Carries out a posted request, and returns a status. */
    static int run(ModelQp on, Send send) {
        if (send.bind == null) {
            boolean window = invalidate(on, send.invalidateRkey, false);
            return window ? WcStatus.SUCCESS : new LaterTransfer(null, on, send).here();
        }
        if (send.bind.run(on)) {
            return WcStatus.SUCCESS;
        }
        send.bind.dropped();
        return WcStatus.MW_BIND_ERR;
    }

    static boolean invalidate(ModelQp on, int key, boolean byPeer) {
        Fabric.Mw mw = BOUND.get(key & ~TAG);
        boolean fits = mw != null && mw.key == key && (mw.on == on || Fault.INVALIDATES_ANYWHERE.on());
        if (fits) {
            free(mw, Fault.KEY_STAYS_OPEN.on() && !byPeer);
        }
        return fits || byPeer && Fault.SEND_INV_ANY.on();
    }

    private static void free(Fabric.Mw mw, boolean keepsKey) {
        if (mw.on != null && !keepsKey) {
            Fabric.KEYS.remove(mw.key);
            BOUND.remove(mw.key & ~TAG);
        }
        mw.on = null;
    }

    static void close(Fabric.Mw mw) {
        free(mw, Fault.CLOSED_WINDOW_OPEN.on());
    }

    /** Destroys the bindings of a queue pair that ends. */
    static void free(ModelQp on) {
        List.copyOf(BOUND.values()).stream().filter(mw -> mw.on == on).forEach(mw -> free(mw, false));
    }

    /** {@return the memory of a key named by a peer} */
    static Fabric.Region behind(int key) {
        Fabric.Mw mw = Fault.ANY_TAG.on() ? BOUND.get(key & ~TAG) : null;
        return Fabric.KEYS.get(mw == null ? key : mw.key);
    }

    /** Whether a key gives access to the peer of a queue pair. */
    static boolean opens(int key, ModelQp to) {
        Fabric.Mw mw = BOUND.get(key & ~TAG);
        return mw == null || mw.on == to || mw.on == null || Fault.ANY_QP_THROUGH_WINDOW.on();
    }
}
