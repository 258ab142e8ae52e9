/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import io.verbs4j.Context;
import io.verbs4j.DeviceMemory;
import java.nio.ByteBuffer;

/** Memory on a native device. */
public final class NativeDeviceMemory extends DeviceMemory {
    /** The {@code struct ibv_dm}. */
    public final IbvDm ibv;

    /** Creates the handle of a {@code struct ibv_dm}. */
    public NativeDeviceMemory(Context context, long length, IbvDm ibv) {
        super(context, length);
        this.ibv = ibv;
    }

    @Override
    public int copyTo(long dmOffset, ByteBuffer source) {
        return ibv.copy(dmOffset, source, true);
    }

    @Override
    public int copyFrom(ByteBuffer target, long dmOffset) {
        return ibv.copy(dmOffset, target, false);
    }
}
