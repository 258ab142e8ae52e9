/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi;

import io.verbs4j.AccessFlags;
import io.verbs4j.Errno;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.RegMrAttrEx;
import io.verbs4j.RegMrMask;
import io.verbs4j.VerbsException;
import io.verbs4j.provider.gaudi.ring.DeviceRegions;
import io.verbs4j.provider.gaudi.ring.GaudiMemoryRegion;
import io.verbs4j.rdmacore.call.Answers;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Memory regions. The NICs themselves have none: they can access all memory that the accelerator has addresses for, and
 * a connection's key enables that or not. So a region here is memory that is mapped by the accelerator.
 */
final class GaudiRegions {
    /** Access rights that are accepted. LOCAL_WRITE and optional rights are ignored. */
    static final int ACCESS = AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE;

    private static final String VERB = "reg_mr";
    private static final String VERB_EX = "reg_mr_ex";

    private final GaudiContext base;
    private final DeviceRegions translations = new DeviceRegions();
    private final AtomicInteger lastKey = new AtomicInteger();

    GaudiRegions(GaudiContext base) {
        this.base = base;
    }

    /** Returns the device addresses of registered memory. */
    DeviceRegions translations() {
        return translations;
    }

    MemoryRegion register(ProtectionDomain pd, long addr, long length, int access) {
        refuse(VERB, "access", access);
        long device = base.accelerator().map(VERB, addr, length);
        int lkey = lastKey.incrementAndGet();
        GaudiMemoryRegion region = new GaudiMemoryRegion(pd, device, length, access, lkey, base.key(), addr);
        translations.add(lkey, pd.base(), addr, length, device, region.pin);
        return region;
    }

    MemoryRegion registerEx(ProtectionDomain pd, RegMrAttrEx attr) {
        Answers.refuseUnknown(VERB_EX, attr, RegMrMask.IOVA | RegMrMask.ADDR);
        if ((attr.compMask() & RegMrMask.IOVA) != 0) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP, VERB_EX, "the device chooses its own addresses for memory; leave iova out");
        }
        return register(pd, attr.addr(), attr.length(), attr.access());
    }

    /** Refuses access rights that the device cannot grant. */
    static void refuse(String verb, String name, int access) {
        int lacking = access & ~(ACCESS | AccessFlags.OPTIONAL_RANGE);
        if (lacking != 0) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    verb,
                    name + " has " + AccessFlags.toString(lacking) + ", but Gaudi supports only RDMA writes; use "
                            + AccessFlags.toString(ACCESS) + " or fewer");
        }
    }

    void deregister(MemoryRegion mr) {
        GaudiMemoryRegion region = (GaudiMemoryRegion) mr;
        region.pin.closeFor(base::awaitPosts, () -> base.accelerator().unmap("dereg_mr", region.addr()));
        translations.remove(region.lkey(), region.pin);
    }
}
