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
        Arguments.notNull(verb, "pd", pd);
        Arguments.notNull(verb, "attr", attr);
        List<ObjectState> parents = List.of(handles.find(verb, "pd", pd), context);
        Arguments.notNull(verb, "attr.attr", attr.attr());
        // As in C, the limit does not count at creation.
        Arguments.atLeast(verb, "maxWr", attr.attr().maxWr(), 0);
        Arguments.atLeast(verb, "maxSge", attr.attr().maxSge(), 0);
        ObjectState state = new ObjectState(context.owner(), Kind.SRQ, parents);
        return handles.create(
                verb, state, p -> p.createSrq(pd, attr), srq -> srq.pd() == pd ? null : "protection domain");
    }

    void modifySrq(SharedReceiveQueue srq, SrqAttr attr, int mask) {
        String verb = "modify_srq";
        ObjectState state = handles.find(verb, "srq", srq);
        Arguments.notNull(verb, "attr", attr);
        if (mask == 0) {
            throw Arguments.invalid(verb, "the mask is 0, so nothing would change; take some of SrqAttrMask");
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
