/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Attributes that create a completion queue: the argument of {@link Context#createCqEx(CqInitAttrEx)}.
 *
 * <p>Since level 3. Source: {@code ibv_create_cq_ex(3)}. Not thread-safe.
 */
public final class CqInitAttrEx extends InputAttr {
    private int cqe;
    private Object userContext;
    private CompletionChannel channel;
    private int compVector;
    private long wcFlags;
    private int flags;
    private ParentDomain parentDomain;
    private Object vendor;

    /** Creates an instance whose masks are empty. */
    public CqInitAttrEx() {}

    /** {@return the minimum number of entries, from 1} */
    public int cqe() {
        return cqe;
    }

    /**
     * Sets {@link #cqe()}.
     *
     * @param value minimum number of entries, from 1
     * @return this
     */
    public CqInitAttrEx cqe(int value) {
        cqe = value;
        return this;
    }

    /** {@return the application object that the queue carries; may be null} */
    public Object userContext() {
        return userContext;
    }

    /**
     * Sets {@link #userContext()}.
     *
     * @param value application object that the queue carries; may be null
     * @return this
     */
    public CqInitAttrEx userContext(Object value) {
        userContext = value;
        return this;
    }

    /** {@return the channel that receives its completion events, or null} */
    public CompletionChannel channel() {
        return channel;
    }

    /**
     * Sets {@link #channel()}.
     *
     * @param value channel that receives its completion events, or null
     * @return this
     */
    public CqInitAttrEx channel(CompletionChannel value) {
        channel = value;
        return this;
    }

    /** {@return the completion vector for its events, 0 to {@link Context#numCompVectors()} minus 1} */
    public int compVector() {
        return compVector;
    }

    /**
     * Sets {@link #compVector()}.
     *
     * @param value completion vector for its events, 0 to {@link Context#numCompVectors()} minus 1
     * @return this
     */
    public CqInitAttrEx compVector(int value) {
        compVector = value;
        return this;
    }

    /**
     * {@return the fields that each completion carries, {@link WcExFlags} bits; a device that does not support one
     * fails with EOPNOTSUPP}
     */
    public long wcFlags() {
        return wcFlags;
    }

    /**
     * Sets {@link #wcFlags()}.
     *
     * @param value fields that each completion carries, {@link WcExFlags} bits; a device that does not support one
     *     fails with EOPNOTSUPP
     * @return this
     */
    public CqInitAttrEx wcFlags(long value) {
        wcFlags = value;
        return this;
    }

    /** {@return the {@link CqCreateFlags} bits} */
    public int flags() {
        return flags;
    }

    /**
     * Sets {@link #flags()} and the bit {@link CqInitAttrMask#FLAGS}. Flags of {@link CqCreateFlags#OPTIONAL_RANGE} set
     * the bit {@link CqInitAttrMask#HINTS}, and if there are no other flags, only that bit.
     *
     * @param value {@link CqCreateFlags} bits
     * @return this
     */
    public CqInitAttrEx flags(int value) {
        flags = value;
        int hints = value & CqCreateFlags.OPTIONAL_RANGE;
        mark(hints == 0 ? 0 : CqInitAttrMask.HINTS);
        mark(value == hints && value != 0 ? 0 : CqInitAttrMask.FLAGS);
        return this;
    }

    /** {@return the parent domain, whose thread domain and allocators the queue uses} */
    public ParentDomain parentDomain() {
        return parentDomain;
    }

    /**
     * Sets {@link #parentDomain()} and the bit {@link CqInitAttrMask#PD}.
     *
     * @param value parent domain; null clears the bit
     * @return this
     */
    public CqInitAttrEx parentDomain(ParentDomain value) {
        parentDomain = value;
        mark(CqInitAttrMask.PD, value);
        return this;
    }

    /**
     * {@return the vendor's own attributes, of a type that the provider exports; or null} A provider that does not know
     * the type fails with EOPNOTSUPP.
     */
    public Object vendor() {
        return vendor;
    }

    /**
     * Sets {@link #vendor()} and the bit {@link CqInitAttrMask#VENDOR}.
     *
     * @param value the vendor's own attributes, of a type that the provider exports; null clears the bit. A provider
     *     that does not know the type fails with EOPNOTSUPP
     * @return this
     */
    public CqInitAttrEx vendor(Object value) {
        vendor = value;
        mark(CqInitAttrMask.VENDOR, value);
        return this;
    }

    /** Returns whether the verb of level 1 supports all of these attributes. */
    boolean isBase() {
        return hasOnly(CqInitAttrMask.VENDOR, 0) && (wcFlags & ~WcExFlags.STANDARD) == 0;
    }

    @Override
    public String toString() {
        return AttrText.of(this);
    }
}
