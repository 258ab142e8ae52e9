/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package app;

import io.verbs4j.AllocDmAttr;
import io.verbs4j.Context;
import io.verbs4j.InputAttr;
import io.verbs4j.MrKeyInitAttr;
import io.verbs4j.ParentDomainInitAttr;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.RegMrAttrEx;
import io.verbs4j.TdInitAttr;
import java.util.function.Consumer;

/** Bits that nobody knows, in what the verbs about memory and domains take: refused by whoever has the verb. */
final class MemoryMasks {
    /** Of the range that the library must know. */
    private static final long LIBRARY = 1L << 41;

    /** Of the range of the device alone. */
    private static final long DEVICE = 1L << 21;

    private final Context context;
    private final BaseVerbs base;
    private final ProtectionDomain pd;

    MemoryMasks(Context context, BaseVerbs base) {
        this.context = context;
        this.base = base;
        pd = base.pd;
    }

    void run() {
        // Where nothing could be registered the mask is refused all the same.
        long addr = base.target == null ? 8 : base.target.addr();
        both("reg_mr_ex", () -> new RegMrAttrEx().addr(addr).length(8), attr -> pd.regMrEx(attr)
                .close());
        both("alloc_mr_key", () -> new MrKeyInitAttr().maxEntries(1), attr -> pd.allocMrKey(attr)
                .close());
        both("alloc_td", TdInitAttr::new, attr -> context.allocTd(attr).close());
        both("alloc_parent_domain", () -> new ParentDomainInitAttr().pd(pd), attr -> context.allocParentDomain(attr)
                .close());
        both("alloc_dm", () -> new AllocDmAttr().length(8), attr -> context.allocDm(attr)
                .close());
    }

    private static <T extends InputAttr> void both(String verb, java.util.function.Supplier<T> make, Consumer<T> call) {
        refused(verb, make.get(), LIBRARY, 0, call);
        refused(verb + "_device", make.get(), DEVICE, 0, call);
        refused(verb + "_device_2", make.get(), 0, DEVICE, call); // in the chained second mask
    }

    private static <T extends InputAttr> void refused(String step, T attr, long mask, long mask2, Consumer<T> call) {
        Results.step("mask", step, () -> {
            attr.masks(attr.compMask() | mask, mask2);
            call.accept(attr);
            return "accepted";
        });
    }
}
