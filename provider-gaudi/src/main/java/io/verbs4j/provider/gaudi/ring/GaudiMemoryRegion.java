/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.ring;

import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.rdmacore.memory.Pin;

/** Memory that an accelerator has given addresses for. Its own address is the device's: requests and peers name it by that. */
public final class GaudiMemoryRegion extends MemoryRegion {
    /** Where it is in this process. */
    public final long hostAddress;

    /** Keeps it registered. */
    public final Pin pin = new Pin();

    /** Memory of {@code length} bytes, which the device has at one address and this process at another. */
    public GaudiMemoryRegion(
            ProtectionDomain pd, long deviceAddress, long length, int access, int lkey, int rkey, long hostAddress) {
        super(pd, deviceAddress, length, access, lkey, rkey);
        this.hostAddress = hostAddress;
    }
}
