/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Attributes that create a shared receive queue: the argument of {@link Context#createSrqEx(SrqInitAttrEx)}.
 *
 * <p>The protection domain must be set. A queue of type {@link SrqType#XRC} also requires an XRC domain and a
 * completion queue, one of type {@link SrqType#TM} a completion queue and {@link #tmCap(int, int)}. After the call
 * {@link #attr()} holds the actual capacities. Since level 2. Source: {@code ibv_create_srq_ex(3)}. Not thread-safe.
 */
public final class SrqInitAttrEx extends InputAttr {
    private Object userContext;
    private SrqAttr attr = new SrqAttr();
    private int srqType;
    private ProtectionDomain pd;
    private XrcDomain xrcd;
    private CompletionQueue cq;
    private int tmMaxNumTags;
    private int tmMaxOps;

    /** Creates an instance whose masks are empty. */
    public SrqInitAttrEx() {}

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
    public SrqInitAttrEx userContext(Object value) {
        userContext = value;
        return this;
    }

    /** {@return the capacities, in and out} */
    public SrqAttr attr() {
        return attr;
    }

    /**
     * Sets {@link #attr()}.
     *
     * @param value capacities, in and out
     * @return this
     */
    public SrqInitAttrEx attr(SrqAttr value) {
        attr = value;
        return this;
    }

    /** {@return the type, a {@link SrqType} value; BASIC if it is not set} */
    public int srqType() {
        return srqType;
    }

    /**
     * Sets {@link #srqType()} and the bit {@link SrqInitAttrMask#TYPE}.
     *
     * @param value type, a {@link SrqType} value; BASIC if it is not set
     * @return this
     */
    public SrqInitAttrEx srqType(int value) {
        srqType = value;
        mark(SrqInitAttrMask.TYPE);
        return this;
    }

    /** {@return the protection domain} */
    public ProtectionDomain pd() {
        return pd;
    }

    /**
     * Sets {@link #pd()} and the bit {@link SrqInitAttrMask#PD}.
     *
     * @param value protection domain
     * @return this
     */
    public SrqInitAttrEx pd(ProtectionDomain value) {
        pd = value;
        mark(SrqInitAttrMask.PD);
        return this;
    }

    /** {@return the XRC domain, for type XRC} */
    public XrcDomain xrcd() {
        return xrcd;
    }

    /**
     * Sets {@link #xrcd()} and the bit {@link SrqInitAttrMask#XRCD}.
     *
     * @param value XRC domain, for type XRC
     * @return this
     */
    public SrqInitAttrEx xrcd(XrcDomain value) {
        xrcd = value;
        mark(SrqInitAttrMask.XRCD);
        return this;
    }

    /** {@return the completion queue of the receives, for types XRC and TM} */
    public CompletionQueue cq() {
        return cq;
    }

    /**
     * Sets {@link #cq()} and the bit {@link SrqInitAttrMask#CQ}.
     *
     * @param value completion queue of the receives, for types XRC and TM
     * @return this
     */
    public SrqInitAttrEx cq(CompletionQueue value) {
        cq = value;
        mark(SrqInitAttrMask.CQ);
        return this;
    }

    /** {@return the maximum number of tagged buffers in the matching list, for type TM} Since level 4. */
    public int tmMaxNumTags() {
        return tmMaxNumTags;
    }

    /** {@return the maximum number of incomplete operations on the list, for type TM} Since level 4. */
    public int tmMaxOps() {
        return tmMaxOps;
    }

    /**
     * Sets the sizes of the matching list, and the bit {@link SrqInitAttrMask#TM}; only for type {@link SrqType#TM}.
     * Since level 4. Source: {@code struct ibv_tm_cap}.
     *
     * @param maxNumTags maximum number of tagged buffers in the list, up to {@link DeviceAttrEx#tmMaxNumTags()}
     * @param maxOps maximum number of incomplete operations on the list, up to {@link DeviceAttrEx#tmMaxOps()}
     * @return this
     */
    public SrqInitAttrEx tmCap(int maxNumTags, int maxOps) {
        tmMaxNumTags = maxNumTags;
        tmMaxOps = maxOps;
        mark(SrqInitAttrMask.TM);
        return this;
    }

    /**
     * Converts attributes of level 1.
     *
     * @param pd the domain
     * @param attr attributes of level 1; the capacities are shared, so both see the actual values
     * @return a new instance of type BASIC
     */
    public static SrqInitAttrEx of(ProtectionDomain pd, SrqInitAttr attr) {
        return new SrqInitAttrEx()
                .userContext(attr.userContext())
                .attr(attr.attr())
                .srqType(SrqType.BASIC)
                .pd(pd);
    }

    /** Returns whether the verb of level 1 supports all of these attributes. */
    boolean isBase() {
        return hasOnly(SrqInitAttrMask.TYPE | SrqInitAttrMask.PD, 0) && srqType == SrqType.BASIC;
    }

    /**
     * Converts to attributes of level 1, dropping those that level 1 lacks.
     *
     * @return a new instance; the capacities are shared, so both see the actual values
     */
    public SrqInitAttr toBase() {
        return new SrqInitAttr().userContext(userContext).attr(attr);
    }

    @Override
    public String toString() {
        return AttrText.of(this);
    }
}
