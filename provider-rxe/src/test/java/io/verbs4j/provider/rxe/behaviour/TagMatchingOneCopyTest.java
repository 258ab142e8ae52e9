/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import org.junit.jupiter.api.Tag;

/** As {@link TagMatchingWireTest}, by one copy. */
@Tag("onecopy")
class TagMatchingOneCopyTest extends TagMatchingBehaviour {
    @Override
    boolean overTheWire() {
        return true;
    }
}
