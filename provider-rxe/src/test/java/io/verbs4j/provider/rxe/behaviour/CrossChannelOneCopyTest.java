/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import org.junit.jupiter.api.Tag;

/** As {@link CrossChannelWireTest}, by one copy. */
@Tag("onecopy")
class CrossChannelOneCopyTest extends CrossChannelBehaviour {
    @Override
    boolean overTheWire() {
        return true;
    }
}
