/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.verbs;

import io.verbs4j.AttrArray;
import io.verbs4j.ContextOps;
import io.verbs4j.ContextSlot;
import io.verbs4j.DeviceAttr;
import io.verbs4j.DeviceAttrEx;
import io.verbs4j.Errno;
import io.verbs4j.Gid;
import io.verbs4j.GidEntry;
import io.verbs4j.PortAttr;
import io.verbs4j.QueryDeviceExInput;
import io.verbs4j.ValuesEx;
import io.verbs4j.ValuesMask;
import io.verbs4j.VerbsException;
import io.verbs4j.core.base.Arguments;
import io.verbs4j.slot.QueryDeviceEx;
import io.verbs4j.slot.QueryGidEx;
import io.verbs4j.slot.QueryGidTable;
import io.verbs4j.slot.QueryValues;

/**
 * The library's part of the verbs about the open device: queries of the device and its ports, the vendor's verbs, and
 * closing it.
 */
final class DeviceVerbs implements QueryValues, QueryDeviceEx, QueryGidEx, QueryGidTable {
    private final ObjectState context;
    private final ProviderSide side;

    DeviceVerbs(ObjectState context, ProviderSide side) {
        this.context = context;
        this.side = side;
    }

    int numCompVectors() {
        String verb = "num_comp_vectors";
        context.enter(verb);
        try {
            return completionVectors(verb);
        } catch (Throwable t) {
            throw side.failed(verb, t);
        } finally {
            context.leave();
        }
    }

    void queryDevice(DeviceAttr attr) {
        String verb = "query_device";
        Arguments.notNull(verb, "attr", attr);
        context.enter(verb);
        try {
            side.ops().queryDevice(attr);
        } catch (Throwable t) {
            throw side.failed(verb, t);
        } finally {
            context.leave();
        }
    }

    void queryPort(int portNum, PortAttr attr) {
        String verb = "query_port";
        Arguments.port(verb, "portNum", portNum);
        Arguments.notNull(verb, "attr", attr);
        context.enter(verb);
        try {
            side.ops().queryPort(portNum, attr);
        } catch (Throwable t) {
            throw side.failed(verb, t);
        } finally {
            context.leave();
        }
    }

    Gid queryGid(int portNum, int index) {
        String verb = "query_gid";
        Arguments.port(verb, "portNum", portNum);
        Arguments.atLeast(verb, "index", index, 0);
        Gid gid;
        context.enter(verb);
        try {
            gid = side.ops().queryGid(portNum, index);
        } catch (Throwable t) {
            throw side.failed(verb, t);
        } finally {
            context.leave();
        }
        if (gid == null) {
            throw side.broken(verb, "returned null");
        }
        return gid;
    }

    int queryPkey(int portNum, int index) {
        String verb = "query_pkey";
        Arguments.port(verb, "portNum", portNum);
        Arguments.atLeast(verb, "index", index, 0);
        int pkey;
        context.enter(verb);
        try {
            pkey = side.ops().queryPkey(portNum, index);
        } catch (Throwable t) {
            throw side.failed(verb, t);
        } finally {
            context.leave();
        }
        if (pkey < 0 || pkey > 0xffff) {
            throw side.broken(verb, "returned " + pkey + ", which is not a P_Key");
        }
        return pkey;
    }

    /** Asks the provider; call it within a call of the provider. */
    int completionVectors(String verb) {
        int vectors = side.ops().numCompVectors();
        if (vectors < 1) {
            throw side.broken(verb, "reported " + vectors + " completion vectors");
        }
        return vectors;
    }

