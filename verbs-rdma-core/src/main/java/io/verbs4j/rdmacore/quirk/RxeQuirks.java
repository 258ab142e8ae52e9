/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.quirk;

import io.verbs4j.AccessFlags;

/** The quirks of librxe and the kernel's rdma_rxe. */
final class RxeQuirks extends Quirks {
    @Override
    public int accessFlags() {
        return AccessFlags.LOCAL_WRITE
                | AccessFlags.REMOTE_WRITE
                | AccessFlags.REMOTE_READ
                | AccessFlags.REMOTE_ATOMIC
                | AccessFlags.MW_BIND
                | AccessFlags.ZERO_BASED
                | AccessFlags.ON_DEMAND
                | AccessFlags.FLUSH_GLOBAL
                | AccessFlags.FLUSH_PERSISTENT
                | AccessFlags.RELAXED_ORDERING;
    }

    @Override
    public boolean mayBuildMore() {
        return true;
    }

    /**
     * The kernel side ignores the offset into a page when it copies to or from regions that are paged on demand, and so
     * copies to the wrong place. When advised of a region, it assumes that the region is paged on demand, and reads
     * data that do not exist otherwise.
     */
    @Override
    public String onDemandProblem() {
        return "access has ON_DEMAND, but the kernel's rdma_rxe corrupts data in such regions; leave it out";
    }

    @Override
    public boolean bindReadsTheRegion() {
        return true;
    }

    @Override
    public boolean needsValidWindows() {
        return true;
    }

    @Override
    public boolean tellsKeysByKernelsFlag() {
        return true;
    }

    @Override
    public boolean endsReadingTwice() {
        return true;
    }
}
