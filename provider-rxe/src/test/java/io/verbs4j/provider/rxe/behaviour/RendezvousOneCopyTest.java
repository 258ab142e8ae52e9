/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import org.junit.jupiter.api.Tag;

/** As {@link RendezvousWireTest}, by one copy. */
@Tag("onecopy")
class RendezvousOneCopyTest extends RendezvousBehaviour {
    @Override
    boolean overTheWire() {
        return true;
    }
}
