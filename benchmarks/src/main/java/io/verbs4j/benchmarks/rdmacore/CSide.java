/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.rdmacore;

import io.verbs4j.benchmarks.harness.Commands;
import io.verbs4j.benchmarks.harness.Side;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * A verb called by the C program. C makes no garbage.
 *
 * @param program the program
 * @param verb its name for the verb
 * @param conditions locks and register
 */
record CSide(Path program, String verb, Conditions conditions) implements Side {
    @Override
    public boolean needsWarmUp() {
        return false; // it warms up by itself
    }

    @Override
    public double[] measure(double seconds) throws IOException {
        List<String> arguments = List.of(program.toString(), verb, Double.toString(seconds));
        String text = Commands.output(Stream.concat(Simulator.command(conditions).stream(), arguments.stream())
                .toList());
        return new double[] {Double.parseDouble(text), 0};
    }
}
