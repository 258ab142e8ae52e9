/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.gsi;

import io.verbs4j.testsupport.program.Jdk;
import java.util.List;
import org.junit.jupiter.api.Tag;

/** The same by one copy. */
@Tag("onecopy")
class PeerProcessEndOneCopyTest extends PeerProcessEndTest {
    @Override
    List<String> options() {
        return List.of(Jdk.QUICK, "-Dio.verbs4j.rxe.onecopy=true");
    }
}
