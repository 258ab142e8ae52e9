/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import java.util.Objects;

/**
 * An AES-GCM key for IPsec ESP, and its parameters: {@link FlowActionEspAttr#key(EspAesGcm)}. The device increments the
 * initialisation vector with each packet that it encrypts.
 *
 * <p>Since level 4. Source: {@code struct ib_uverbs_flow_action_esp_keymat_aes_gcm}, {@code ibv_create_flow_action(3)}.
 * Not thread-safe.
 */
public final class EspAesGcm {
    private final byte[] aesKey;
    private long iv;
    private int salt;
    private int icvLen = 16;

    /**
     * Creates a key with an integrity check value of 16 bytes.
     *
     * @param aesKey the key of 16, 24 or 32 bytes, which is copied
     */
    public EspAesGcm(byte[] aesKey) {
        this.aesKey = Objects.requireNonNull(aesKey, "aesKey").clone();
    }

    /** {@return a copy of the key} */
    public byte[] aesKey() {
        return aesKey.clone();
    }

    /** {@return the initialisation vector of the first packet} */
    public long iv() {
        return iv;
    }

    /**
     * Sets {@link #iv()}.
     *
     * @param value the initialisation vector of the first packet
     * @return this
     */
    public EspAesGcm iv(long value) {
        iv = value;
        return this;
    }

    /** {@return the salt of RFC 4106} */
    public int salt() {
        return salt;
    }

    /**
     * Sets {@link #salt()}.
     *
     * @param value the salt of RFC 4106
     * @return this
     */
    public EspAesGcm salt(int value) {
        salt = value;
        return this;
    }

    /** {@return the length of the integrity check value after the data, in bytes: 8, 12 or 16} */
    public int icvLen() {
        return icvLen;
    }

    /**
     * Sets {@link #icvLen()}.
     *
     * @param value length of the integrity check value after the data, in bytes: 8, 12 or 16
     * @return this
     */
    public EspAesGcm icvLen(int value) {
        icvLen = value;
        return this;
    }

    /** {@return all parameters except the key} */
    @Override
    public String toString() {
        return "AES-GCM of " + aesKey.length * Byte.SIZE + " bits, icvLen " + icvLen;
    }
}
