/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore;

import io.verbs4j.AddressHandle;
import io.verbs4j.AhAttr;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.call.Libibverbs;
import io.verbs4j.rdmacore.layout.AhAttrLayout;
import io.verbs4j.rdmacore.marshal.AhAttrs;
import io.verbs4j.rdmacore.object.IbvObject;
import io.verbs4j.rdmacore.object.NativeAddressHandle;
import java.util.function.LongConsumer;

/** Implements the verbs for address handles. */
final class AhVerbs {
    private final Runnable awaitPosts;

    AhVerbs(Runnable awaitPosts) {
        this.awaitPosts = awaitPosts;
    }

    /** Creates a {@code struct ibv_ah}. */
    static long createAh(ProtectionDomain pd, AhAttr attr) {
        try (Scratch c = new Scratch(AhAttrLayout.SIZEOF)) {
            AhAttrs.write("create_ah", c.address(), attr);
            return Answers.checkPointer("create_ah", Libibverbs.ibv_create_ah(IbvObject.addressOf(pd), c.address()));
        }
    }

    void destroyAh(AddressHandle ah, LongConsumer free) {
        IbvObject handle = ((NativeAddressHandle) ah).ibv;
        handle.pin().closeFor(awaitPosts, () -> free.accept(handle.address()));
    }
}
