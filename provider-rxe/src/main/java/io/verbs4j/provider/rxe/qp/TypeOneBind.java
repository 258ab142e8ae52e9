/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.qp;

import io.verbs4j.AccessFlags;
import io.verbs4j.Errno;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.provider.rxe.memory.Domains;
import io.verbs4j.provider.rxe.memory.RxeMr;

/** Checks bindings of type 1 windows. */
final class TypeOneBind {
    /** The rights that windows can have. */
    static final int REMOTE_ACCESS = AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ | AccessFlags.REMOTE_ATOMIC;

    /** The rights that the device supports for regions but not for windows. */
    private static final int REGION_ACCESS = AccessFlags.LOCAL_WRITE | AccessFlags.MW_BIND | AccessFlags.ON_DEMAND;

    private TypeOneBind() {}

    /**
     * Checks a range of a region and the rights to it; the region is ignored if the length is 0. Returns 0 or an errno.
     */
    static int check(MemoryRegion region, ProtectionDomain pd, long addr, long length, int access) {
        if ((access & REGION_ACCESS) != 0 || length < 0) {
            return Errno.EINVAL;
        }
        if (length == 0) {
            return 0;
        }
        if (RxeMr.find(region) == null) {
            return Errno.EINVAL;
        }
        if (Domains.root(region.pd()) != pd) {
            return Errno.EPERM;
        }
        boolean writes = (access & (AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_ATOMIC)) != 0;
        long offset = addr - region.addr();
        return (region.access() & AccessFlags.MW_BIND) == 0
                        || (region.access() & AccessFlags.ZERO_BASED) != 0
                        || writes && (region.access() & AccessFlags.LOCAL_WRITE) == 0
                        || Long.compareUnsigned(offset, region.length()) > 0
                        || Long.compareUnsigned(length, region.length() - offset) > 0
                ? Errno.EINVAL
                : 0;
    }
}
