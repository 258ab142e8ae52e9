/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core;

import io.verbs4j.ProtectionDomain;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.SrqAttr;
import io.verbs4j.SrqAttrMask;
import io.verbs4j.SrqInitAttr;
import java.util.List;

/** The library's part of the verbs about shared receive queues. */
final class SrqVerbs {
    private static final int MODIFIABLE = SrqAttrMask.MAX_WR | SrqAttrMask.LIMIT;

    private final ObjectState context;
    private final ProviderSide side;
    private final Handles handles;

    SrqVerbs(ObjectState context, ProviderSide side, Handles handles) {
        this.context = context;
        this.side = side;
        this.handles = handles;
    }

    SharedReceiveQueue createSrq(ProtectionDomain pd, SrqInitAttr attr) {
        String verb = "create_srq";
        ObjectState domain = handles.find(verb, "pd", pd);
        Arguments.notNull(verb, "attr", attr);
        Arguments.notNull(verb, "attr.attr", attr.attr());
        Arguments.atLeast(verb, "maxWr", attr.attr().maxWr(), 0);
        Arguments.atLeast(verb, "maxSge", attr.attr().maxSge(), 0);
        // As in C, the limit does not count at creation.
        ObjectState state = new ObjectState(context.owner(), Kind.SRQ, List.of(domain, context));
        return handles.create(verb, state, p -> p.createSrq(pd, attr), s -> s.pd() == pd ? null : "protection domain");
    }

    void modifySrq(SharedReceiveQueue srq, SrqAttr attr, int mask) {
        String verb = "modify_srq";
        ObjectState state = handles.find(verb, "srq", srq);
        Arguments.notNull(verb, "attr", attr);
        if (mask == 0 || (mask & ~MODIFIABLE) != 0) {
            throw Arguments.invalid(
                    verb,
                    "the mask is " + SrqAttrMask.toString(mask) + "; take some of " + SrqAttrMask.toString(MODIFIABLE));
        }
        boolean resize = (mask & SrqAttrMask.MAX_WR) != 0;
        if (resize) {
            Arguments.atLeast(verb, "maxWr", attr.maxWr(), 1);
        }
        if ((mask & SrqAttrMask.LIMIT) != 0) {
            Arguments.range(verb, "srqLimit", attr.srqLimit(), 0, resize ? attr.maxWr() : Integer.MAX_VALUE);
        }
        state.change(verb, () -> side.run(verb, p -> p.modifySrq(srq, attr, mask)));
    }

    void querySrq(SharedReceiveQueue srq, SrqAttr attr) {
        String verb = "query_srq";
        ObjectState state = handles.find(verb, "srq", srq);
        Arguments.notNull(verb, "attr", attr);
        state.use(verb, () -> side.run(verb, p -> p.querySrq(srq, attr)));
    }

    void destroySrq(SharedReceiveQueue srq) {
        handles.destroy("destroy_srq", "srq", srq, p -> p.destroySrq(srq));
    }
}
