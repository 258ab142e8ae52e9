/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.verbs;

import io.verbs4j.MemoryWindow;
import io.verbs4j.ProtectionDomain;
import java.util.List;

/** The library's part of the verbs about memory windows. */
final class WindowVerbs {
    private final ObjectState context;
    private final ProviderSide side;
    private final Handles handles;

    WindowVerbs(ObjectState context, ProviderSide side, Handles handles) {
        this.context = context;
        this.side = side;
        this.handles = handles;
    }

    MemoryWindow allocMw(ProtectionDomain pd, int type) {
        String verb = "alloc_mw";
        ObjectState domain = handles.find(verb, "pd", pd);
        ObjectState state = new ObjectState(context.owner(), Kind.MW, List.of(domain, context));
        Creation creation = handles.begin(verb, state);
        try (creation) {
            MemoryWindow mw = creation.made(side.ops().allocMw(pd, type));
            creation.require(mw.pd() == pd, "protection domain");
            return creation.done(mw);
        } catch (Throwable t) {
            throw side.failed(verb, t);
        }
    }

    void deallocMw(MemoryWindow mw) {
        handles.destroy("dealloc_mw", "mw", mw, p -> p.deallocMw(mw));
    }
}
