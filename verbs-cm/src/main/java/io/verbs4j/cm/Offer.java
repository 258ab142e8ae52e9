/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm;

import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QueuePair;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The arguments of a call of {@code accept}. */
final class Offer {
    final ProtectionDomain pd;
    final QpInitAttr attr;
    final ConnParam param;
    final Consumer<QueuePair> prepare;
    private final List<Object> made = new ArrayList<>();

    Offer(ProtectionDomain pd, QpInitAttr attr, ConnParam param, Consumer<QueuePair> prepare) {
        this.pd = pd;
        this.attr = attr;
        this.param = param;
        this.prepare = prepare;
        made.add(pd);
        made.add(attr.sendCq());
        made.add(attr.recvCq());
        made.add(attr.srq());
        made.add(attr.userContext());
        made.add(param);
        made.add(prepare);
    }

    boolean isSame(Offer other) {
        for (int i = 0; i < made.size(); i++) {
            if (made.get(i) != other.made.get(i)) {
                return false;
            }
        }
        return true;
    }
}
