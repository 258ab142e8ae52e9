/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import io.verbs4j.AccessFlags;
import io.verbs4j.AllocDmAttr;
import io.verbs4j.Context;
import io.verbs4j.DeviceMemory;
import java.nio.ByteBuffer;

/** Memory on the device. See {@link DmRules}. */
final class DmRig extends RegionRig {
    static final int BYTES = 1024;
    static final int RIGHTS = AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE | AccessFlags.ZERO_BASED;

    DmRig(ProviderKit kit) {
        super(kit);
    }

    DeviceMemory dm(Context context, long length) {
        return made(DeviceMemory.class, context.allocDm(new AllocDmAttr().length(length)));
    }

    static ByteBuffer numbered(int bytes) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(bytes);
        for (int i = 0; i < bytes; i++) {
            buffer.put(i, (byte) (i * 5 + 1));
        }
        return buffer;
    }
}
