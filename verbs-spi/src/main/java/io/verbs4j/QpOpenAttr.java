/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Attributes that open an existing queue pair: the argument of {@link Context#openQp(QpOpenAttr)}.
 *
 * <p>The number, the XRC domain and the type must be set. Since level 2. Source: {@code ibv_open_qp(3)}. Not
 * thread-safe.
 */
public final class QpOpenAttr extends InputAttr {
    private int qpNum;
    private XrcDomain xrcd;
    private Object userContext;
    private int qpType;

    /** Creates an instance whose masks are empty. */
    public QpOpenAttr() {}

    /** {@return the number of the queue pair, 24 bits} */
    public int qpNum() {
        return qpNum;
    }

    /**
     * Sets {@link #qpNum()} and the bit {@link QpOpenAttrMask#NUM}.
     *
     * @param value number of the queue pair, 24 bits
     * @return this
     */
    public QpOpenAttr qpNum(int value) {
        qpNum = value;
        mark(QpOpenAttrMask.NUM);
        return this;
    }

    /** {@return the XRC domain that the queue pair belongs to} */
    public XrcDomain xrcd() {
        return xrcd;
    }

    /**
     * Sets {@link #xrcd()} and the bit {@link QpOpenAttrMask#XRCD}.
     *
     * @param value XRC domain that the queue pair belongs to
     * @return this
     */
    public QpOpenAttr xrcd(XrcDomain value) {
        xrcd = value;
        mark(QpOpenAttrMask.XRCD);
        return this;
    }

    /** {@return the application object that the handle carries; may be null} */
    public Object userContext() {
        return userContext;
    }

    /**
     * Sets {@link #userContext()} and the bit {@link QpOpenAttrMask#CONTEXT}.
     *
     * @param value application object that the handle carries; may be null
     * @return this
     */
    public QpOpenAttr userContext(Object value) {
        userContext = value;
        mark(QpOpenAttrMask.CONTEXT);
        return this;
    }

    /** {@return the transport service, {@link QpType#XRC_RECV}} */
    public int qpType() {
        return qpType;
    }

    /**
     * Sets {@link #qpType()} and the bit {@link QpOpenAttrMask#TYPE}.
     *
     * @param value transport service, {@link QpType#XRC_RECV}
     * @return this
     */
    public QpOpenAttr qpType(int value) {
        qpType = value;
        mark(QpOpenAttrMask.TYPE);
        return this;
    }

    @Override
    public String toString() {
        return AttrText.of(this);
    }
}
