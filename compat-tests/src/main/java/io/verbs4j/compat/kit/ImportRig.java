/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import io.verbs4j.Context;
import io.verbs4j.ExportedFd;
import io.verbs4j.MemoryRegion;
import io.verbs4j.OpenAttr;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.VerbsLevel;
import io.verbs4j.WrOpcode;
import io.verbs4j.core.Verbs;

/** Imported contexts, domains and regions. See {@link ImportRules}. */
final class ImportRig extends Rig {
    static final String DESCRIBED = "ibv_import_device(3), ibv_import_pd(3), ibv_import_mr(3), "
            + "and the Javadoc of Context.exportDevice and importPd";
    static final int NO_DESCRIPTOR = 1 << 24;
    static final int NOBODYS = 0x7fff_fff0;
    static final int LENGTH = 1000;
    static final int BYTES = 256;

    ImportRig(ProviderKit kit) {
        super(kit);
    }

    /** Opens the device again, to import the objects of a context. */
    Context imported(Context owner) {
        try (ExportedFd fd = owner.exportDevice()) {
            return opened(Verbs.open(owner.device(), VerbsLevel.CURRENT, new OpenAttr().importFd(fd.fd())));
        }
    }

    ProtectionDomain importPd(Context context, ProtectionDomain pd) {
        return made(ProtectionDomain.class, context.importPd(pd.exportHandle()));
    }

    MemoryRegion importMr(ProtectionDomain pd, MemoryRegion mr) {
        return made(MemoryRegion.class, pd.importMr(mr.exportHandle()));
    }

    /** {@return a side that has imported the domain and the memory of {@code a}, connected to {@code b}} */
    Side importing() {
        make(s -> {});
        Side c = new Side(this, imported(a.context), 3);
        c.pd = importPd(c.context, a.pd);
        c.mr = importMr(c.pd, a.mr);
        c.cq = opened(c.context.createCq(c.cqe));
        c.qp = c.anotherQp();
        Side.connect(c, b);
        return c;
    }

    SendWorkRequest write(Side c, long wrId, MemoryRegion mr, long addr) {
        ScatterGatherElement part =
                new ScatterGatherElement().addr(addr).length(LENGTH).lkey(mr.lkey());
        return c.to(b, 0, c.wr(WrOpcode.RDMA_WRITE, wrId, part));
    }
}
