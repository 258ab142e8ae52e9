/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Attributes of an IPsec ESP action on packets: the argument of {@link Context#createFlowActionEsp(FlowActionEspAttr)}
 * and {@link FlowAction#modifyEsp(FlowActionEspAttr)}. Creation requires parameters and a key; a modification requires
 * only what changes.
 *
 * <p>Since level 4. Source: {@code struct ibv_flow_action_esp_attr}, {@code ibv_create_flow_action(3)}. Not
 * thread-safe.
 */
public final class FlowActionEspAttr extends InputAttr {
    private int spi;
    private int seq;
    private int tfcPad;
    private int flags;
    private long hardLimitPkts;
    private int esn;
    private EspAesGcm key;
    private int replayWindow;

    /** Creates an instance whose masks are empty. */
    public FlowActionEspAttr() {}

    /** {@return the security parameter index (SPI)} */
    public int spi() {
        return spi;
    }

    /**
     * Sets {@link #spi()} and the bit {@link FlowActionEspMask#ATTR}.
     *
     * @param value the security parameter index (SPI)
     * @return this
     */
    public FlowActionEspAttr spi(int value) {
        spi = value;
        mark(FlowActionEspMask.ATTR);
        return this;
    }

    /** {@return the first sequence number} */
    public int seq() {
        return seq;
    }

    /**
     * Sets {@link #seq()} and the bit {@link FlowActionEspMask#ATTR}.
     *
     * @param value the first sequence number
     * @return this
     */
    public FlowActionEspAttr seq(int value) {
        seq = value;
        mark(FlowActionEspMask.ATTR);
        return this;
    }

    /** {@return the number of padding bytes that hide the length of the data} */
    public int tfcPad() {
        return tfcPad;
    }

    /**
     * Sets {@link #tfcPad()} and the bit {@link FlowActionEspMask#ATTR}.
     *
     * @param value the number of padding bytes that hide the length of the data
     * @return this
     */
    public FlowActionEspAttr tfcPad(int value) {
        tfcPad = value;
        mark(FlowActionEspMask.ATTR);
        return this;
    }

    /** {@return what the action does, {@link FlowActionEspFlags} bits} */
    public int flags() {
        return flags;
    }

    /**
     * Sets {@link #flags()} and the bit {@link FlowActionEspMask#ATTR}.
     *
     * @param value what the action does, {@link FlowActionEspFlags} bits
     * @return this
     */
    public FlowActionEspAttr flags(int value) {
        flags = value;
        mark(FlowActionEspMask.ATTR);
        return this;
    }

    /** {@return the number of packets after which the key is no longer used; 0 means no limit} */
    public long hardLimitPkts() {
        return hardLimitPkts;
    }

    /**
     * Sets {@link #hardLimitPkts()} and the bit {@link FlowActionEspMask#ATTR}.
     *
     * @param value the number of packets after which the key is no longer used; 0 means no limit
     * @return this
     */
    public FlowActionEspAttr hardLimitPkts(long value) {
        hardLimitPkts = value;
        mark(FlowActionEspMask.ATTR);
        return this;
    }

    /** {@return the upper half of the extended sequence number} */
    public int esn() {
        return esn;
    }

    /**
     * Sets {@link #esn()} and the bit {@link FlowActionEspMask#ESN}.
     *
     * @param value the upper half of the extended sequence number
     * @return this
     */
    public FlowActionEspAttr esn(int value) {
        esn = value;
        mark(FlowActionEspMask.ESN);
        return this;
    }

    /** {@return the key and its parameters; null if it is not set} */
    public EspAesGcm key() {
        return key;
    }

    /**
     * Sets {@link #key()} and the bit {@link FlowActionEspMask#KEY}.
     *
     * @param value the key; null clears the bit
     * @return this
     */
    public FlowActionEspAttr key(EspAesGcm value) {
        key = value;
        mark(FlowActionEspMask.KEY, value);
        return this;
    }

    /** {@return the size of the replay window in packets; 0 disables replay protection} */
    public int replayWindow() {
        return replayWindow;
    }

    /**
     * Sets {@link #replayWindow()} and the bit {@link FlowActionEspMask#REPLAY}. Only with
     * {@link FlowActionEspFlags#FULL_OFFLOAD}.
     *
     * @param value the size of the replay window in packets; 0 disables replay protection
     * @return this
     */
    public FlowActionEspAttr replayWindow(int value) {
        replayWindow = value;
        mark(FlowActionEspMask.REPLAY);
        return this;
    }

    @Override
    public String toString() {
        return AttrText.of(this);
    }
}
