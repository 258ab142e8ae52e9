/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.gsi;

import org.junit.jupiter.api.Tag;

/** {@link LastMessageTest} by one copy. */
@Tag("onecopy")
class LastMessageOneCopyTest extends LastMessageTest {
    @Override
    boolean oneCopy() {
        return true;
    }
}
