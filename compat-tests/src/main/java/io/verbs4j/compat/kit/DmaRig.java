/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import static io.verbs4j.compat.kit.Memory.PAGE;

import io.verbs4j.AccessFlags;
import io.verbs4j.DmaBuffer;
import io.verbs4j.ProtectionDomain;

/** Buffers that the device allocates. See {@link DmaRules}. */
final class DmaRig extends RegionRig {
    static final String OF_BUFFERS = "ibv_alloc_buf(3), and the Javadoc of DmaBuffer";
    static final String OF_HINTS = "ibv_alloc_dmah(3), and the Javadoc of DmaHandle";
    static final int LENGTH = 2 * PAGE + 100;
    static final int RIGHTS = AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE;

    DmaRig(ProviderKit kit) {
        super(kit);
    }

    DmaBuffer buffer(ProtectionDomain pd) {
        return opened(authors().saw(DmaBuffer.class, pd.allocBuf(LENGTH)));
    }
}
