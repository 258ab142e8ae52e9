/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import org.junit.jupiter.api.Tag;

/** As {@link CounterWireTest}, by one copy. */
@Tag("onecopy")
class CounterOneCopyTest extends CounterBehaviour {
    @Override
    boolean overTheWire() {
        return true;
    }
}
