/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty;

import io.verbs4j.QpInitAttr;

/** The source of receives for the connections of an event loop; chosen by the capabilities of the device. */
interface ReceiveSupply {
    /** {@return the maximum number of receives of all connections together} */
    int capacity();

    /** {@return the receives of another connection, with this number of credits at first; null if too few are left} */
    Receives join(int credits);

    /** Prepares the attributes of queue pairs for receives of this kind. */
    void prepare(QpInitAttr attr);

    /** Called when a receive has completed whose connection is gone. */
    void orphaned(Slot slot);

    /** Called when all connections are gone. */
    void close();
}
