/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.wire;

import io.verbs4j.benchmarks.harness.Contents;
import java.nio.ByteBuffer;

/** A transport that sends all messages from one buffer, and receives all into another. */
abstract class BufferTransport implements Transport {
    final ByteBuffer source;
    final ByteBuffer target;

    BufferTransport(int size) {
        source = Contents.allocate(size);
        target = Contents.allocate(size);
    }

    @Override
    public final void prepare(long seed) {
        Contents.fill(source, seed);
        Contents.clear(target);
    }

    @Override
    public final void check(long messages) {
        Contents.check(target, source);
    }
}
