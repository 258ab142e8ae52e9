/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.device;

import io.verbs4j.Context;
import io.verbs4j.DeviceKind;
import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.rxedv.RxeDv;
import java.util.LinkedHashMap;
import java.util.Map;

/** What the embedded device tells of itself. */
final class Embedded {
    private Embedded() {}

    /** By the names of {@link RxeDv}; null where the device is none, or its provider too old to tell. */
    static VendorInfo of(Context context) {
        if (context.device().kind() != DeviceKind.EMBEDDED) {
            return null; // of that provider nothing is loaded for other devices
        }
        try {
            RxeDv rxe = context.vendor(RxeDv.class);
            Map<String, Object> told = new LinkedHashMap<>();
            String problem = rxe.oneCopyProblem();
            told.put("one_copy", problem.isEmpty() ? "yes" : "no, " + problem);
            String reach = reach(rxe);
            if (!reach.isEmpty()) {
                told.put("reach", reach);
            }
            return new VendorInfo("rxedv", told);
        } catch (NoClassDefFoundError e) {
            return null; // a jar of before
        } catch (VerbsException e) {
            if (e.errno() == Errno.EOPNOTSUPP || e.errno() == Errno.ENOSYS) {
                return null;
            }
            throw e;
        }
    }

    private static String reach(RxeDv rxe) {
        try {
            return rxe.reach();
        } catch (NoSuchMethodError e) {
            return ""; // a jar of 1.2.0
        }
    }
}
