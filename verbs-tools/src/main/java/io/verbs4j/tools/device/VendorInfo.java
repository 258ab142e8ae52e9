/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.device;

import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.efadv.EfaDeviceAttr;
import io.verbs4j.efadv.EfaDeviceCap;
import io.verbs4j.efadv.EfaDv;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntSupplier;

/**
 * What a device has beyond the verbs.
 *
 * @param name the C struct or Java type that it comes from; empty if there is nothing
 * @param fields values by their names in C; a list holds the names of the bits of the field before it
 */
public record VendorInfo(String name, Map<String, Object> fields) {
    /** Inline data that fits into a send descriptor of the usual size. */
    private static final int USUAL_INLINE = 32;

    static VendorInfo ask(Context context) {
        VendorInfo embedded = Embedded.of(context);
        if (embedded != null) {
            return embedded;
        }
        EfaDv efa = Efa.of(context);
        return efa == null ? new VendorInfo("", Map.of()) : new VendorInfo("efadv_device_attr", fields(efa));
    }

    private static Map<String, Object> fields(EfaDv efa) {
        EfaDeviceAttr attr = efa.queryDevice();
        Map<String, Object> f = new LinkedHashMap<>();
        f.put("max_sq_wr", Integer.toUnsignedLong(attr.maxSqWr()));
        f.put("max_rq_wr", Integer.toUnsignedLong(attr.maxRqWr()));
        f.put("max_sq_sge", attr.maxSqSge());
        f.put("max_rq_sge", attr.maxRqSge());
        f.put("inline_buf_size", attr.inlineBufSize());
        if (attr.inlineBufSizeEx() != 0) {
            f.put("inline_buf_size_ex", attr.inlineBufSizeEx());
        }
        f.put("max_rdma_size", Integer.toUnsignedLong(attr.maxRdmaSize()));
        int inline = Math.min(USUAL_INLINE, attr.inlineBufSize());
        putKnown(f, "max_sq_depth", () -> efa.maxSendQueueDepth(0, 1, 0, inline));
        putKnown(f, "max_rq_depth", () -> efa.maxReceiveQueueDepth(1));
        f.put("device_caps", String.format(Locale.ROOT, "0x%08x", attr.deviceCaps()));
        f.put("device_cap_names", names(attr.deviceCaps()));
        return f;
    }

    /** Adds a field, unless the loaded library is too old to know it. */
    private static void putKnown(Map<String, Object> fields, String name, IntSupplier question) {
        try {
            fields.put(name, question.getAsInt());
        } catch (VerbsException e) {
            if (e.errno() != Errno.ENOSYS) {
                throw e;
            }
        }
    }

    private static List<String> names(int caps) {
        return caps == 0 ? List.of() : List.of(EfaDeviceCap.toString(caps).split("\\|", -1));
    }
}
