/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Tag and private data of a matched message, as its sender put them into the header:
 * {@link CompletionQueue#readTmInfo(WcTmInfo)}. Create one instance and reuse it.
 *
 * <p>Since level 4. Source: {@code struct ibv_wc_tm_info}, {@code ibv_create_cq_ex(3)}. Not thread-safe.
 */
public final class WcTmInfo {
    private long tag;
    private int priv;

    /** Creates an instance with every attribute zero. */
    public WcTmInfo() {}

    /** {@return the tag} */
    public long tag() {
        return tag;
    }

    /**
     * Sets {@link #tag()}.
     *
     * @param value the tag
     * @return this
     */
    public WcTmInfo tag(long value) {
        tag = value;
        return this;
    }

    /** {@return the sender's private data, which the device does not interpret} */
    public int priv() {
        return priv;
    }

    /**
     * Sets {@link #priv()}.
     *
     * @param value the sender's private data
     * @return this
     */
    public WcTmInfo priv(int value) {
        priv = value;
        return this;
    }

    @Override
    public String toString() {
        return "tag 0x" + Long.toHexString(tag) + ", 0x" + Integer.toHexString(priv);
    }
}
