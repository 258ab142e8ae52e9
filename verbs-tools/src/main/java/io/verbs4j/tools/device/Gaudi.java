/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.device;

import io.verbs4j.CompletionChannel;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.DeviceTraits;
import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.hbldv.HblCqInitAttr;
import io.verbs4j.hbldv.HblDv;

/** Access to Gaudi's own verbs. */
public final class Gaudi {
    private Gaudi() {}

    /** Creates a completion queue for queue pairs of a port; only Gaudi needs the port. */
    public static CompletionQueue createCq(Context context, int port, int entries, CompletionChannel channel) {
        return is(context)
                ? context.createCq(entries, null, channel, 0, new HblCqInitAttr().portNum(port))
                : context.createCq(entries, null, channel, 0);
    }

    private static boolean is(Context context) {
        // Checked first: does not load the vendor's classes for other devices.
        if ((context.queryDeviceEx().deviceTraits() & DeviceTraits.KEYS_BY_CONNECTION) == 0) {
            return false;
        }
        try {
            return context.vendor(HblDv.class) != null;
        } catch (VerbsException e) {
            if (e.errno() == Errno.EOPNOTSUPP || e.errno() == Errno.ENOSYS) {
                return false;
            }
            throw e;
        }
    }
}
