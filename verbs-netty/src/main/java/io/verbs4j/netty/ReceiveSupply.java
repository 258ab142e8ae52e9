/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty;

import io.verbs4j.QpInitAttr;

/** Where the connections of an event loop have their receives from; chosen by what the device can do. */
interface ReceiveSupply {
    /** {@return how many receives there are at most, of all connections together} */
    int capacity();

    /** {@return the receives of another connection, with so many credits at first; null where too few are left} */
    Receives join(int credits);

    /** Has queue pairs made for receives of this kind. */
    void prepare(QpInitAttr attr);

    /** A receive has completed whose connection is gone. */
    void orphaned(Slot slot);

    /** All connections are gone. */
    void close();
}
