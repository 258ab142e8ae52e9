/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.old;

import io.verbs4j.Device;
import io.verbs4j.NodeType;
import io.verbs4j.TransportType;

/** A device as a provider of this project had it before there was a connection manager. */
public final class OldDevice extends Device {
    /** Makes it. */
    public OldDevice() {
        super("old0", 1, NodeType.CA, TransportType.IB);
    }
}
