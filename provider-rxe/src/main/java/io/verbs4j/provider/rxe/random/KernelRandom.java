/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.random;

import java.io.EOFException;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.Random;

/**
 * The kernel's random numbers (random(4)), the source of {@code new SecureRandom()} on Linux, but without the JDK's
 * security providers: loading these takes longer than anything else before a program's first message. Falls back to
 * {@code SecureRandom} if the file does not exist. Thread-safe; has no seed.
 */
public final class KernelRandom extends Random {
    private static final long serialVersionUID = 1;
    private static final String SOURCE = "/dev/urandom";
    private static final int BYTES = 512;

    private final transient ByteBuffer unused = ByteBuffer.allocate(BYTES).limit(0);
    private final String source;
    private transient SecureRandom instead;

    /** Creates the generator without reading anything. */
    public KernelRandom() {
        this(SOURCE);
    }

    KernelRandom(String source) {
        super(0);
        this.source = source;
    }

    @Override
    protected synchronized int next(int bits) {
        if (!unused.hasRemaining()) {
            fill();
        }
        int number = unused.getInt();
        unused.putInt(unused.position() - Integer.BYTES, 0); // numbers already returned are not kept
        return number >>> Integer.SIZE - bits;
    }

    private void fill() {
        unused.clear();
        if (instead == null) {
            try (InputStream in = new FileInputStream(source)) {
                if (in.readNBytes(unused.array(), 0, BYTES) == BYTES) {
                    return;
                }
                throw new EOFException(source);
            } catch (IOException e) {
                instead = new SecureRandom();
            }
        }
        instead.nextBytes(unused.array());
    }
}
