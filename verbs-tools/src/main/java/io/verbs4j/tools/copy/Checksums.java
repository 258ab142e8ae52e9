/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.copy;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.zip.CRC32C;

/** CRC32C of each block, which finds damage early, and SHA-256 of the file, which other programs can compute too. */
final class Checksums {
    private static final ByteBuffer ZEROS =
            ByteBuffer.allocateDirect(CopySizes.BLOCK).asReadOnlyBuffer();

    private Checksums() {}

    /** {@return a new SHA-256} */
    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("the JDK has no SHA-256", e);
        }
    }

    /** {@return the current value of a digest, which can still be updated} */
    static byte[] current(MessageDigest digest) {
        try {
            return ((MessageDigest) digest.clone()).digest();
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("the JDK's SHA-256 can't be cloned", e);
        }
    }

    /** {@return a checksum in hexadecimal} */
    static String hex(byte[] sum) {
        return HexFormat.of().formatHex(sum);
    }

    /** {@return the CRC32C of the remaining bytes of a buffer, whose position does not change} */
    static int crc(ByteBuffer block) {
        CRC32C crc = new CRC32C();
        crc.update(block.duplicate());
        return (int) crc.getValue();
    }

    /** {@return whether all remaining bytes of a buffer are zero} */
    static boolean isZero(ByteBuffer block) {
        return block.mismatch(zeros(block.remaining())) < 0;
    }

    /** {@return a buffer of zeros} */
    static ByteBuffer zeros(int length) {
        return ZEROS.duplicate().limit(length);
    }
}
