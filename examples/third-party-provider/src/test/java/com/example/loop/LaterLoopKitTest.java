/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package com.example.loop;

import io.verbs4j.compat.kit.ProviderKit;
import io.verbs4j.spi.VerbsProvider;

/** The provider of level 3 keeps the rules of its level. */
class LaterLoopKitTest extends ProviderKit {
    @Override
    protected VerbsProvider provider() {
        return new LaterLoopProvider();
    }

    @Override
    protected int level() {
        return 3;
    }

    @Override
    protected boolean hasRdmaWrite() {
        return true;
    }

    @Override
    protected boolean hasRnr() {
        return true;
    }

    @Override
    protected boolean hasExtendedVerbs() {
        return true;
    }

    @Override
    protected boolean hasQueryDeviceEx() {
        return true;
    }
}
