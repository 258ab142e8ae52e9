/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore;

import io.verbs4j.Context;
import io.verbs4j.ContextOps;
import io.verbs4j.Device;
import io.verbs4j.NodeType;
import io.verbs4j.OpenAttr;
import io.verbs4j.TransportType;

/** A context without any verbs, for handles that need one. */
public final class PlainContext extends Context {
    private final ContextOps ops = new ContextOps() {};

    public PlainContext() {
        super(new Device("plain0", 1, NodeType.CA, TransportType.IB) {}, new OpenAttr());
    }

    @Override
    protected ContextOps libraryOps() {
        return ops;
    }
}
