/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import java.nio.file.Path;

/**
 * Attributes for opening an XRC domain: the argument of {@link Context#openXrcd(XrcdInitAttr)}.
 *
 * <p>Both attributes must be set. Since level 2. Source: {@code ibv_open_xrcd(3)}. Not thread-safe.
 */
public final class XrcdInitAttr extends InputAttr {
    private Path file;
    private int oflags;

    /** Creates an instance whose masks are empty. */
    public XrcdInitAttr() {}

    /**
     * {@return the file that identifies the domain: processes that open the same file share it; null for a domain of
     * this context only}
     */
    public Path file() {
        return file;
    }

    /**
     * Sets {@link #file()} and the bit {@link XrcdInitAttrMask#FILE}.
     *
     * @param value file that identifies the domain: processes that open the same file share it; null for a domain of
     *     this context only
     * @return this
     */
    public XrcdInitAttr file(Path value) {
        file = value;
        mark(XrcdInitAttrMask.FILE);
        return this;
    }

    /** {@return {@link XrcdOpenFlags} bits; 0 opens an existing domain} */
    public int oflags() {
        return oflags;
    }

    /**
     * Sets {@link #oflags()} and the bit {@link XrcdInitAttrMask#OFLAGS}.
     *
     * @param value {@link XrcdOpenFlags} bits; 0 opens an existing domain
     * @return this
     */
    public XrcdInitAttr oflags(int value) {
        oflags = value;
        mark(XrcdInitAttrMask.OFLAGS);
        return this;
    }

    @Override
    public String toString() {
        return AttrText.of(this);
    }
}