    /**
     * The provider fills the values that the caller knows, including those of later levels. If it does not know the
     * time, its clock's ticks and their rate suffice.
     */
    @Override
    public void queryValues(long wanted, ValuesEx values) {
        String verb = "query_values";
        Arguments.notNull(verb, "values", values);
        if (wanted == 0) {
            throw Arguments.invalid(verb, "wanted is 0, so nothing would be read; set some of ValuesMask");
        }
        QueryValues provider = side.slot(verb, ContextSlot.QUERY_VALUES, QueryValues.class);
        ask(verb, provider, wanted, values);
        if ((wanted & ValuesMask.HWCLOCK_NS) != 0 && !values.has(ValuesEx.HWCLOCK_NS)) {
            ValuesEx ticks = values;
            if (!ticks.has(ValuesEx.RAW_CLOCK)) {
                ticks = new ValuesEx();
                ask(verb, provider, ValuesMask.RAW_CLOCK, ticks);
            }
            DeviceAttrEx clock = ticks.has(ValuesEx.RAW_CLOCK) ? deviceIfTold() : null;
            if (clock != null && clock.hcaCoreClock() != 0) {
                values.offer(ValuesEx.HWCLOCK_NS, clock.nanosOfTicks(ticks.rawClock()));
            }
        }
        if ((values.compMask() | values.compMask2()) == 0) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    verb,
                    "the device has none of " + ValuesMask.toString(wanted) + "; use another device, or do without");
        }
    }

    private void ask(String verb, QueryValues provider, long wanted, ValuesEx values) {
        context.enter(verb);
        try {
            provider.queryValues(wanted, values);
        } catch (Throwable t) {
            throw side.failed(verb, t);
        } finally {
            context.leave();
        }
    }

    /** The extended attributes of the device; empty if the provider lacks the verb. */
    DeviceAttrEx deviceIfTold() {
        DeviceAttrEx attr = new DeviceAttrEx();
        if (side.find(ContextSlot.QUERY_DEVICE_EX, QueryDeviceEx.class) != null) {
            queryDeviceEx(new QueryDeviceExInput(), attr);
        }
        return attr;
    }

    @Override
    public void queryDeviceEx(QueryDeviceExInput input, DeviceAttrEx attr) {
        String verb = "query_device_ex";
        Arguments.notNull(verb, "input", input);
        Arguments.notNull(verb, "attr", attr);
        Masks.check(verb, input);
        QueryDeviceEx provider = side.slot(verb, ContextSlot.QUERY_DEVICE_EX, QueryDeviceEx.class);
        context.enter(verb);
        try {
            provider.queryDeviceEx(input, attr);
        } catch (Throwable t) {
            throw side.failed(verb, t);
        } finally {
            context.leave();
        }
        if (attr.origAttr() == null) {
            throw side.broken(verb, "did not fill in the attributes of level 1");
        }
        // Older drivers fill in the attributes of level 1 only.
        if (!attr.has(DeviceAttrEx.DEVICE_CAP_FLAGS_EX)) {
            attr.offer(DeviceAttrEx.DEVICE_CAP_FLAGS_EX, attr.origAttr().deviceCaps());
        }
        if (!attr.has(DeviceAttrEx.PHYS_PORT_CNT_EX)) {
            attr.offer(DeviceAttrEx.PHYS_PORT_CNT_EX, attr.origAttr().physPortCnt());
        }
    }

    @Override
    public void queryGidEx(int portNum, int gidIndex, int flags, GidEntry entry) {
        String verb = "query_gid_ex";
        Arguments.port(verb, "portNum", portNum);
        Arguments.atLeast(verb, "gidIndex", gidIndex, 0);
        Arguments.notNull(verb, "entry", entry);
        QueryGidEx provider = side.slot(verb, ContextSlot.QUERY_GID_EX, QueryGidEx.class);
        context.enter(verb);
        try {
            provider.queryGidEx(portNum, gidIndex, flags, entry);
        } catch (Throwable t) {
            throw side.failed(verb, t);
        } finally {
            context.leave();
        }
        if (!entry.has(GidEntry.GID)) {
            throw side.broken(verb, "did not fill in the GID");
        }
    }

    @Override
    public int queryGidTable(int flags, AttrArray entries) {
        String verb = "query_gid_table";
        Arguments.notNull(verb, "entries", entries);
        QueryGidTable provider = side.slot(verb, ContextSlot.QUERY_GID_TABLE, QueryGidTable.class);
        int filled;
        context.enter(verb);
        try {
            filled = provider.queryGidTable(flags, entries);
        } catch (Throwable t) {
            throw side.failed(verb, t);
        } finally {
            context.leave();
        }
        if (filled < 0 || filled > entries.length()) {
            throw side.broken(verb, "reported that it filled " + filled + " of " + entries.length() + " entries");
        }
        return filled;
    }

    /** Returns the vendor's verbs; the library checks their type only. */
    <T> T vendor(Class<T> type) {
        String verb = "vendor";
        Arguments.notNull(verb, "type", type);
        T own;
        context.enter(verb);
        try {
            own = side.ops().vendor(type);
        } catch (Throwable t) {
            throw side.failed(verb, t);
        } finally {
            context.leave();
        }
        if (own == null) {
            throw side.without(verb, "because it does not know the type " + type.getName());
        }
        if (!type.isInstance(own)) {
            throw side.broken(verb, "returned a " + own.getClass().getName() + " for " + type.getName());
        }
        return own;
    }

    void close() {
        String verb = "close_device";
        context.close(verb, () -> side.run(verb, ContextOps::close));
    }
}
