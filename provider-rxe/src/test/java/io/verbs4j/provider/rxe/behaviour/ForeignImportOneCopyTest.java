/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import io.verbs4j.testsupport.Full;
import org.junit.jupiter.api.Tag;

/** As {@link ForeignImportWireTest}, by one copy. */
@Full
@Tag("onecopy")
class ForeignImportOneCopyTest extends ForeignImportBehaviour {
    @Override
    boolean overTheWire() {
        return true;
    }
}
