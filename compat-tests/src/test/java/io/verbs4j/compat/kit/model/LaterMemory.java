/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit.model;

import static io.verbs4j.compat.kit.model.DeviceOps.no;

import io.verbs4j.AccessFlags;
import io.verbs4j.Errno;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.WcStatus;
import io.verbs4j.compat.kit.Capability;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The model's memory of level 3: keys without memory, and regions with other addresses. */
final class LaterMemory {
    private static final int WRITES = AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_ATOMIC;

    /** The keys that have got memory by fast register. */
    private static final Map<Integer, Key> VALID = new HashMap<>();

    /** With a fault: the content of a region of nothing. */
    static final ByteBuffer ONES = ByteBuffer.allocate(1 << 13);

    static {
        for (int i = 0; i < ONES.capacity(); i++) {
            ONES.put(i, (byte) 1);
        }
    }

    private LaterMemory() {}

    /** A region without memory, until a fast register assigns some. */
    static final class Key extends MemoryRegion {
        final int maxEntries;
        private int valid;

        Key(ProtectionDomain pd, int maxEntries) {
            this(pd, maxEntries, Fabric.newKey() << Byte.SIZE);
        }

        private Key(ProtectionDomain pd, int maxEntries, int key) {
            super(pd, 0, 0, 0, key, key);
            this.maxEntries = maxEntries;
        }

        private void shown(int key) {
            update(pd(), 0, 0, 0, key, key);
        }
    }

    static int rights() {
        int rights = Traits.has(Capability.ZERO_BASED) ? AccessFlags.ZERO_BASED : 0;
        rights |= Traits.has(Capability.ON_DEMAND) ? AccessFlags.ON_DEMAND : 0;
        rights |= Traits.has(Capability.FLUSH) ? AccessFlags.FLUSH_GLOBAL : 0;
        return rights | (Traits.has(Capability.FLUSH_PERSISTENT) ? AccessFlags.FLUSH_PERSISTENT : 0);
    }

    /** Refuses persistent access unless the memory is a file. */
    static void judge(ByteBuffer buffer, int access) {
        boolean lasting = (access & AccessFlags.FLUSH_PERSISTENT) != 0 && !Fault.PERSISTENT_ANYTHING.on();
        if (lasting && !(buffer instanceof MappedByteBuffer mapped && isFile(mapped))) {
            throw no("reg_mr", Errno.EINVAL, "it is not a mapped file");
        }
    }

    /**
     * Whether a buffer maps a file: direct buffers have the same class, but only mapped ones check the range of a
     * force.
     */
    private static boolean isFile(MappedByteBuffer buffer) {
        try {
            buffer.force(-1, 1);
            return false;
        } catch (IndexOutOfBoundsException e) {
            return true;
        }
    }

    static void show(Key key, int number) {
        key.shown(number);
    }

    static MemoryRegion zeroBased(ProtectionDomain pd, ByteBuffer buffer, int access) {
        return region(pd, buffer.slice(), 0, buffer.remaining(), access, 0);
    }

    static MemoryRegion region(ProtectionDomain pd, ByteBuffer memory, long addr, long length, int access, long start) {
        Fabric.Mr mr = new Fabric.Mr(pd, addr, length, access, Fabric.newKey());
        Fabric.KEYS.put(mr.lkey(), new Fabric.Region(pd, memory, addr, length, access, start));
        return mr;
    }

    static boolean isValid(int key) {
        return VALID.containsKey(key);
    }

    /** With a fault: whether a key looks like one that had memory, rather than a window's. */
    static boolean wasValid(int key) {
        return Fault.INVALIDATES_FREE.on() && (key & 0xff) != 0 && key >>> 28 == 0;
    }

    /** Invalidates a key; returns false if it has no memory. */
    static boolean invalidate(int number, boolean staysOpen) {
        Key key = VALID.remove(number);
        if (key != null) {
            key.valid = 0;
            if (!staysOpen) {
                Fabric.KEYS.remove(number);
            }
        }
        return key != null;
    }

    /** Registers memory for a key, and returns a {@link WcStatus} value. */
    static int register(ModelQp qp, Send send) {
        Later later = send.later;
        Key key = later.key;
        if (key.valid != 0 && !Fault.REGISTERS_TWICE.on()
                || SharedOps.root(key.pd()) != SharedOps.root(qp.handle.pd())) {
            return WcStatus.LOC_QP_OP_ERR;
        }
        long length = 0;
        for (ScatterGatherElement piece : send.pieces) {
            Fabric.Region region = Fabric.KEYS.get(piece.lkey());
            boolean there = region != null
                    && (SharedOps.root(region.pd()) == SharedOps.root(key.pd()) || Fault.KEY_FOREIGN_PIECES.on())
                    && ((later.access & WRITES) == 0
                            || (region.access() & AccessFlags.LOCAL_WRITE) != 0
                            || Fault.KEY_READ_ONLY_PIECES.on())
                    && Fabric.slice(region, piece.addr(), piece.length()) != null;
            if (!there) {
                return WcStatus.LOC_PROT_ERR;
            }
            length += piece.length();
        }
        int number = keepsNumber(later.newKey) ? key.lkey() : later.newKey;
        key.valid = number;
        int access = Fault.KEY_NO_RIGHTS.on() ? -1 : later.access;
        long end = Fault.KEY_NO_BOUNDS.on() ? length + 1 : length;
        Fabric.KEYS.put(number, new Fabric.Region(key.pd(), List.of(send.pieces), later.addr, end, access));
        VALID.put(number, key);
        return WcStatus.SUCCESS;
    }

    /** With a fault: the third key is not taken over. */
    static boolean keepsNumber(int key) {
        return Fault.KEY_KEEPS_NUMBER.on() && (key & 0xff) == 3;
    }

    /** Closes a key. */
    static void close(Key key) {
        if (!Fault.CLOSED_KEYS_OPEN.on()) {
            invalidate(key.valid, false);
        }
    }

    /** {@return the bytes of consecutive pieces; null if a piece is no longer available} */
    static Span across(Fabric.Region region, long from, int length) {
        List<ByteBuffer> parts = new ArrayList<>();
        long skip = from;
        int left = length;
        List<ScatterGatherElement> pieces = new ArrayList<>(region.pieces());
        if (Fault.KEY_PIECES_BACKWARDS.on() && length == 6) {
            java.util.Collections.reverse(pieces);
        }
        for (ScatterGatherElement piece : pieces) {
            int part = (int) Math.min(left, piece.length() - skip);
            if (part > 0) {
                Fabric.Region of = Fabric.KEYS.get(piece.lkey());
                Span bytes = of == null ? null : Fabric.slice(of, piece.addr() + skip, part);
                if (bytes == null) {
                    return null;
                }
                parts.addAll(bytes.pieces());
                left -= part;
            }
            skip = Math.max(0, skip - piece.length());
        }
        if (left > 0) {
            parts.add(ByteBuffer.allocate(left)); // only with a fault
        }
        return new Span(List.copyOf(parts));
    }
}
