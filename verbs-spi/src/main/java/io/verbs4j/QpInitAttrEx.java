/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Attributes that create a queue pair: the argument of {@link Context#createQpEx(QpInitAttrEx)}.
 *
 * <p>All types but XRC_RECV need a protection domain, XRC_RECV needs an XRC domain. The capacities are in and out:
 * after the call {@link #cap()} holds the actual values. Since level 2. Source: {@code ibv_create_qp_ex(3)}. Not
 * thread-safe.
 */
// More than 30 public methods because each field of `struct ibv_qp_init_attr_ex` is two, and the API is frozen.
public final class QpInitAttrEx extends InputAttr {
    private Object userContext;
    private CompletionQueue sendCq;
    private CompletionQueue recvCq;
    private SharedReceiveQueue srq;
    private QpCap cap = new QpCap();
    private int qpType;
    private boolean sqSigAll;
    private ProtectionDomain pd;
    private XrcDomain xrcd;
    private long sendOpsFlags;
    private int createFlags;
    private int maxTsoHeader;
    private RwqIndTable rwqIndTbl;
    private RxHashConf rxHashConf;
    private Object vendor;

    /** Creates an instance whose masks are empty. */
    public QpInitAttrEx() {}

    /** {@return the application object that the queue pair carries; may be null} */
    public Object userContext() {
        return userContext;
    }

    /**
     * Sets {@link #userContext()}.
     *
     * @param value application object that the queue pair carries; may be null
     * @return this
     */
    public QpInitAttrEx userContext(Object value) {
        userContext = value;
        return this;
    }

    /** {@return the completion queue for send work requests; none for XRC_RECV} */
    public CompletionQueue sendCq() {
        return sendCq;
    }

    /**
     * Sets {@link #sendCq()}.
     *
     * @param value completion queue for send work requests; none for XRC_RECV
     * @return this
     */
    public QpInitAttrEx sendCq(CompletionQueue value) {
        sendCq = value;
        return this;
    }

    /** {@return the completion queue for receive work requests; none for XRC_SEND and XRC_RECV} */
    public CompletionQueue recvCq() {
        return recvCq;
    }

    /**
     * Sets {@link #recvCq()}.
     *
     * @param value completion queue for receive work requests; none for XRC_SEND and XRC_RECV
     * @return this
     */
    public QpInitAttrEx recvCq(CompletionQueue value) {
        recvCq = value;
        return this;
    }

    /** {@return the shared receive queue, or null for a receive queue of the queue pair's own; none for XRC types} */
    public SharedReceiveQueue srq() {
        return srq;
    }

    /**
     * Sets {@link #srq()}.
     *
     * @param value shared receive queue, or null for a receive queue of the queue pair's own; none for XRC types
     * @return this
     */
    public QpInitAttrEx srq(SharedReceiveQueue value) {
        srq = value;
        return this;
    }

    /** {@return the capacities, in and out} */
    public QpCap cap() {
        return cap;
    }

    /**
     * Sets {@link #cap()}.
     *
     * @param value capacities, in and out
     * @return this
     */
    public QpInitAttrEx cap(QpCap value) {
        cap = value;
        return this;
    }

    /** {@return the transport service, a {@link QpType} value} */
    public int qpType() {
        return qpType;
    }

    /**
     * Sets {@link #qpType()}.
     *
     * @param value transport service, a {@link QpType} value
     * @return this
     */
    public QpInitAttrEx qpType(int value) {
        qpType = value;
        return this;
    }

    /**
     * {@return whether every send work request generates a completion; otherwise only those with {@link
     * SendFlags#SIGNALED}}
     */
    public boolean sqSigAll() {
        return sqSigAll;
    }

    /**
     * Sets {@link #sqSigAll()}.
     *
     * @param value whether every send work request generates a completion; otherwise only those with
     *     {@link SendFlags#SIGNALED}
     * @return this
     */
    public QpInitAttrEx sqSigAll(boolean value) {
        sqSigAll = value;
        return this;
    }

    /** {@return the protection domain; not for XRC_RECV} */
    public ProtectionDomain pd() {
        return pd;
    }

    /**
     * Sets {@link #pd()} and the bit {@link QpInitAttrMask#PD}.
     *
     * @param value protection domain; not for XRC_RECV
     * @return this
     */
    public QpInitAttrEx pd(ProtectionDomain value) {
        pd = value;
        mark(QpInitAttrMask.PD);
        return this;
    }

    /** {@return the XRC domain, for XRC_RECV} */
    public XrcDomain xrcd() {
        return xrcd;
    }

    /**
     * Sets {@link #xrcd()} and the bit {@link QpInitAttrMask#XRCD}.
     *
     * @param value XRC domain, for XRC_RECV
     * @return this
     */
    public QpInitAttrEx xrcd(XrcDomain value) {
        xrcd = value;
        mark(QpInitAttrMask.XRCD);
        return this;
    }

    /** {@return the operations that will be posted, {@link QpCreateSendOps} bits} */
    public long sendOpsFlags() {
        return sendOpsFlags;
    }

    /**
     * Sets {@link #sendOpsFlags()} and the bit {@link QpInitAttrMask#SEND_OPS_FLAGS}. Creation then fails with
     * {@link Errno#EOPNOTSUPP} if the device or the type lacks one of the operations, rather than the first post;
     * operations not declared here may not be posted.
     *
     * @param value {@link QpCreateSendOps} bits
     * @return this
     */
    public QpInitAttrEx sendOpsFlags(long value) {
        sendOpsFlags = value;
        mark(QpInitAttrMask.SEND_OPS_FLAGS);
        return this;
    }

    /** {@return the special behaviour, {@link QpCreateFlags} bits} Since level 3. */
    public int createFlags() {
        return createFlags;
    }

    /**
     * Sets {@link #createFlags()} and the bit {@link QpInitAttrMask#CREATE_FLAGS}. A device that lacks one of the flags
     * fails with {@link Errno#EOPNOTSUPP}. Flags of {@link QpCreateFlags#OPTIONAL_RANGE} are the exception: they set
     * the bit {@link QpInitAttrMask#CREATE_HINTS}, and if there are no other flags, only that bit. Since level 3.
     *
     * @param value {@link QpCreateFlags} bits
     * @return this
     */
    public QpInitAttrEx createFlags(int value) {
        createFlags = value;
        int hints = value & QpCreateFlags.OPTIONAL_RANGE;
        mark(hints == 0 ? 0 : QpInitAttrMask.CREATE_HINTS);
        mark(value == hints && value != 0 ? 0 : QpInitAttrMask.CREATE_FLAGS);
        return this;
    }

    /** {@return the maximum number of bytes that the headers of a {@link WrOpcode#TSO} have} Since level 4. */
    public int maxTsoHeader() {
        return maxTsoHeader;
    }

    /**
     * Sets {@link #maxTsoHeader()} and the bit {@link QpInitAttrMask#MAX_TSO_HEADER}. Without it the queue pair does
     * not support {@link WrOpcode#TSO}. Since level 4.
     *
     * @param value the maximum number of header bytes, 0 to 65535
     * @return this
     */
    public QpInitAttrEx maxTsoHeader(int value) {
        maxTsoHeader = value;
        mark(QpInitAttrMask.MAX_TSO_HEADER);
        return this;
    }

    /**
     * {@return the table of work queues that it receives through instead of its own receive queue; or null} Since level
     * 4.
     */
    public RwqIndTable rwqIndTbl() {
        return rwqIndTbl;
    }

    /**
     * Sets {@link #rwqIndTbl()} and the bit {@link QpInitAttrMask#IND_TABLE}. The queue pair has no receive queue then:
     * do not set {@link #recvCq()}, {@link #srq()} or the capacities of receives. Requires
     * {@link #rxHashConf(RxHashConf)}. Since level 4.
     *
     * @param value the table; null clears the bit
     * @return this
     */
    public QpInitAttrEx rwqIndTbl(RwqIndTable value) {
        rwqIndTbl = value;
        mark(QpInitAttrMask.IND_TABLE, value);
        return this;
    }

    /** {@return how it spreads packets over the work queues of its table; or null} Since level 4. */
    public RxHashConf rxHashConf() {
        return rxHashConf;
    }

    /**
     * Sets {@link #rxHashConf()} and the bit {@link QpInitAttrMask#RX_HASH}. Since level 4.
     *
     * @param value function, key and fields; null clears the bit
     * @return this
     */
    public QpInitAttrEx rxHashConf(RxHashConf value) {
        rxHashConf = value;
        mark(QpInitAttrMask.RX_HASH, value);
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
     * Sets {@link #vendor()} and the bit {@link QpInitAttrMask#VENDOR}.
     *
     * @param value the vendor's own attributes; null clears the bit
     * @return this
     */
    public QpInitAttrEx vendor(Object value) {
        vendor = value;
        mark(QpInitAttrMask.VENDOR, value);
        return this;
    }

    /**
     * Converts attributes of level 1.
     *
     * @param pd the domain
     * @param attr attributes of level 1; the capacities are shared, so both see the actual values
     * @return a new instance whose mask has only {@link QpInitAttrMask#PD}, and {@link QpInitAttrMask#VENDOR} if there
     *     are vendor attributes
     */
    public static QpInitAttrEx of(ProtectionDomain pd, QpInitAttr attr) {
        QpInitAttrEx extended = new QpInitAttrEx()
                .userContext(attr.userContext())
                .sendCq(attr.sendCq())
                .recvCq(attr.recvCq())
                .srq(attr.srq())
                .cap(attr.cap())
                .qpType(attr.qpType())
                .sqSigAll(attr.sqSigAll())
                .pd(pd);
        return attr.vendor() == null ? extended : extended.vendor(attr.vendor());
    }

    /** Returns whether the verb of level 1 supports all of these attributes. */
    boolean isBase() {
        return hasOnly(QpInitAttrMask.PD | QpInitAttrMask.VENDOR, 0)
                && qpType != QpType.XRC_SEND
                && qpType != QpType.XRC_RECV;
    }

    /**
     * Converts to attributes of level 1, dropping those that level 1 lacks.
     *
     * @return a new instance; the capacities are shared, so both see the actual values
     */
    public QpInitAttr toBase() {
        return new QpInitAttr()
                .userContext(userContext)
                .sendCq(sendCq)
                .recvCq(recvCq)
                .srq(srq)
                .cap(cap)
                .qpType(qpType)
                .sqSigAll(sqSigAll)
                .vendor(vendor);
    }

    @Override
    public String toString() {
        return AttrText.of(this);
    }
}
