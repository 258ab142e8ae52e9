/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Bits that say what an ESP action does: {@link FlowActionEspAttr#flags()}. Without bits it decrypts in tunnel mode,
 * and the program handles the headers.
 *
 * <p>Since level 4. Source: {@code enum ib_uverbs_flow_action_esp_flags}, {@code ibv_create_flow_action(3)}.
 */
public final class FlowActionEspFlags {
    /**
     * Bit: the device adds and removes headers and trailers. Source:
     * {@code IB_UVERBS_FLOW_ACTION_ESP_FLAGS_FULL_OFFLOAD}.
     */
    public static final int FULL_OFFLOAD = 1;

    /** Bit: transport mode. Source: {@code IB_UVERBS_FLOW_ACTION_ESP_FLAGS_TRANSPORT}. */
    public static final int TRANSPORT = 1 << 1;

    /** Bit: encrypts. Source: {@code IB_UVERBS_FLOW_ACTION_ESP_FLAGS_ENCRYPT}. */
    public static final int ENCRYPT = 1 << 2;

    /**
     * Bit: the extended sequence number starts a new window. Source:
     * {@code IB_UVERBS_FLOW_ACTION_ESP_FLAGS_ESN_NEW_WINDOW}.
     */
    public static final int ESN_NEW_WINDOW = 1 << 3;

    private static final String[] NAMES = {
        "FULL_OFFLOAD", "TRANSPORT", "ENCRYPT", "ESN_NEW_WINDOW",
    };

    private FlowActionEspFlags() {}

    /**
     * Returns the names of the bits that are set, joined by {@code |} in ascending order.
     *
     * @param bits bits of this class
     * @return for instance {@code "TRANSPORT|ENCRYPT"}; {@code "0"} if no bit is set; bits without a name come last, as
     *     one hexadecimal number
     */
    public static String toString(int bits) {
        return InputAttr.join(Integer.toUnsignedLong(bits), NAMES);
    }
}
