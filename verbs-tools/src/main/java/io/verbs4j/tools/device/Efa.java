/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.device;

import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.efadv.EfaDv;

/** Access to EFA's own verbs. */
public final class Efa {
    private Efa() {}

    /** {@return the direct verbs of an open device, or null if it is no EFA device or has another provider} */
    public static EfaDv of(Context context) {
        try {
            return context.vendor(EfaDv.class);
        } catch (VerbsException e) {
            if (e.errno() == Errno.EOPNOTSUPP || e.errno() == Errno.ENOSYS) {
                return null;
            }
            throw e;
        }
    }
}
