/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore;

import io.verbs4j.AttrArray;
import io.verbs4j.ContextSlot;
import io.verbs4j.ContextTable;
import io.verbs4j.DeviceAttrEx;
import io.verbs4j.DeviceCap;
import io.verbs4j.Errno;
import io.verbs4j.Gid;
import io.verbs4j.GidEntry;
import io.verbs4j.QueryDeviceExInput;
import io.verbs4j.ValuesEx;
import io.verbs4j.ValuesMask;
import io.verbs4j.VerbsException;
import io.verbs4j.natives.call.NativeFunction;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.call.ContextFunctions;
import io.verbs4j.rdmacore.call.Libibverbs;
import io.verbs4j.rdmacore.layout.DeviceAttrExLayout;
import io.verbs4j.rdmacore.layout.ExtendedContextLayout;
import io.verbs4j.rdmacore.layout.GidEntryLayout;
import io.verbs4j.rdmacore.layout.ValuesExLayout;
import io.verbs4j.rdmacore.marshal.AhAttrs;
import io.verbs4j.rdmacore.marshal.DeviceAttrsEx;
import io.verbs4j.slot.QueryDeviceEx;
import io.verbs4j.slot.QueryGidEx;
import io.verbs4j.slot.QueryGidTable;
import io.verbs4j.slot.QueryValues;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;

/**
 * Implements the verbs of level 3 that query the device and its ports. Fills only the slots that the loaded libibverbs
 * supports; for the others the header falls back to verbs of level 1.
 */
final class DeviceQueries {
    /** C's bit in the mask. */
    private static final int RAW_CLOCK = 1;

    /** Capabilities to remove if the driver has no memory windows, whatever the kernel reports. */
    private static final long OF_WINDOWS = DeviceCap.MEM_WINDOW
            | DeviceCap.MEM_WINDOW_TYPE_2A
            | DeviceCap.MEM_WINDOW_TYPE_2B
            | DeviceCap.MEM_MGT_EXTENSIONS;

    private final long context;
    private final NativeFunction queryDeviceEx;
    private final NativeFunction queryRtValues;
    private final NativeFunction queryGidEx;
    private final NativeFunction queryGidTable;
    private final BooleanSupplier windows;
    private final Consumer<DeviceAttrEx> more;

    /**
     * Creates the queries of an open device.
     *
     * @param windows returns whether windows can be bound
     * @param more adds attributes for which C has no field
     */
    DeviceQueries(long context, ContextFunctions functions, BooleanSupplier windows, Consumer<DeviceAttrEx> more) {
        this.context = context;
        this.windows = windows;
        this.more = more;
        queryDeviceEx = functions.extended(ExtendedContextLayout.QUERY_DEVICE_EX);
        queryRtValues = functions.extended(ExtendedContextLayout.QUERY_RT_VALUES);
        queryGidEx = Libibverbs.find("_ibv_query_gid_ex");
        queryGidTable = Libibverbs.find("_ibv_query_gid_table");
    }

    void fill(ContextTable table) {
        if (queryDeviceEx != null) {
            table.fillProvider(ContextSlot.QUERY_DEVICE_EX, (QueryDeviceEx) (input, attr) -> {
                queryDeviceEx(input, attr);
                more.accept(attr);
            });
        }
        if (queryRtValues != null) {
            table.fillProvider(ContextSlot.QUERY_VALUES, (QueryValues) this::queryValues);
        }
        if (queryGidEx != null) {
            table.fillProvider(ContextSlot.QUERY_GID_EX, (QueryGidEx) this::queryGidEx);
        }
        if (queryGidTable != null) {
            table.fillProvider(ContextSlot.QUERY_GID_TABLE, (QueryGidTable) this::queryGidTable);
        }
    }

    /** {@return the capabilities without those that the kernel supports and the driver does not} */
    long without(long capabilities) {
        return windows.getAsBoolean() ? capabilities : capabilities & ~OF_WINDOWS;
    }

    /**
     * Returns the upper half of the capabilities, which does not fit {@code ibv_query_device}; 0 if the library cannot
     * report it. The other attributes remain those of {@code ibv_query_device}, because libmlx5 reports more atomics to
     * the extended query.
     */
    long upperCapabilities() {
        if (queryDeviceEx == null) {
            return 0;
        }
        try (Scratch c = new Scratch(DeviceAttrExLayout.SIZEOF)) {
            long answer = queryDeviceEx.call(context, 0, c.address(), DeviceAttrExLayout.SIZEOF);
            return Answers.errno(answer) == 0 ? DeviceAttrsEx.upperCapabilities(c.address()) : 0;
        }
    }

    /** {@return the extended attributes of the device} */
    DeviceAttrEx capabilities() {
        DeviceAttrEx attr = new DeviceAttrEx();
        queryDeviceEx(new QueryDeviceExInput(), attr);
        return attr;
    }

    /** As {@link #capabilities()}; the attributes are empty if library and driver cannot report them. */
    DeviceAttrEx capabilitiesIfTold() {
        try {
            return capabilities();
        } catch (VerbsException e) {
            return new DeviceAttrEx();
        }
    }

    /** {@return whether queue pairs of a type support TCP segmentation offload} */
    boolean segments(int qpType) {
        return qpType >= 0 && qpType < Integer.SIZE && (capabilitiesIfTold().tsoSupportedQpts() & 1 << qpType) != 0;
    }

