/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.ring;

import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.rdmacore.memory.Pin;

/** Memory that an accelerator has mapped. Its address is the device address, which requests and peers use. */
public final class GaudiMemoryRegion extends MemoryRegion {
    /** Address in this process. */
    public final long hostAddress;

    /** Keeps the region registered. */
    public final Pin pin = new Pin();

    /** Creates a region of {@code length} bytes with its two addresses. */
    public GaudiMemoryRegion(
            ProtectionDomain pd, long deviceAddress, long length, int access, int lkey, int rkey, long hostAddress) {
        super(pd, deviceAddress, length, access, lkey, rkey);
        this.hostAddress = hostAddress;
    }
}
