/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv.steering;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.provider.mlx5.layout.DvFlowActionEspLayout;
import io.verbs4j.provider.mlx5.layout.FlowActionEspAesGcmLayout;
import io.verbs4j.provider.mlx5.layout.FlowActionEspAttrLayout;
import io.verbs4j.provider.mlx5.layout.FlowActionEspLayout;
import io.verbs4j.provider.mlx5.layout.FlowActionEspReplayLayout;
import io.verbs4j.rdmacore.memory.NativeMemory;

/**
 * A security association of IPsec, of AES-GCM, which is all that C has. To be used by one thread at a time. Source: {@code struct
 * ibv_flow_action_esp_attr}, mlx5dv_flow_action_esp(3).
 */
public final class FlowEspAttr {
    /** Bit of {@link #actionFlags}: packets have metadata. Source: {@code MLX5DV_FLOW_ACTION_FLAGS_REQUIRE_METADATA}. */
    public static final int REQUIRE_METADATA = 1 << 0;

    static final int DV = FlowActionEspAttrLayout.SIZEOF;
    private static final int ESP = DV + DvFlowActionEspLayout.SIZEOF;
    private static final int KEYMAT = ESP + FlowActionEspLayout.SIZEOF;
    private static final int REPLAY = KEYMAT + FlowActionEspAesGcmLayout.SIZEOF;
    static final int SIZE = REPLAY + FlowActionEspReplayLayout.SIZEOF;

    private static final int MOST_KEY = 32;

    private int spi;
    private int seq;
    private int tfcPad;
    private int flags;
    private long hardLimitPackets;
    private long iv;
    private int salt;
    private int icvLength;
    private byte[] key = {};
    private int replayWindow;
    private boolean hasEsn;
    private int esn;
    private int actionFlags;

    /** All zero, without a key. */
    public FlowEspAttr() {}

    /**
     * Sets the security parameters index.
     *
     * @param value 32 bits
     * @return this
     */
    public FlowEspAttr spi(int value) {
        spi = value;
        return this;
    }

    /**
     * Sets the sequence number.
     *
     * @param value 32 bits
     * @return this
     */
    public FlowEspAttr seq(int value) {
        seq = value;
        return this;
    }

    /**
     * Sets how far packets are padded, which hides their length.
     *
     * @param value in bytes
     * @return this
     */
    public FlowEspAttr tfcPad(int value) {
        tfcPad = value;
        return this;
    }

    /**
     * Sets what it is for.
     *
     * @param value {@link EspFlags} bits
     * @return this
     */
    public FlowEspAttr flags(int value) {
        flags = value;
        return this;
    }

    /**
     * Sets how many packets there may be.
     *
     * @param value a number of packets; 0 for any
     * @return this
     */
    public FlowEspAttr hardLimitPackets(long value) {
        hardLimitPackets = value;
        return this;
    }

    /**
     * Sets the key.
     *
     * @param value 16, 24 or 32 bytes
     * @param ivValue where the initialization vectors begin
     * @param saltValue the salt
     * @param icv length of the integrity check value, in bytes
     * @return this
     * @throws VerbsException {@link Errno#EINVAL} for null, and a key that is not of whole words or longer than 32 bytes
     */
    public FlowEspAttr aesGcm(byte[] value, long ivValue, int saltValue, int icv) {
        if (value == null || value.length > MOST_KEY || value.length % Integer.BYTES != 0) {
            throw new VerbsException(
                    Errno.EINVAL,
                    "mlx5dv_create_flow_action_esp",
                    "the key has " + (value == null ? "no" : value.length) + " bytes; it has 16, 24 or 32");
        }
        key = value.clone();
        iv = ivValue;
        salt = saltValue;
        icvLength = icv;
        return this;
    }

    /**
     * Sets for how many packets a receiver remembers whether they came. Without it, it does not look.
     *
     * @param packets size of the window
     * @return this
     */
    public FlowEspAttr replayWindow(int packets) {
        replayWindow = packets;
        return this;
    }

    /**
     * Sets the upper half of extended sequence numbers. Source: {@code IBV_FLOW_ACTION_ESP_MASK_ESN}.
     *
     * @param value 32 bits
     * @return this
     */
    public FlowEspAttr esn(int value) {
        esn = value;
        hasEsn = true;
        return this;
    }

    /**
     * Sets what mlx5 has beyond the verbs.
     *
     * @param value {@link #REQUIRE_METADATA} or 0
     * @return this
     */
    public FlowEspAttr actionFlags(int value) {
        actionFlags = value;
        return this;
    }

    /** Writes the {@code struct ibv_flow_action_esp_attr}, and behind it all that it points to. */
    void write(long at) {
        long esp = at + ESP;
        NativeMemory.putInt(esp + FlowActionEspLayout.SPI, spi);
        NativeMemory.putInt(esp + FlowActionEspLayout.SEQ, seq);
        NativeMemory.putInt(esp + FlowActionEspLayout.TFC_PAD, tfcPad);
        NativeMemory.putInt(esp + FlowActionEspLayout.FLAGS, flags);
        NativeMemory.putLong(esp + FlowActionEspLayout.HARD_LIMIT_PKTS, hardLimitPackets);
        writeKey(at + KEYMAT);
        NativeMemory.putInt(at + REPLAY + FlowActionEspReplayLayout.SIZE, replayWindow);
        NativeMemory.putLong(at + FlowActionEspAttrLayout.ESP_ATTR, esp);
        NativeMemory.putShort(at + FlowActionEspAttrLayout.KEYMAT_LEN, FlowActionEspAesGcmLayout.SIZEOF);
        NativeMemory.putLong(at + FlowActionEspAttrLayout.KEYMAT_PTR, at + KEYMAT);
        if (replayWindow != 0) {
            NativeMemory.putInt(at + FlowActionEspAttrLayout.REPLAY_PROTO, 1);
            NativeMemory.putShort(at + FlowActionEspAttrLayout.REPLAY_LEN, FlowActionEspReplayLayout.SIZEOF);
            NativeMemory.putLong(at + FlowActionEspAttrLayout.REPLAY_PTR, at + REPLAY);
        }
        NativeMemory.putInt(at + FlowActionEspAttrLayout.COMP_MASK, hasEsn ? 1 : 0);
        NativeMemory.putInt(at + FlowActionEspAttrLayout.ESN, esn);
        NativeMemory.putLong(at + DV + DvFlowActionEspLayout.COMP_MASK, actionFlags == 0 ? 0 : 1);
        NativeMemory.putInt(at + DV + DvFlowActionEspLayout.ACTION_FLAGS, actionFlags);
    }

    private void writeKey(long at) {
        NativeMemory.putLong(at + FlowActionEspAesGcmLayout.IV, iv);
        NativeMemory.putInt(at + FlowActionEspAesGcmLayout.SALT, salt);
        NativeMemory.putInt(at + FlowActionEspAesGcmLayout.ICV_LEN, icvLength);
        NativeMemory.putInt(at + FlowActionEspAesGcmLayout.KEY_LEN, key.length * Byte.SIZE);
        NativeMemory.putBytes(at + FlowActionEspAesGcmLayout.AES_KEY, key);
    }
}
