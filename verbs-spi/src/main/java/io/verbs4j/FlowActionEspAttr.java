/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * An action of IPsec's ESP on packets: the argument of {@link Context#createFlowActionEsp(FlowActionEspAttr)} and
 * {@link FlowAction#modifyEsp(FlowActionEspAttr)}. An action needs parameters and a key; a change needs only what
 * changes.
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

    /** {@return the index of the security parameters} */
    public int spi() {
        return spi;
    }

    /**
     * Sets {@link #spi()} and the bit {@link FlowActionEspMask#ATTR}.
     *
     * @param value the index of the security parameters
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

    /** {@return how many bytes of padding hide the length of the data} */
    public int tfcPad() {
        return tfcPad;
    }

    /**
     * Sets {@link #tfcPad()} and the bit {@link FlowActionEspMask#ATTR}.
     *
     * @param value how many bytes of padding hide the length of the data
     * @return this
     */
    public FlowActionEspAttr tfcPad(int value) {
        tfcPad = value;
        mark(FlowActionEspMask.ATTR);
        return this;
    }

    /** {@return what is done, and how: {@link FlowActionEspFlags} bits} */
    public int flags() {
        return flags;
    }

    /**
     * Sets {@link #flags()} and the bit {@link FlowActionEspMask#ATTR}.
     *
     * @param value what is done, and how: {@link FlowActionEspFlags} bits
     * @return this
     */
    public FlowActionEspAttr flags(int value) {
        flags = value;
        mark(FlowActionEspMask.ATTR);
        return this;
    }

    /** {@return after how many packets the key is no longer used; 0 for no limit} */
    public long hardLimitPkts() {
        return hardLimitPkts;
    }

    /**
     * Sets {@link #hardLimitPkts()} and the bit {@link FlowActionEspMask#ATTR}.
     *
     * @param value after how many packets the key is no longer used; 0 for no limit
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

    /** {@return the key and what goes with it; null where it is not set} */
    public EspAesGcm key() {
        return key;
    }

    /**
     * Sets {@link #key()} and the bit {@link FlowActionEspMask#KEY}.
     *
     * @param value the key; null clears the bit, as if it had never been set
     * @return this
     */
    public FlowActionEspAttr key(EspAesGcm value) {
        key = value;
        mark(FlowActionEspMask.KEY, value);
        return this;
    }

    /** {@return how many packets the window has that keeps from replays; 0 for none} */
    public int replayWindow() {
        return replayWindow;
    }

    /**
     * Sets {@link #replayWindow()} and the bit {@link FlowActionEspMask#REPLAY}. Only with {@link
     * FlowActionEspFlags#FULL_OFFLOAD}.
     *
     * @param value how many packets the window has; 0 for no protection
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
