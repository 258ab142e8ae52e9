/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import io.verbs4j.testsupport.Full;

/** Objects of another process, between two devices: packets through sockets. */
@Full
@ByPath(SidePath.WIRE)
class ForeignImportWireTest extends ForeignImportPathsTest {}
