/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * An address vector: the path to a remote port.
 *
 * <p>Source: {@code ibv_create_ah(3)}. Not thread-safe.
 */
public final class AhAttr {
    private GlobalRoute grh = new GlobalRoute();
    private int dlid;
    private int sl;
    private int srcPathBits;
    private int staticRate;
    private boolean isGlobal;
    private int portNum;

    /** Creates an instance with every attribute zero. */
    public AhAttr() {}

    /** {@return the global route; used if {@link #isGlobal()} is true} */
    public GlobalRoute grh() {
        return grh;
    }

    /**
     * Sets {@link #grh()}.
     *
     * @param value global route; used if {@link #isGlobal()} is true
     * @return this
     */
    public AhAttr grh(GlobalRoute value) {
        grh = value;
        return this;
    }

    /** {@return the destination LID; 0 on RoCE} */
    public int dlid() {
        return dlid;
    }

    /**
     * Sets {@link #dlid()}.
     *
     * @param value destination LID; 0 on RoCE
     * @return this
     */
    public AhAttr dlid(int value) {
        dlid = value;
        return this;
    }

    /** {@return the service level, 0 to 15} */
    public int sl() {
        return sl;
    }

    /**
     * Sets {@link #sl()}.
     *
     * @param value service level, 0 to 15
     * @return this
     */
    public AhAttr sl(int value) {
        sl = value;
        return this;
    }

    /** {@return the source path bits} */
    public int srcPathBits() {
        return srcPathBits;
    }

    /**
     * Sets {@link #srcPathBits()}.
     *
     * @param value source path bits
     * @return this
     */
    public AhAttr srcPathBits(int value) {
        srcPathBits = value;
        return this;
    }

    /** {@return the static rate, a {@link Rate} value} */
    public int staticRate() {
        return staticRate;
    }

    /**
     * Sets {@link #staticRate()}.
     *
     * @param value static rate, a {@link Rate} value
     * @return this
     */
    public AhAttr staticRate(int value) {
        staticRate = value;
        return this;
    }

    /** {@return whether the global route is in use; must be true on RoCE} */
    public boolean isGlobal() {
        return isGlobal;
    }

    /**
     * Sets {@link #isGlobal()}.
     *
     * @param value whether the global route is in use; must be true on RoCE
     * @return this
     */
    public AhAttr isGlobal(boolean value) {
        isGlobal = value;
        return this;
    }

    /** {@return the local port, from 1} */
    public int portNum() {
        return portNum;
    }

    /**
     * Sets {@link #portNum()}.
     *
     * @param value local port, from 1
     * @return this
     */
    public AhAttr portNum(int value) {
        portNum = value;
        return this;
    }

    @Override
    public String toString() {
        return AttrText.of(this);
    }
}
