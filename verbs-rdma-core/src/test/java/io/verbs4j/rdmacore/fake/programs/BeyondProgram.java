/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.fake.programs;

import io.verbs4j.natives.call.NativeFunction;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.rdmacore.call.Libibverbs;
import io.verbs4j.rdmacore.layout.ExtendedContextLayout;

/** Calls a slot without checking the size, which the binding must never do. */
public final class BeyondProgram {
    private BeyondProgram() {}

    public static void main(String[] args) {
        Libibverbs.require("test");
        try (Scratch count = new Scratch(8)) {
            long list = Libibverbs.ibv_get_device_list(count.address());
            long context = Libibverbs.ibv_open_device(NativeMemory.getLong(list));
            NativeFunction slot = NativeFunction.at(NativeMemory.getLong(context + ExtendedContextLayout.QUERY_PORT));
            System.out.println("the slot is there");
            System.out.flush();
            slot.call(context, 1, count.address(), 8);
            System.out.println("survived");
        }
    }
}
