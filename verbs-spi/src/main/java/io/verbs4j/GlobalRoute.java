/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * The global route of a path: the fields of a GRH that the sender chooses.
 *
 * <p>Source: {@code ibv_create_ah(3)}; InfiniBand Architecture Specification 8.3. Not thread-safe.
 */
public final class GlobalRoute {
    private Gid dgid = Gid.ZERO;
    private int flowLabel;
    private int sgidIndex;
    private int hopLimit;
    private int trafficClass;

    /** Creates an instance with every attribute zero. */
    public GlobalRoute() {}

    /** {@return the destination GID} */
    public Gid dgid() {
        return dgid;
    }

    /**
     * Sets {@link #dgid()}.
     *
     * @param value destination GID
     * @return this
     */
    public GlobalRoute dgid(Gid value) {
        dgid = value;
        return this;
    }

    /** {@return the flow label, 20 bits} */
    public int flowLabel() {
        return flowLabel;
    }

    /**
     * Sets {@link #flowLabel()}.
     *
     * @param value flow label, 20 bits
     * @return this
     */
    public GlobalRoute flowLabel(int value) {
        flowLabel = value;
        return this;
    }

    /** {@return the index of the source GID in the port's GID table} */
    public int sgidIndex() {
        return sgidIndex;
    }

    /**
     * Sets {@link #sgidIndex()}.
     *
     * @param value index of the source GID in the port's GID table
     * @return this
     */
    public GlobalRoute sgidIndex(int value) {
        sgidIndex = value;
        return this;
    }

    /** {@return the hop limit, 0 to 255} */
    public int hopLimit() {
        return hopLimit;
    }

    /**
     * Sets {@link #hopLimit()}.
     *
     * @param value hop limit, 0 to 255
     * @return this
     */
    public GlobalRoute hopLimit(int value) {
        hopLimit = value;
        return this;
    }

    /** {@return the traffic class, 0 to 255} */
    public int trafficClass() {
        return trafficClass;
    }

    /**
     * Sets {@link #trafficClass()}.
     *
     * @param value traffic class, 0 to 255
     * @return this
     */
    public GlobalRoute trafficClass(int value) {
        trafficClass = value;
        return this;
    }

    @Override
    public String toString() {
        return AttrText.of(this);
    }
}
