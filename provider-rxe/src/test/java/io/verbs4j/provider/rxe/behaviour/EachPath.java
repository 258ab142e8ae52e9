/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ArgumentsSource;

/** Tests of two sides that run once for each {@link SidePath} of this run. */
@ParameterizedClass(name = "{0}")
@ArgumentsSource(SidePaths.class)
abstract class EachPath extends TwoSides {
    @Parameter
    SidePath path;

    @Override
    final boolean overTheWire() {
        return path != SidePath.LOCAL;
    }
}
