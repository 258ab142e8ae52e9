/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.verbs;

import io.verbs4j.AddressHandle;
import io.verbs4j.AhAttr;
import io.verbs4j.ProtectionDomain;
import java.util.List;

/** The library's part of the verbs about address handles. */
final class AhVerbs {
    private final ObjectState context;
    private final ProviderSide side;
    private final Handles handles;

    AhVerbs(ObjectState context, ProviderSide side, Handles handles) {
        this.context = context;
        this.side = side;
        this.handles = handles;
    }

    AddressHandle createAh(ProtectionDomain pd, AhAttr attr) {
        String verb = "create_ah";
        ObjectState domain = handles.find(verb, "pd", pd);
        AddressChecks.check(verb, "attr", attr);
        ObjectState state = new ObjectState(context.owner(), Kind.AH, List.of(domain, context));
        Creation creation = handles.begin(verb, state);
        try (creation) {
            AddressHandle ah = creation.made(side.ops().createAh(pd, attr));
            creation.require(ah.pd() == pd, "protection domain");
            return creation.done(ah);
        } catch (Throwable t) {
            throw side.failed(verb, t);
        }
    }

    void destroyAh(AddressHandle ah) {
        handles.destroy("destroy_ah", "ah", ah, p -> p.destroyAh(ah));
    }
}
