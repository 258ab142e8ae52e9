/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.device;

import io.verbs4j.Context;
import io.verbs4j.DeviceKind;
import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.rxedv.RxeDv;
import java.util.LinkedHashMap;
import java.util.Map;

/** Properties of the embedded device. */
final class Embedded {
    private Embedded() {}

    /**
     * {@return properties by the names of {@link RxeDv}, or null if the device is not embedded or its provider is too
     * old}
     */
    static VendorInfo of(Context context) {
        if (context.device().kind() != DeviceKind.EMBEDDED) {
            return null; // does not load that provider's classes for other devices
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
            return null; // an older jar
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
