/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.verbs;

import io.verbs4j.AttrArray;
import io.verbs4j.ContextSlot;
import io.verbs4j.DeviceAttrEx;
import io.verbs4j.Errno;
import io.verbs4j.GidEntry;
import io.verbs4j.QueryDeviceExInput;
import io.verbs4j.ValuesEx;
import io.verbs4j.ValuesMask;
import io.verbs4j.VerbsException;
import io.verbs4j.core.base.Arguments;
import io.verbs4j.slot.QueryDeviceEx;
import io.verbs4j.slot.QueryGidEx;
import io.verbs4j.slot.QueryGidTable;
import io.verbs4j.slot.QueryValues;

/** The library's part of the extended verbs that ask the device and its ports. */
final class QueryVerbs implements QueryValues, QueryDeviceEx, QueryGidEx, QueryGidTable {
    private final ObjectState context;
    private final ProviderSide side;

    QueryVerbs(ObjectState context, ProviderSide side) {
        this.context = context;
        this.side = side;
    }

    /**
     * The provider fills what the caller knows, also what came after this library. Where it does not know the time, its clock's
     * ticks and their rate are enough for that.
     */
    @Override
    public void queryValues(long wanted, ValuesEx values) {
        String verb = "query_values";
        Arguments.notNull(verb, "values", values);
        if (wanted == 0) {
            throw Arguments.invalid(verb, "wanted is 0, so nothing would be read; take some of ValuesMask");
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
                    "the device has none of " + ValuesMask.toString(wanted) + "; take another device, or do without");
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

    /** What the provider tells of the device; nothing where it has no such verb. */
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
            throw side.broken(verb, "has not filled the attributes of level 1");
        }
        // What older drivers leave to the attributes of level 1.
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
            throw side.broken(verb, "has not filled the GID");
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
            throw side.broken(verb, "says that it filled " + filled + " of " + entries.length() + " entries");
        }
        return filled;
    }
}
