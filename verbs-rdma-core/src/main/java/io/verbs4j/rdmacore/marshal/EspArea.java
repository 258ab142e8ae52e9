/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.marshal;

import io.verbs4j.EspAesGcm;
import io.verbs4j.FlowActionEspAttr;
import io.verbs4j.FlowActionEspMask;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.layout.FlowActionEspAesGcmLayout;
import io.verbs4j.rdmacore.layout.FlowActionEspAttrLayout;
import io.verbs4j.rdmacore.layout.FlowActionEspLayout;
import io.verbs4j.rdmacore.layout.FlowActionEspReplayLayout;

/** Converts a {@code struct ibv_flow_action_esp_attr}, followed by the structures that it points to. */
public final class EspArea {
    /** Mask bits of the attributes, all of which are passed to C. */
    public static final long KNOWN =
            FlowActionEspMask.ESN | FlowActionEspMask.ATTR | FlowActionEspMask.KEY | FlowActionEspMask.REPLAY;

    private static final int ESP = FlowActionEspAttrLayout.SIZEOF;
    private static final int KEY = ESP + FlowActionEspLayout.SIZEOF;
    private static final int REPLAY = KEY + FlowActionEspAesGcmLayout.SIZEOF;

    /** Bytes of memory needed. */
    public static final int SIZE = REPLAY + FlowActionEspReplayLayout.SIZEOF;

    private static final int REPLAY_NONE = 0;
    private static final int REPLAY_BMP = 1;

    private EspArea() {}

    /**
     * Writes the attributes to memory of that size, which must be zero. Attributes outside the mask stay null pointers.
     */
    public static void write(long at, FlowActionEspAttr attr) {
        if (has(attr, FlowActionEspMask.ESN)) {
            NativeMemory.putInt(at + FlowActionEspAttrLayout.COMP_MASK, (int) FlowActionEspMask.ESN);
            NativeMemory.putInt(at + FlowActionEspAttrLayout.ESN, attr.esn());
        }
        if (has(attr, FlowActionEspMask.ATTR)) {
            NativeMemory.putLong(at + FlowActionEspAttrLayout.ESP_ATTR, at + ESP);
            parameters(at + ESP, attr);
        }
        if (has(attr, FlowActionEspMask.KEY)) {
            NativeMemory.putShort(at + FlowActionEspAttrLayout.KEYMAT_LEN, FlowActionEspAesGcmLayout.SIZEOF);
            NativeMemory.putLong(at + FlowActionEspAttrLayout.KEYMAT_PTR, at + KEY);
            key(at + KEY, attr.key());
        }
        if (has(attr, FlowActionEspMask.REPLAY)) {
            int protocol = attr.replayWindow() == 0 ? REPLAY_NONE : REPLAY_BMP;
            NativeMemory.putInt(at + FlowActionEspAttrLayout.REPLAY_PROTO, protocol);
            NativeMemory.putShort(at + FlowActionEspAttrLayout.REPLAY_LEN, FlowActionEspReplayLayout.SIZEOF);
            NativeMemory.putLong(at + FlowActionEspAttrLayout.REPLAY_PTR, at + REPLAY);
            NativeMemory.putInt(at + REPLAY + FlowActionEspReplayLayout.SIZE, attr.replayWindow());
        }
    }

    private static boolean has(FlowActionEspAttr attr, long bit) {
        return (attr.compMask() & bit) != 0;
    }

    private static void parameters(long at, FlowActionEspAttr attr) {
        NativeMemory.putInt(at + FlowActionEspLayout.SPI, attr.spi());
        NativeMemory.putInt(at + FlowActionEspLayout.SEQ, attr.seq());
        NativeMemory.putInt(at + FlowActionEspLayout.TFC_PAD, attr.tfcPad());
        NativeMemory.putInt(at + FlowActionEspLayout.FLAGS, attr.flags());
        NativeMemory.putLong(at + FlowActionEspLayout.HARD_LIMIT_PKTS, attr.hardLimitPkts());
    }

    private static void key(long at, EspAesGcm key) {
        byte[] bytes = key.aesKey();
        NativeMemory.putLong(at + FlowActionEspAesGcmLayout.IV, key.iv());
        NativeMemory.putInt(at + FlowActionEspAesGcmLayout.SALT, key.salt());
        NativeMemory.putInt(at + FlowActionEspAesGcmLayout.ICV_LEN, key.icvLen());
        NativeMemory.putInt(at + FlowActionEspAesGcmLayout.KEY_LEN, bytes.length);
        NativeMemory.putBytes(at + FlowActionEspAesGcmLayout.AES_KEY, bytes);
    }
}
