/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.dv;

import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.provider.gaudi.layout.HblDeviceAttrLayout;
import io.verbs4j.rdmacore.call.Answers;

/** Queries an open device by libhbl, across its releases. */
public final class DeviceQuery {
    private static final String VERB = "hbldv_query_device";

    /** Like {@link #VERB}, with the layout of the following release. Only one release has both. */
    private static final String TEMP = "hbldv_query_device_temp";

    /** More bytes than any release writes. */
    private static final int ROOM = 64;

    /** Fill pattern. The last bytes that the library writes are the high ones of masks, which never have this value. */
    private static final byte PATTERN = (byte) 0xa5;

    private DeviceQuery() {}

    /** Returns the release of the loaded libhbl. */
    public static Layout layout(long context) {
        return Layout.of(Libhbl::has, () -> written(context));
    }

    private static int written(long context) {
        try (Scratch c = new Scratch(ROOM)) {
            for (int i = 0; i < ROOM; i++) {
                NativeMemory.putByte(c.address() + i, PATTERN);
            }
            Answers.check(VERB, Libhbl.function(VERB).call(context, c.address()));
            int end = ROOM;
            while (end > 0 && (byte) NativeMemory.getByte(c.address() + end - 1) == PATTERN) {
                end--;
            }
            return end;
        }
    }

    /**
     * Queries the device. Values that a release does not report are 0.
     *
     * @param ports the ports requested at opening, 0 for all: newer releases report the number of ports, but not which
     */
    public static Told ask(long context, Layout layout, long ports) {
        boolean counts = layout.countsPorts() || Libhbl.has(TEMP);
        String verb = Libhbl.has(TEMP) ? TEMP : VERB;
        try (Scratch c = new Scratch(ROOM)) {
            long at = c.address();
            Answers.check(verb, Libhbl.function(verb).call(context, at));
            int number = NativeMemory.getByte(at + HblDeviceAttrLayout.NUM_PORTS);
            long mask = !counts
                    ? NativeMemory.getLong(at + HblDeviceAttrLayout.PORTS_MASK)
                    : ports != 0 ? ports : (2L << number) - 2;
            return new Told(
                    NativeMemory.getLong(at + HblDeviceAttrLayout.CAPS),
                    mask,
                    NativeMemory.getLong(at + HblDeviceAttrLayout.EXT_PORTS_MASK),
                    NativeMemory.getLong(at + HblDeviceAttrLayout.HW_PORTS_MASK));
        }
    }

    /** The result of a query. */
    public record Told(long caps, long ports, long external, long hardware) {}
}
