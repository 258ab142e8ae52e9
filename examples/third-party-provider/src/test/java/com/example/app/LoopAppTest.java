/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package com.example.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.example.loopdv.LoopOpenAttr;
import com.example.loopdv.LoopVerbs;
import io.verbs4j.Context;
import io.verbs4j.Device;
import io.verbs4j.Errno;
import io.verbs4j.OpenAttr;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsLevel;
import io.verbs4j.core.Verbs;
import org.junit.jupiter.api.Test;

/** Access to a vendor's own verbs, as a program sees it. */
class LoopAppTest {
    private static Device device() {
        return Verbs.device("loop0");
    }

    @Test
    void programCallsDeviceSpecificVerbs() {
        assertEquals(4000, LoopApp.run());
    }

    @Test
    void deviceOpensWithItsOwnAttributes() {
        OpenAttr attr = new OpenAttr().vendor(new LoopOpenAttr().maxQpWr(16));
        try (Context asked = Verbs.open(device(), VerbsLevel.CURRENT, attr);
                Context plain = Verbs.open(device(), VerbsLevel.CURRENT)) {
            assertEquals(16, asked.queryDevice().maxQpWr());
            assertEquals(1024, plain.queryDevice().maxQpWr());
        }
    }

    @Test
    void vendorReturnsSameVerbsAtEveryCall() {
        try (Context context = Verbs.open(device(), VerbsLevel.CURRENT)) {
            assertSame(context.vendor(LoopVerbs.class), context.vendor(LoopVerbs.class));
        }
    }

    @Test
    void unknownVendorTypesAreNotSupported() {
        OpenAttr strange = new OpenAttr().vendor("what is this?");
        assertEquals(
                Errno.EOPNOTSUPP,
                assertThrows(VerbsException.class, () -> Verbs.open(device(), 2, strange))
                        .errno());
        try (Context context = Verbs.open(device(), VerbsLevel.CURRENT)) {
            VerbsException e = assertThrows(VerbsException.class, () -> context.vendor(Runnable.class));
            assertEquals(Errno.EOPNOTSUPP, e.errno());
        }
    }
}
