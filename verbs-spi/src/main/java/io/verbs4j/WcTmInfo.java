/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * What the sender of a message that was matched has put into its header: {@link CompletionQueue#readTmInfo(WcTmInfo)}.
 * Made once and filled again and again.
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

    /** {@return what the sender wanted to add, of no meaning to the device} */
    public int priv() {
        return priv;
    }

    /**
     * Sets {@link #priv()}.
     *
     * @param value what the sender wanted to add
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
