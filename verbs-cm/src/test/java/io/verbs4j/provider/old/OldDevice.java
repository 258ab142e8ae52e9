/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.old;

import io.verbs4j.Device;
import io.verbs4j.NodeType;
import io.verbs4j.TransportType;

/** A device like those of this project's providers before connection managers existed. */
public final class OldDevice extends Device {
    /** Makes the device. */
    public OldDevice() {
        super("old0", 1, NodeType.CA, TransportType.IB);
    }
}
