/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.wire;

/**
 * Arithmetic on CRC-32 polynomials modulo the generator, to undo the effect of later bytes on a CRC.
 *
 * <p>A polynomial is an int in the order of {@link java.util.zip.CRC32}: the top bit is the coefficient of x^0, the
 * lowest that of x^31. A step over n bytes multiplies by x^8n, a step back by x^-8n. The powers for steps back are in
 * two tables, one for the lower and one for the upper byte of n, so a step back costs two multiplications for any
 * packet length.
 */
final class CrcPowers {
    /** The generator without x^32. */
    private static final int GENERATOR = 0xedb8_8320;

    private static final int ONE = 1 << 31;
    private static final int TABLE = 256;
    private static final int[] BACK_1 = new int[TABLE];
    private static final int[] BACK_256 = new int[TABLE];

    static {
        int power = ONE;
        for (int n = 0; n < TABLE; n++) {
            BACK_1[n] = power;
            power = oneByteBack(power);
        }
        int step = power;
        power = ONE;
        for (int n = 0; n < TABLE; n++) {
            BACK_256[n] = power;
            power = multiply(power, step);
        }
    }

    private CrcPowers() {}

    /** Returns the CRC before the last {@code bytes} zero bytes, 0 to 65535 of them. */
    static int back(int crc, int bytes) {
        return multiply(multiply(crc, BACK_1[bytes & (TABLE - 1)]), BACK_256[bytes >>> Byte.SIZE]);
    }

    /** Returns the product modulo the generator, without branching on the values. */
    static int multiply(int a, int b) {
        int product = 0;
        int shifted = b;
        for (int bit = 0; bit < Integer.SIZE; bit++) {
            product ^= shifted & (a << bit) >> 31;
            shifted = (shifted >>> 1) ^ (GENERATOR & -(shifted & 1));
        }
        return product;
    }

    /**
     * Divides by x^8: a polynomial without x^0 is divisible, and one with it is after adding the generator, which has
     * x^0.
     */
    private static int oneByteBack(int crc) {
        int c = crc;
        for (int bit = 0; bit < Byte.SIZE; bit++) {
            c = c < 0 ? (c ^ GENERATOR) << 1 | 1 : c << 1;
        }
        return c;
    }
}
