/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.lanes;

import io.verbs4j.provider.rxe.qp.RxeAddressHandle;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;

/** Numbers of address handles, which lanes write into descriptors of datagrams. Thread-safe. */
final class LanePeers {
    private final List<WeakReference<RxeAddressHandle>> handles = new ArrayList<>();

    /** Returns the number of an address handle, from 1 on. */
    synchronized int number(RxeAddressHandle ah) {
        int free = -1;
        for (int i = 0; i < handles.size(); i++) {
            RxeAddressHandle known = handles.get(i).get();
            if (known == ah) {
                return i + 1;
            }
            free = known == null ? i : free;
        }
        if (free < 0) {
            handles.add(new WeakReference<>(ah));
            return handles.size();
        }
        handles.set(free, new WeakReference<>(ah));
        return free + 1;
    }

    /** Returns the address handle with a number, or null. */
    synchronized RxeAddressHandle find(int number) {
        return number < 1 || number > handles.size()
                ? null
                : handles.get(number - 1).get();
    }
}
