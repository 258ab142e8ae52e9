/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.verbs;

import io.verbs4j.AccessFlags;
import io.verbs4j.Errno;
import io.verbs4j.OdpGeneralCaps;
import io.verbs4j.VerbsException;
import io.verbs4j.core.base.Arguments;

/**
 * Regions of the whole address space, on demand. Asks the device first: a provider without them would take the length
 * literally. Source: {@code ibv_reg_mr(3)}.
 */
final class ImplicitRegions {
    /** {@code SIZE_MAX} of C, which requests one. */
    private static final long LENGTH = -1;

    private final DeviceVerbs device;

    ImplicitRegions(DeviceVerbs device) {
        this.device = device;
    }

    /** Checks the memory of a region: all of it, or a range of addresses. */
    void check(String verb, long addr, long length, int access) {
        if (length != LENGTH) {
            MemoryChecks.range(verb, addr, length);
            return;
        }
        if (addr != 0 || (access & AccessFlags.ON_DEMAND) == 0 || (access & AccessFlags.ZERO_BASED) != 0) {
            throw Arguments.invalid(
                    verb,
                    "length is -1, which requests an implicit region of the whole address space: it needs addr 0, and"
                            + " access with ON_DEMAND and without ZERO_BASED; addr is 0x" + Long.toHexString(addr)
                            + ", access "
                            + AccessFlags.toString(access));
        }
        if ((device.deviceIfTold().odpGeneralCaps() & OdpGeneralCaps.SUPPORT_IMPLICIT) == 0) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    verb,
                    "the device does not support implicit regions (SUPPORT_IMPLICIT of odpGeneralCaps); register the"
                            + " memory itself, with ON_DEMAND if it must not be pinned");
        }
    }
}
