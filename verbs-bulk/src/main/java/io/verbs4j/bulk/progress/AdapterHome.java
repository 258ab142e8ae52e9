/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.progress;

import io.verbs4j.bulk.transfer.Home;

/** A connection's share of an adapter, with room for its completions. */
final class AdapterHome extends Home {
    private final Adapter adapter;

    private AdapterHome(Adapter adapter) {
        super(adapter.pd(), adapter.load(), adapter::unreserve);
        this.adapter = adapter;
    }

    /** Reserves the resources of a connection. */
    static AdapterHome of(Adapter adapter) {
        adapter.reserve();
        return new AdapterHome(adapter);
    }

    Adapter adapter() {
        return adapter;
    }
}