    private void queryDeviceEx(QueryDeviceExInput input, DeviceAttrEx attr) {
        String verb = "query_device_ex";
        Answers.refuseUnknown(verb, input, 0);
        try (Scratch c = new Scratch(DeviceAttrExLayout.SIZEOF)) {
            ask(verb, c.address());
            DeviceAttrsEx.read(c.address(), attr, this::without);
        }
    }

    /**
     * Does what C's inline function does. The memory must be zero: not every release fills it up to the size it is
     * given.
     */
    private void ask(String verb, long to) {
        if (queryDeviceEx != null) {
            int errno = Answers.errno(queryDeviceEx.call(context, 0, to, DeviceAttrExLayout.SIZEOF));
            if (errno == 0) {
                return;
            }
            if (errno != Errno.EOPNOTSUPP && errno != Errno.ENOSYS) {
                throw Answers.failed(verb, errno);
            }
        }
        Answers.check(verb, Libibverbs.ibv_query_device(context, to + DeviceAttrExLayout.ORIG_ATTR));
    }

    /**
     * Fills the clock. C returns it in a {@code struct timespec} that is not a time: its nanoseconds are ticks and may
     * exceed a second.
     */
    private void queryValues(long wanted, ValuesEx values) {
        if ((wanted & ValuesMask.RAW_CLOCK) == 0) {
            return;
        }
        try (Scratch c = new Scratch(ValuesExLayout.SIZEOF)) {
            NativeMemory.putInt(c.address() + ValuesExLayout.COMP_MASK, RAW_CLOCK);
            Answers.check("query_values", queryRtValues.call(context, c.address()));
            if ((NativeMemory.getInt(c.address() + ValuesExLayout.COMP_MASK) & RAW_CLOCK) != 0) {
                values.offer(ValuesEx.RAW_CLOCK, NativeMemory.getLong(c.address() + ValuesExLayout.RAW_CLOCK_TV_NSEC));
            }
        }
    }

    private void queryGidEx(int portNum, int gidIndex, int flags, GidEntry entry) {
        String verb = "query_gid_ex";
        refuseFlags(verb, flags);
        try (Scratch c = new Scratch(GidEntryLayout.SIZEOF)) {
            long at = c.address();
            int errno = Answers.errno(queryGidEx.call(context, portNum, gidIndex, at, flags, GidEntryLayout.SIZEOF));
            if (errno != 0) {
                throw noEntry(verb, portNum, gidIndex, errno);
            }
            entry.offer(GidEntry.GID, AhAttrs.readGid(at + GidEntryLayout.GID));
            entry.offer(GidEntry.GID_INDEX, NativeMemory.getInt(at + GidEntryLayout.GID_INDEX));
            entry.offer(GidEntry.PORT_NUM, NativeMemory.getInt(at + GidEntryLayout.PORT_NUM));
            entry.offer(GidEntry.GID_TYPE, NativeMemory.getInt(at + GidEntryLayout.GID_TYPE));
            entry.offer(GidEntry.NDEV_IFINDEX, NativeMemory.getInt(at + GidEntryLayout.NDEV_IFINDEX));
        }
    }

    private int queryGidTable(int flags, AttrArray entries) {
        String verb = "query_gid_table";
        refuseFlags(verb, flags);
        int room = entries.length();
        try (Scratch c = new Scratch(Math.multiplyExact(Math.max(room, 1), GidEntryLayout.SIZEOF))) {
            long count = queryGidTable.call(context, c.address(), room, flags, GidEntryLayout.SIZEOF);
            if (count < 0) {
                throw Answers.failed(verb, Answers.errno(count));
            }
            for (int i = 0; i < count; i++) {
                write(c.address() + (long) i * GidEntryLayout.SIZEOF, entries, i);
            }
            return (int) count;
        }
    }

    private static void write(long at, AttrArray entries, int i) {
        Gid gid = AhAttrs.readGid(at + GidEntryLayout.GID);
        ToLongFunction<Integer> word = offset -> Integer.toUnsignedLong(NativeMemory.getInt(at + offset));
        entries.offer(i, GidEntry.SUBNET_PREFIX_WORD, gid.subnetPrefix());
        entries.offer(i, GidEntry.INTERFACE_ID_WORD, gid.interfaceId());
        entries.offer(i, GidEntry.GID_INDEX_WORD, word.applyAsLong(GidEntryLayout.GID_INDEX));
        entries.offer(i, GidEntry.PORT_NUM_WORD, word.applyAsLong(GidEntryLayout.PORT_NUM));
        entries.offer(i, GidEntry.GID_TYPE_WORD, word.applyAsLong(GidEntryLayout.GID_TYPE));
        entries.offer(i, GidEntry.NDEV_IFINDEX_WORD, word.applyAsLong(GidEntryLayout.NDEV_IFINDEX));
    }

    /** Rejects all flags: none is defined, and kernel and library disagree on how to reject them. */
    private static void refuseFlags(String verb, int flags) {
        if (flags != 0) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    verb,
                    "flags is 0x" + Integer.toHexString(flags) + ", but none is defined; pass 0");
        }
    }

    /** Describes a failed query. If libibverbs reads sysfs, an entry beyond the table is a file that does not exist. */
    private static VerbsException noEntry(String verb, int portNum, int index, int errno) {
        String entry = "entry " + index + " of the GID table of port " + portNum;
        return switch (errno) {
            case Errno.ENODATA ->
                new VerbsException(Errno.ENODATA, verb, entry + " is empty; query_gid_table lists the entries in use");
            case Errno.EINVAL, Errno.ENOENT ->
                new VerbsException(Errno.EINVAL, verb, entry + " does not exist; query_port reports how many do");
            default -> Answers.failed(verb, errno);
        };
    }
}
