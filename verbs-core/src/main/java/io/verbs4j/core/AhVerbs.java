/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core;

import io.verbs4j.AddressHandle;
import io.verbs4j.AhAttr;
import io.verbs4j.ProtectionDomain;
import java.util.List;

/** The library's part of the verbs about address handles. */
final class AhVerbs {
    private final ObjectState context;
    private final Handles handles;

    AhVerbs(ObjectState context, Handles handles) {
        this.context = context;
        this.handles = handles;
    }

    AddressHandle createAh(ProtectionDomain pd, AhAttr attr) {
        String verb = "create_ah";
        ObjectState domain = handles.find(verb, "pd", pd);
        AddressChecks.check(verb, "attr", attr);
        ObjectState state = new ObjectState(context.owner(), Kind.AH, List.of(domain, context));
        return handles.create(verb, state, p -> p.createAh(pd, attr), ah -> ah.pd() == pd ? null : "protection domain");
    }

    void destroyAh(AddressHandle ah) {
        handles.destroy("destroy_ah", "ah", ah, p -> p.destroyAh(ah));
    }
}
