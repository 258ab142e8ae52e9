/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import io.verbs4j.testsupport.Full;
import org.junit.jupiter.api.Tag;

/** {@link ForeignImportWireTest} by one copy. */
@Full
@Tag("onecopy")
@ByPath(SidePath.ONE_COPY)
class ForeignImportOneCopyTest extends ForeignImportPathsTest {}
