/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.memory;

import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;

/** The program's handle of a memory region. */
public final class RxeMemoryRegion extends MemoryRegion {
    /** The region. */
    public final RxeMr mr;

    /** Whether this is an imported handle that was closed; the region outlives it. */
    public volatile boolean unimported;

    /** Creates the handle of a region. */
    public RxeMemoryRegion(RxeMr mr) {
        super(mr.pd(), mr.addr(), mr.length(), mr.access(), mr.lkey(), mr.rkey());
        this.mr = mr;
        mr.onChange(new Changes());
    }

    /** Creates another handle, in an imported domain. It does not follow changes made in the region's own context. */
    public RxeMemoryRegion(ProtectionDomain pd, RxeMr mr) {
        super(pd, mr.addr(), mr.length(), mr.access(), mr.lkey(), mr.rkey());
        this.mr = mr;
    }

    private final class Changes implements RxeMr.Listener {
        @Override
        public void changed(ProtectionDomain pd, long addr, long length, int access, int lkey, int rkey) {
            become(pd, addr, length, access, lkey, rkey);
        }
    }

    private void become(ProtectionDomain pd, long addr, long length, int access, int lkey, int rkey) {
        update(pd, addr, length, access, lkey, rkey);
    }
}
