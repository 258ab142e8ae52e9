/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import io.verbs4j.testsupport.Full;
import org.junit.jupiter.api.Tag;

/** As {@link AllocationWireTest}, by one copy. */
@Full
@Tag("onecopy")
class AllocationOneCopyTest extends AllocationBehaviour {
    @Override
    boolean overTheWire() {
        return true;
    }
}
